"""How much of a set a result shows: pages, totals, filters, cuts, rows.

A listing is any result with several entries of one kind.  What counts is not how many rows came back
but whether the evidence says that there are no others.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from .._lazy import regex

if TYPE_CHECKING:
    from .ledger import Step

_SIZE_KEYS = frozenset(
    "per_page perpage page_size pagesize limit max_results maxresults first top count size max_count rows take num n page_limit maxitems max_items".split()
)
_PAGE_KEYS = frozenset(
    "page offset cursor after before start skip page_token pagetoken next_token starting_after page_number from".split()
)
_FILTER_KEYS = frozenset(
    "status state label labels type category author assignee since until created_after created_before filter filters where tag tags"
    " priority severity region department active archived visibility role milestone kind q query_filter date_from date_to from_date to_date".split()
)
_MORE_KEYS = frozenset("has_more hasmore has_next hasnext has_next_page hasnextpage more truncated is_truncated istruncated".split())
_NEXT_KEYS = frozenset(
    "next next_cursor nextcursor next_page nextpage next_page_token nextpagetoken next_token nexttoken continuation_token next_url nextlink".split()
)
_TOTAL_KEYS = frozenset("total total_count totalcount total_results totalresults count_total total_items totalitems total_rows matched found hits estimated_total".split())
_COUNT_KEYS = frozenset("count result_count returned num_results length size returned_count".split())
_SHOWING = regex(
    r"(?:showing|displaying|page|results?|rows?|items?|entries|first)\s+(?:\d{1,9}\s*[-–to]{1,2}\s*)?(\d{1,9})\s+(?:of|out of|/)\s+(?:about\s+)?(\d{1,9})", re.I
)
_AND_MORE = regex(r"(?:\.\.\.|…|and|\+)\s*\(?(\d{1,9})\s+(?:more|additional|others|remaining|lines omitted|omitted)", re.I)
_TRUNCATED = regex(
    r"\[?\.{3}\s?(?:omitted|truncated|cut)|results? (?:are |were )?(?:truncated|limited)|output (?:was )?truncated|\(truncated\)|<truncated>|next page:|use (?:offset|page|--page|cursor)|rel=\"?next|more results available", re.I
)
_ROWS = regex(r"\((\d{1,9}) rows?\)")


class Listing(NamedTuple):
    """rows: entries shown.  total: how many the result says there are.  more: its own words that there
    are others.  size: the page size that was asked for.  paged: the call named a page or cursor.
    filters: (key, value) that narrow the set."""

    rows: int
    total: int | None
    more: str
    size: int | None
    paged: bool
    filters: tuple[tuple[str, str], ...]


def _entries(value: Any) -> list[Any] | None:
    """The longest list of a JSON result, two levels deep."""
    if isinstance(value, list):
        return value
    if not isinstance(value, dict):
        return None
    best: list[Any] | None = None
    for item in list(value.values())[:60]:
        inner = item if isinstance(item, list) else _entries_flat(item)
        if inner is not None and (best is None or len(inner) > len(best)):
            best = inner
    return best


def _entries_flat(value: Any) -> list[Any] | None:
    if isinstance(value, dict):
        lists = [item for item in list(value.values())[:40] if isinstance(item, list)]
        return max(lists, key=len) if lists else None
    return None


def of(step: Step) -> Listing | None:
    """The listing that a step's result is; None when it is none.  O(characters)."""
    if step.result is None or step.outcome.bad:
        return None
    value = step.json
    rows: int | None = None
    total: int | None = None
    more = ""
    if value is not None:
        entries = _entries(value)
        rows = len(entries) if entries is not None else None
        if isinstance(value, dict):
            flat: list[tuple[str, Any]] = list(value.items())[:80]
            for inner in list(value.values())[:40]:
                if isinstance(inner, dict):
                    flat += list(inner.items())[:40]
            for key, item in flat:
                low = str(key).lower().replace("-", "_")
                if low in _MORE_KEYS and item is True:
                    more = f"{key}: true"
                elif low in _NEXT_KEYS and item and isinstance(item, (str, int, dict)):
                    more = more or f"{key}: {str(item)[:80]}"
                elif low in _TOTAL_KEYS and isinstance(item, int) and not isinstance(item, bool):
                    total = item
                elif low in _COUNT_KEYS and isinstance(item, int) and not isinstance(item, bool):
                    total = item if total is None and (rows is None or item >= rows) else total
                    rows = item if rows is None else rows
            if total is not None and rows is not None and total > rows and not more:
                more = f"{rows} of {total}"
    else:
        text = step.text
        lines = [line.strip() for line in text.split("\n") if line.strip()]
        lines = [line for line in lines if line not in ("[", "]", "{", "}")]
        said = _ROWS.search(text)
        rows = int(said.group(1)) if said else _alike(lines)
        shown = _SHOWING.search(text)
        if shown and int(shown.group(2)) > int(shown.group(1)):
            total = int(shown.group(2))
            more = shown.group()
        rest = _AND_MORE.search(text)
        if rest and not more:
            more = rest.group()
        cut = _TRUNCATED.search(text)
        if cut and not more and "search" in step.effects:
            more = cut.group()
        for line in lines[:3] + lines[-3:]:
            found = re.match(r"(?:total(?:_count)?|count)\s*[:=]\s*(\d{1,9})\b", line, re.I)
            if found:
                total = int(found.group(1))
    if rows is None and not more and total is None:
        return None
    size, paged, filters = _asked(step)
    return Listing(rows or 0, total, more, size, paged, filters)


