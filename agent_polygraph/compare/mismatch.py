"""What the modules of this room yield."""

from __future__ import annotations

from typing import NamedTuple

from ..claims.grammar import Claim
from ..evidence.step import Step


class Mismatch(NamedTuple):
    """A figure or a name that differs: the claim, the step, what is said, what the step has.

    quote: the words of the step that show it; empty where `was` are those words.
    """

    claim: Claim
    step: Step
    said: str
    was: str
    quote: str = ""


class Short(NamedTuple):
    """A whole that fell short: the claim, the step that shows it, why, and the step's own words."""

    claim: Claim
    step: Step
    why: str
    quote: str = ""
