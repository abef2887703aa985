"""What a caller may set.  Frozen, with defaults that are right for an audit."""

from __future__ import annotations

from dataclasses import dataclass, field

from .limits import Limits

# The first four fields are the ones of agent-polygraph 0.1.0, in its order and with its defaults.


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


@dataclass(frozen=True, slots=True)
class Config:
    """Settings of one verdict.

    error_sniff: read failures off the text of a result where the host gives no error bit.
    error_patterns: regular expressions (case-insensitive) that mark a result as failed.
    extra_truncation_markers: strings or compiled patterns that mark a result as cut.
    redact_paths: shorten absolute paths in the details of a finding to their last parts.
    select / ignore: check ids or codes to run (empty: all) and not to run.
    block_on: check ids that a guard in block mode may stop a run for.
    limits: bounds on what is read.
    checks: commands of the project that are checks and do not look like one.
    """

    error_sniff: bool = True
    error_patterns: tuple[str, ...] = (
        r"^\s*error\b[:\s]",
        r"^\s*exception\b[:\s]",
        r"traceback \(most recent call last\)",
        r"^\s*fatal\b[:\s]",
    )
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


DEFAULT_CONFIG = Config()