def _alike(lines: list[str]) -> int | None:
    """Rows of a plain-text listing: lines that begin alike (same stem before the first digit)."""
    if len(lines) < 2:
        return None
    stems: dict[str, int] = {}
    for line in lines:
        stem = re.split(r"\d", line, maxsplit=1)[0].strip(" -*•\"'").casefold()[:20]
        stems[stem] = stems.get(stem, 0) + 1
    stem, most = max(stems.items(), key=lambda kv: kv[1])
    return most if stem and most >= 3 and most >= 0.6 * len(lines) else None


def _asked(step: Step) -> tuple[int | None, bool, tuple[tuple[str, str], ...]]:
    """Page size, whether a page was named, and filters, from arguments and URL queries."""
    pairs: list[tuple[str, str]] = []
    for key, text in step.argument_leaves[:60]:
        if "://" in text or text.startswith("/") and "?" in text:
            pairs += _query(text)
        elif len(text) < 120 and "\n" not in text:
            pairs.append((key, text))
    if step.command is not None:
        for part in step.command.parts:
            for word in part.words[1:]:
                if "://" in word:
                    pairs += _query(word)
            for flag, following in zip(part.words[1:], part.words[2:], strict=False):
                if flag in ("--limit", "-L", "--per-page", "--max-items", "--max-count"):
                    pairs.append(("limit", following))
                elif flag in ("--state", "--label", "--author", "--assignee", "--status", "-l", "--selector"):
                    pairs.append((flag.lstrip("-"), following))
        pairs = [(k, v) for k, v in pairs if k not in ("command", "cmd")]
    size: int | None = None
    paged = False
    filters: list[tuple[str, str]] = []
    for key, text in pairs:
        if key in _SIZE_KEYS and text.isdigit():
            size = int(text)
        elif key in _PAGE_KEYS:
            paged = paged or text not in ("", "0", "1")
        elif key in _FILTER_KEYS and text and text.lower() not in ("all", "any", "*"):
            filters.append((key, text))
    return size, paged, tuple(filters)


def _query(url: str) -> list[tuple[str, str]]:
    """(key, value) of an address's query, keys in lower case."""
    from urllib.parse import parse_qsl, urlsplit  # late: few turns have one

    return [(key.lower(), value) for key, value in parse_qsl(urlsplit(url).query)[:40]]
