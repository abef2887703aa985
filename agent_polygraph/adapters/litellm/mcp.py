"""The error bits of MCP tools that the proxy ran by itself.

A chat answer and a Responses answer hold the text of such a result and not its bit.  The bit passes by
earlier, in the hook after each tool, under the call id of the request that is being answered; here it
waits for the answer.  Known in one process only: another worker's bits are not seen.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Iterator, Mapping
from copy import deepcopy
from threading import Lock
from typing import Any, TypeAlias

from .._shape import as_text, bit, mapping, parse_json, sequence, string

Bits: TypeAlias = list[tuple[frozenset[str], bool]]  # (names the tool goes by, its bit), in order

REQUESTS = 1_024  # requests whose bits are kept; the oldest go first


class ToolBits:
    """Bits by request, bounded.  Amortised O(1) each."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Bits] = OrderedDict()
        self._lock = Lock()

    def note(self, hook: Mapping[str, Any]) -> None:
        """Keep the bit of one tool run; hook: the arguments of `async_post_mcp_tool_call_hook`."""
        result = hook.get("original_response")
        said = bit(getattr(result, "is_error", None), getattr(result, "isError", None))
        request = string(hook.get("litellm_call_id"))
        if said is None or not request:
            return
        run = mapping(hook.get("mcp_tool_call_metadata"))
        names = {string(run.get("namespaced_tool_name")), string(run.get("name"))}
        with self._lock:
            self._kept.setdefault(request, []).append((frozenset(names - {""}), said))
            while len(self._kept) > REQUESTS:
                self._kept.popitem(last=False)

    def of(self, request: Any) -> Bits:
        """The bits of one request, in the order of its tool runs."""
        with self._lock:
            return list(self._kept.get(string(request), ()))


def with_bits(response: Mapping[str, Any], bits: Bits) -> Mapping[str, Any]:
    """`response`, plain JSON, with the bits put where a reader looks for them; a copy if there are any.

    The runs of a tool meet its results in order, where there are as many of the ones as of the others:
    a run that broke down has a result and no bit.  O(response + tools * bits).
    """
    if not bits:
        return response
    response = deepcopy(response)  # it may be the very object that the client gets
    rows = defaultdict(list)
    for row in _results(response):
        rows[string(row.get("name"))].append(row)
    for name, mine in rows.items():
        said = [error for names, error in bits if name in names]
        for row, error in zip(mine, said, strict=True) if len(mine) == len(said) else ():
            if row.get("type") != "mcp_call":
                row.setdefault("is_error", error)
            elif error:
                row["status"] = "failed"  # litellm says "completed" and error null of every run
    return response


def _results(response: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for choice in map(mapping, sequence(response.get("choices"))):
        extra = mapping(mapping(choice.get("message")).get("provider_specific_fields"))
        yield from (row for row in sequence(extra.get("mcp_call_results")) if isinstance(row, dict))
    for item in sequence(response.get("output")):
        if isinstance(item, dict) and item.get("type") == "mcp_call":
            yield item
        elif isinstance(item, dict) and item.get("type") == "tool_execution_results":
            rows = parse_json(as_text(item.get("content")))
            if isinstance(rows, list):
                item["content"] = rows
                yield from (row for row in rows if isinstance(row, dict))
