"""A project's settings: `.agent-polygraph.toml`, or `[tool.agent-polygraph]` in pyproject.toml.

The nearest file above a folder counts, `.agent-polygraph.toml` before pyproject.toml.  A key that is
not known is an error that names it and the nearest one that is: a setting that does nothing would be
worse.  What suppresses a finding has a reason and a day on which it ends.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from .config import CHECK_KINDS, DEFAULT_CONFIG, CheckCommand, Config
from .verdict import Dismissed, Finding, Verdict

OWN, SHARED = ".agent-polygraph.toml", "pyproject.toml"
_TABLE = "agent-polygraph"
_BYTES = 1 << 20


class SettingsError(ValueError):
    """A settings file that can't be used; the message names the file and the key."""


class Suppression(NamedTuple):
    """Findings that are not reported until a day is over.

    check: id of the check.  reason: why.  expires: the last day, as YYYY-MM-DD.  claim: words that the
    claim has to contain, ignoring case; empty: every claim.
    """

    check: str
    reason: str
    expires: str
    claim: str = ""

    def covers(self, finding: Finding) -> bool:
        """True when it is about the finding."""
        words = finding.claim.text if finding.claim else ""
        return finding.check == self.check and self.claim.casefold() in words.casefold()


@dataclass(frozen=True, slots=True)
class Settings:
    """What a project set.

    config: for `verify`.  unavailable: kinds of claims whose evidence can't exist where the agent
    works, such as "ci" or "deploy".  suppressions: see there.  source: the file, "" for the defaults.
    table: what the file says, as JSON values.
    """

    config: Config = DEFAULT_CONFIG
    unavailable: tuple[str, ...] = ()
    suppressions: tuple[Suppression, ...] = ()
    source: str = ""
    table: dict[str, Any] = field(default_factory=dict)

    def expired(self, today: str) -> list[Suppression]:
        """Suppressions whose last day is over on `today`, a day as YYYY-MM-DD."""
        return [each for each in self.suppressions if each.expires < today]

    def applied(self, verdict: Verdict, today: str) -> Verdict:
        """The verdict without the findings that the settings take out; they are listed as dismissed.

        A lie of which nothing is left is `unverifiable`: nobody has shown the claim either.
        """
        kept: list[Finding] = []
        gone: list[Dismissed] = []
        kinds = {(c.quote.start, c.quote.end): c.kind for c in verdict.claims}
        for finding in verdict.evidence:
            at = (finding.claim.start, finding.claim.end) if finding.claim else (-1, -1)
            kind = kinds.get(at, "").rpartition(":")[2]
            held = [s for s in self.suppressions if s.expires >= today and s.covers(finding)]
            if held:
                gone.append(Dismissed(finding, "suppressed", held[0].reason))
            elif finding.family == "L3" and kind in self.unavailable:
                gone.append(Dismissed(finding, "unavailable", f"no evidence of {kind} here"))
            else:
                kept.append(finding)
        if not gone:
            return verdict
        verdict = replace(verdict, dismissed=(*verdict.dismissed, *gone))
        return verdict.narrowed(tuple(kept), "unverifiable")


def today() -> str:
    """The day, as YYYY-MM-DD."""
    import time

    return time.strftime("%Y-%m-%d")


def find(folder: str) -> str:
    """The settings file that counts for a folder, "" where there is none."""
    at = os.path.abspath(folder or os.curdir)
    while True:
        own, shared = os.path.join(at, OWN), os.path.join(at, SHARED)
        if os.path.isfile(own):
            return own
        if os.path.isfile(shared) and _has_table(shared):
            return shared
        above = os.path.dirname(at)
        if above == at:
            return ""
        at = above


