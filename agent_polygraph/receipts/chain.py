"""Signed receipts as a file: written whole, and verified line by line by whoever has the public key.

The first line names the key, every other a call with its result and its token, and the last says
how many there are.  Each signature covers the one before it, so a line that is changed, moved, added
or left out shows at the first line behind it, and the last line shows a cut.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..tokens import OUTCOMES
from .encoding import (
    ReceiptError,
    arguments_bytes,
    decoded,
    end_message,
    head,
    message,
    result_bytes,
    spelled,
)
from .signing import PublicKey

if TYPE_CHECKING:
    from .scope import Record

VERSION = 1


def export(
    records: Sequence[Record], last: bytes, key: PublicKey, prove: Callable[[bytes], bytes]
) -> str:
    """The file's text: what `verify_lines` reads."""
    lines: list[dict[str, Any]] = [{"agent_polygraph_receipts": VERSION, "public_key": str(key)}]
    for record in records:
        assert record.call is not None  # a scope that signs keeps its calls
        line = {
            "sequence": record.issued.sequence,
            "call_id": record.issued.call_id,
            "tool": record.issued.tool,
            "arguments": record.call.arguments,
            "outcome": record.issued.outcome,
            "time_ms": record.time_ms,
            "token": record.token,
        }
        if isinstance(record.result, (bytes, bytearray)):
            line["result_base64"] = b64encode(bytes(record.result)).decode()
        else:
            line["result"] = record.result
        lines.append(line)
    seal = prove(end_message(key.key_id.encode(), len(records), last))
    lines.append({"end": len(records), "seal": spelled(seal)})
    return "".join(json.dumps(line) + "\n" for line in lines)


@dataclass(slots=True)
class Checked:
    """What became of a file: its key, the receipts that hold, by outcome, and what is wrong."""

    key: PublicKey | None = None
    outcomes: dict[str, int] = field(default_factory=dict)
    problems: list[tuple[int, str]] = field(default_factory=list)  # (line, reason)

    @property
    def good(self) -> int:
        """How many receipts hold."""
        return sum(self.outcomes.values())


def verify_lines(lines: Iterable[str], expected: PublicKey | None = None) -> Checked:
    """Verify an export.  O(characters).

    expected: the published key; without one the file's own is used, which shows only that the
    file is of one piece.  ReceiptError where `cryptography` is missing.  Nothing in a file raises:
    every fault is a problem with its line.
    """
    checked = Checked()
    chain: _Chain | None = None
    number = 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line, object_pairs_hook=_unique)
            if not isinstance(row, Mapping):
                raise ReceiptError(f"a {type(row).__name__} is no line of an export")
            if chain is None:
                checked.key = _head(row, expected)
                chain = _Chain(checked.key)
            else:
                outcome = chain.add(row)
                if outcome:
                    checked.outcomes[outcome] = checked.outcomes.get(outcome, 0) + 1
        except (ReceiptError, ValueError, RecursionError) as error:
            checked.problems.append((number, f"{error}"[:300]))
            if chain is None:
                return checked  # without a key nothing can be said of the rest
    if chain is None:
        checked.problems.append((number or 1, "empty: no line names the key"))
    elif not chain.ended:
        checked.problems.append((number, "no end line: receipts may be missing"))
    return checked


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ReceiptError("a key stands twice in one object")
    return made


def _head(row: Mapping[str, Any], expected: PublicKey | None) -> PublicKey:
    if row.get("agent_polygraph_receipts") != VERSION or "public_key" not in row:
        raise ReceiptError(
            f'the first line has to be {{"agent_polygraph_receipts": {VERSION}, "public_key": ...}}'
        )
    key = PublicKey.parse(str(row["public_key"]))
    if expected is not None and key != expected:
        raise ReceiptError(f"signed by {key}, not by the expected {expected}")
    return key


class _Chain:
    """The lines behind the first, in order."""

    def __init__(self, key: PublicKey) -> None:
        self.key = key
        self.head = head("pgs1", key.key_id)
        self.last = b""
        self.count = 0
        self.ended = False

    def add(self, row: Mapping[str, Any]) -> str:
        """The outcome of the receipt in a line; "" for the end line."""
        if self.ended:
            raise ReceiptError("a line behind the end line")
        if "end" in row:
            self._end(row)
            return ""
        return self._receipt(row)

    def _end(self, row: Mapping[str, Any]) -> None:
        self.ended = True
        seal = decoded(row.get("seal"))
        if row.get("end") != self.count or not self.key.verifies(
            seal, end_message(self.key.key_id.encode(), self.count, self.last)
        ):
            raise ReceiptError(
                f"the end line does not fit the {self.count} receipts above it: "
                "some were left out, added or changed"
            )

    def _receipt(self, row: Mapping[str, Any]) -> str:
        outcome, sequence, time_ms = row.get("outcome"), row.get("sequence"), row.get("time_ms")
        if outcome not in OUTCOMES:
            raise ReceiptError(f"outcome is {outcome!r}; it has to be one of {', '.join(OUTCOMES)}")
        if type(sequence) is not int or type(time_ms) is not int:
            raise ReceiptError("`sequence` and `time_ms` have to be whole numbers")
        start, _, digits = str(row.get("token")).partition(f"-{sequence}-")
        proof = decoded(digits)
        if not (0 < sequence < 1 << 63 and 0 <= time_ms < 1 << 63):
            raise ReceiptError("`sequence` and `time_ms` are out of range")
        covered = message(
            self.head,
            sequence,
            time_ms,
            str(row.get("call_id")),
            str(row.get("tool")),
            arguments_bytes(row.get("arguments")),
            _result(row),
            str(outcome),
            self.last,
        )
        wanted, self.count = self.count + 1, self.count + 1
        good = self.key.verifies(proof, covered)
        self.last = proof  # the next line is judged against what stands here
        if sequence != wanted:
            raise ReceiptError(f"receipt {sequence} where {wanted} has to be: order or deletion")
        if start != f"pgs1-{self.key.key_id}" or not good:
            raise ReceiptError(
                f"receipt {sequence} does not hold: the call, its result, or the receipt before it "
                "is not what was signed"
            )
        return str(outcome)


def _result(row: Mapping[str, Any]) -> bytes:
    if "result_base64" in row:
        if "result" in row:
            raise ReceiptError("a line has one result: `result` or `result_base64`")
        return result_bytes(b64decode(str(row["result_base64"]), validate=True))
    return result_bytes(row.get("result"))
