"""What several commands need."""

from __future__ import annotations

import argparse
import io
import os
import sys
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from agent_polygraph.checks import Check
    from agent_polygraph.settings import Settings


def known_check(name: str, parser: argparse.ArgumentParser) -> Check:
    """The check of that id or code; ends the program with advice when there is none."""
    from agent_polygraph.checks import by_name

    known = by_name()
    found = known.get(name.lower())
    if found is None:
        near = get_close_matches(name.lower(), known, n=1)
        advice = f"; did you mean {near[0]!r}?" if near else "; see agent-polygraph checks"
        parser.error(f"there is no check {name!r}{advice}")
    return found


def write_as(stream: Any, encoding: str) -> None:
    """Write what the stream cannot encode as its escape, rather than fail on it."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(encoding=encoding, errors="backslashreplace")


def colour(options: argparse.Namespace) -> bool:
    """True when the terminal is one for colours and nobody asked for none."""
    wanted = not options.no_color and not os.environ.get("NO_COLOR")
    return wanted and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def project_settings(isolated: bool, parser: argparse.ArgumentParser) -> Settings:
    """The settings of the project in the working folder; ends the program where they are wrong."""
    from agent_polygraph.settings import Settings, SettingsError, find, load, today

    path = "" if isolated else find(os.getcwd())
    if not path:
        return Settings()
    try:
        settings = load(path)
    except SettingsError as error:
        parser.error(str(error))
    for each in settings.expired(today()):
        print(f"{path}: the suppression of {each.check} ended on {each.expires}", file=sys.stderr)
    return settings


def changed_settings(
    path: str,
    change: Callable[[str], str],
    dry_run: bool,
    parser: argparse.ArgumentParser,
) -> bool:
    """Change a settings file and print the difference; True when there was one to make.

    Ends the program where the file can't be read, is no settings file, or can't be written.
    """
    from difflib import unified_diff

    from agent_polygraph.hooks.registration import write

    try:
        try:
            with open(path, encoding="utf-8", newline="") as file:
                old = file.read()
        except FileNotFoundError:
            old = ""
        new = change(old)
        lines = (old.splitlines(), new.splitlines())
        for line in unified_diff(*lines, path, path, lineterm=""):
            print(line)
        if new != old and not dry_run:
            write(path, new)
    except (OSError, ValueError) as error:
        parser.error(f"{path}: {error}; it was left as it is")
    if new != old and dry_run:
        print("nothing was written (--dry-run)")
    return new != old