def load(path: str) -> Settings:
    """The settings in a file.  SettingsError where it can't be used."""
    import tomllib

    name = os.path.basename(path)
    try:
        with open(path, "rb") as file:
            text = file.read(_BYTES).decode("utf-8")
        table = tomllib.loads(text)
    except OSError as error:
        raise SettingsError(f"{name}: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"{name}: {error}") from None
    if name == SHARED:
        tools = table.get("tool")
        table = tools.get(_TABLE, {}) if isinstance(tools, dict) else {}
    return read(_plain(table), source=path)


def read(table: Any, *, source: str = "") -> Settings:
    """The settings in a table.  SettingsError names the key that is wrong."""
    name = os.path.basename(source) or "settings"
    try:
        known = _Reader(table, "").table(
            "select", "ignore", "block_on", "block_loose", "unavailable", "checks", "suppress"
        )
        config = Config(
            select=known.checks_named("select"),
            ignore=known.checks_named("ignore"),
            block_on=known.checks_named("block_on", DEFAULT_CONFIG.block_on),
            block_loose=known.flag("block_loose"),
            checks=tuple(_check(each) for each in known.tables("checks")),
        )
        return Settings(
            config,
            known.texts("unavailable"),
            tuple(_suppression(each) for each in known.tables("suppress")),
            source,
            dict(table),
        )
    except SettingsError as error:
        raise SettingsError(f"{name}: {error}") from None


def _check(row: _Reader) -> CheckCommand:
    row.table("command", "kind", "suffixes")
    kind = row.text("kind")
    if kind not in CHECK_KINDS:
        raise SettingsError(f"{row.where}kind is {kind!r}; it has to be {_either(CHECK_KINDS)}")
    return CheckCommand(row.text("command"), kind, row.texts("suffixes"))


def _suppression(row: _Reader) -> Suppression:
    row.table("check", "reason", "expires", "claim")
    (check,) = row.known_checks("check", [row.text("check")])
    expires = row.text("expires")
    if not _is_day(expires):
        raise SettingsError(f"{row.where}expires is {expires!r}; it has to be a day, YYYY-MM-DD")
    return Suppression(check, row.text("reason"), expires, row.text("claim", ""))


class _Reader:
    """One table, read with errors that say which key is wrong."""

    def __init__(self, value: Any, where: str) -> None:
        if not isinstance(value, Mapping):
            raise SettingsError(f"{where.rstrip('.') or 'it'} has to be a table")
        self.value, self.where = value, where

    def table(self, *keys: str) -> _Reader:
        for key in self.value:
            if key not in keys:
                raise SettingsError(f"unknown key {self.where + str(key)!r}{_nearest(key, keys)}")
        return self

    def text(self, key: str, default: str | None = None) -> str:
        found = self.value.get(key, default)
        if found is None:
            raise SettingsError(f"{self.where}{key} is missing")
        if not isinstance(found, str) or (default is None and not found.strip()):
            raise SettingsError(f"{self.where}{key} has to be a text")
        return found

    def texts(self, key: str, default: tuple[str, ...] = ()) -> tuple[str, ...]:
        found = self.value.get(key, default)
        if not isinstance(found, (list, tuple)) or not all(isinstance(x, str) for x in found):
            raise SettingsError(f"{self.where}{key} has to be a list of texts")
        return tuple(found)

    def flag(self, key: str) -> bool:
        found = self.value.get(key, False)
        if not isinstance(found, bool):
            raise SettingsError(f"{self.where}{key} has to be true or false")
        return found

    def tables(self, key: str) -> list[_Reader]:
        found = self.value.get(key, [])
        if not isinstance(found, list):
            raise SettingsError(f"{self.where}{key} has to be a list of tables ([[{key}]])")
        return [_Reader(row, f"{self.where}{key}[{n}].") for n, row in enumerate(found, 1)]

    def checks_named(self, key: str, default: tuple[str, ...] = ()) -> tuple[str, ...]:
        if key not in self.value:
            return default
        return self.known_checks(key, self.texts(key))

    def known_checks(self, key: str, names: Iterable[str]) -> tuple[str, ...]:
        """Ids of checks given by id or code."""
        names = tuple(names)
        if not names:
            return ()
        from .checks import by_name

        known = by_name()
        for name in names:
            if name.lower() not in known:
                raise SettingsError(
                    f"{self.where}{key}: there is no check {name!r}{_nearest(name.lower(), known)}"
                )
        return tuple(known[name.lower()].id for name in names)


def _nearest(key: Any, keys: Iterable[str]) -> str:
    from difflib import get_close_matches

    keys = list(keys)
    near = get_close_matches(str(key).replace("-", "_"), keys, n=1, cutoff=0.5)
    return f"; did you mean {near[0]!r}?" if near else f"; there is {', '.join(keys)}"


def _either(words: Iterable[str]) -> str:
    return " or ".join(map(repr, words))


def _is_day(text: str) -> bool:
    from datetime import date

    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _has_table(path: str) -> bool:
    """True when a pyproject.toml has the table, or can't be read and speaks of it.

    Most files are told apart without reading them as TOML: the name is in no key of theirs.
    """
    name = _TABLE.encode()
    try:
        with open(path, "rb") as file:
            text = file.read(_BYTES)
    except OSError:
        return False
    if name not in text or not any(name in line.partition(b"=")[0] for line in text.split(b"\n")):
        return False
    import tomllib

    try:
        tools = tomllib.loads(text.decode("utf-8")).get("tool")
    except (ValueError, RecursionError):
        return True  # reading it says what is wrong
    return isinstance(tools, dict) and _TABLE in tools


def _plain(value: Any) -> Any:
    """TOML values as JSON values: days and times as text."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    return value.isoformat()
