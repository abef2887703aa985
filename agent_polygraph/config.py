"""What a caller may set.  Frozen, with defaults that are right for an audit."""

from __future__ import annotations

from dataclasses import dataclass, field
from re import Pattern, error
from re import compile as compile_pattern

from .limits import Limits
from .plain import shown

_ERROR_PATTERNS = (
    r"^\s*error\b[:\s]",
    r"^\s*exception\b[:\s]",
    r"traceback \(most recent call last\)",
    r"^\s*fatal\b[:\s]",
)

CHECK_KINDS = ("test", "lint", "types", "format", "build")


@dataclass(frozen=True, slots=True)
class CheckCommand:
    """A project's own command that is a check: `just verify` runs the tests.

    command: how its command line begins, in words.  kind: one of CHECK_KINDS.  suffixes: endings of
    the files whose edits make its last run old; empty: what the kind says.
    """

    command: str
    kind: str
    suffixes: tuple[str, ...] = ()


# The first four fields are the ones of agent-polygraph 0.1.0, in its order and with its defaults.
@dataclass(frozen=True, slots=True)
class Config:
    """Settings of one verdict.

    error_sniff: read failures off the text of a result where the host gives no error bit.
    error_patterns: regular expressions (case-insensitive) that mark a result as failed.
    extra_truncation_markers: strings or compiled patterns that mark a result as cut.
    redact_paths: shorten absolute paths in the details of a finding to their last parts.
    select / ignore: check ids or codes to run (empty: all) and not to run.
    block_on: check ids or codes that a guard in block mode may stop a run for.
    block_loose: let it stop for findings that are not firm too (see Finding.firm).
    limits: bounds on what is read.
    checks: commands of the project that are checks and do not look like one.

    ValueError where a field is not what it has to be.  A list is taken for a tuple.
    """

    error_sniff: bool = True
    error_patterns: tuple[str, ...] = _ERROR_PATTERNS
    extra_truncation_markers: tuple[object, ...] = ()
    redact_paths: bool = True
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    block_on: tuple[str, ...] = (
        "error_concealment",
        "failed_check_claimed_passing",
        "dangling_call",
    )
    limits: Limits = field(default_factory=Limits)
    checks: tuple[CheckCommand, ...] = ()
    block_loose: bool = False

    def __post_init__(self) -> None:
        for name in ("error_sniff", "redact_paths", "block_loose"):
            if type(getattr(self, name)) is not bool:
                raise _wrong(name, getattr(self, name), "True or False")
        for name in ("error_patterns", "select", "ignore", "block_on"):
            self._tupled(name, str, "a tuple of strings")
        self._tupled("extra_truncation_markers", (str, Pattern), "a tuple of strings and patterns")
        self._tupled("checks", CheckCommand, "a tuple of CheckCommand")
        if not isinstance(self.limits, Limits):
            raise _wrong("limits", self.limits, "a Limits")
        if self.error_patterns != _ERROR_PATTERNS:
            for pattern in self.error_patterns:
                try:
                    compile_pattern(pattern)
                except (error, OverflowError, RecursionError) as reason:
                    raise ValueError(
                        f"error_patterns has {shown(pattern, 80)}, no regular expression: {reason}"
                    ) from None

    def _tupled(self, name: str, kind: type | tuple[type, ...], what: str) -> None:
        value = getattr(self, name)
        if isinstance(value, list):
            value = tuple(value)
            object.__setattr__(self, name, value)
        if not isinstance(value, tuple):
            raise _wrong(name, value, what)
        for number, item in enumerate(value):
            if not isinstance(item, kind):
                raise _wrong(f"{name}[{number}]", item, f"one of {what}")


def _wrong(name: str, value: object, what: str) -> ValueError:
    return ValueError(f"{name} is {shown(value)}; it has to be {what}")


DEFAULT_CONFIG = Config()
