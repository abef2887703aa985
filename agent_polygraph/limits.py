"""The bounds on what is read of a closing, a result and a call.

Every bound is a plain cut: the middle of a long result is dropped, since what decides stands at its
head (status, headings) or its tail (a runner's summary).  Whatever a verdict was reached without
stands in its flags: closing_cut, claims_cut, result_cut, arguments_cut, and value_cut for a JSON
value deeper or wider than is read (`plain`, `evidence.values.leaves`).
"""

from __future__ import annotations

from dataclasses import dataclass

SEAM = "\n[... cut by agent-polygraph ...]\n"


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on one verdict.  Characters, not bytes; claims of one closing.

    turn_chars: of all results together; where they have more, the longest are read up to an equal share.
    commands: of one command line, half of them its first and half its last.  pairs: claims times
    calls, since a check may have to hold every claim against every call (`claims_over`).
    """

    closing_chars: int = 100_000
    result_chars: int = 64_000
    argument_chars: int = 64_000
    claims: int = 400
    turn_chars: int = 5_000_000
    commands: int = 500
    pairs: int = 200_000

    def __post_init__(self) -> None:
        for name in self.__slots__:
            value = getattr(self, name)
            if type(value) is not int or value < 1:
                raise ValueError(f"limits.{name} is no positive whole number")

    def claims_over(self, calls: int) -> int:
        """How many claims are read over that many calls: all of `claims`, and 50 over however many."""
        return min(self.claims, max(50, self.pairs // max(1, calls)))


def cut(text: str, most: int) -> str:
    """`text`, or its head and tail around a seam where it is longer than `most` characters."""
    if len(text) <= most:
        return text
    half = most // 2
    return text[:half] + SEAM + text[len(text) - half :]
