"""toolreceipt, by `check()` over a ledger built from the turn, with the known tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolreceipt import (  # type: ignore[import-not-found, unused-ignore]
    Ledger,
    LedgerEntry,
    check,
)

if TYPE_CHECKING:
    from .serving import Answer, Item, arguments, calls_with_results, serve, text
else:
    # Run as a script, in the peer's environment: the folder is no package there.
    from serving import Answer, Item, arguments, calls_with_results, serve, text


def entry(call: dict[str, Any], result: dict[str, Any] | None) -> Any:
    """One ledger entry.  A call without a result is an error, as its own message reader has it."""
    failed = result is None or bool(result.get("is_error"))
    content = "no result" if result is None else text(result.get("content"))
    return LedgerEntry(
        tool=str(call.get("name") or ""),
        status="error" if failed else "ok",
        args=arguments(call),
        result=None if failed else content,
        error=content if failed else None,
        call_id=str(call.get("call_id") or ""),
    )


def prepare(item: Item) -> tuple[str, Any, list[str]]:
    ledger = Ledger(entry(call, result) for call, result in calls_with_results(item))
    return item["closing"], ledger, list(item.get("tools") or ())


def judge(prepared: tuple[str, Any, list[str]]) -> Answer:
    closing, ledger, tools = prepared
    receipt = check(closing, ledger, known_tools=tools)
    return Answer(not receipt.ok, receipt.summary)


if __name__ == "__main__":
    serve("toolreceipt", prepare, judge)
