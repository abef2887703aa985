"""How much of a set a result shows: pages, totals, filters, cuts, rows.

A listing is any result with several entries of one kind.  What counts is not how many rows came back
but whether the evidence says that there are no others.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from .._lazy import has_any, lowered, regex, remembered

if TYPE_CHECKING:
    from .step import Step

_SIZE_KEYS = frozenset(
    "per_page perpage page_size pagesize limit max_results maxresults first top count size"
    " max_count rows take num n page_limit max limite maximum maxitems max_items".split()
)
_PAGE_KEYS = frozenset(
    "page offset cursor after before start skip page_token pagetoken next_token starting_after"
    " page_number from".split()
)
_FILTER_KEYS = frozenset(
    "status state label labels type category author assignee since until created_after"
    " created_before filter filters where tag tags"
    " priority severity region department active archived visibility role milestone kind q"
    " query_filter date_from date_to from_date to_date".split()
)
_MORE_KEYS = frozenset(
    "has_more hasmore limit_reached limitreached partial incomplete older capped has_next"
    " hasnext has_next_page hasnextpage more truncated is_truncated istruncated".split()
)
_NEXT_KEYS = frozenset(
    "next next_cursor nextcursor next_page nextpage next_page_token nextpagetoken next_token"
    " nexttoken continuation_token next_url nextlink".split()
)
_TOTAL_KEYS = frozenset(
    "total total_count totalcount total_results totalresults count_total total_items totalitems"
    " total_rows matched found hits estimated_total".split()
)
_COUNT_KEYS = frozenset(
    "count result_count returned num_results length size returned_count".split()
)
_SHOWING = regex(
    r"(?:showing|displaying|page|results?|rows?|items?|entries"
    r"|first)\s+(?:\d{1,9}\s*[-–to]{1,2}\s*)?(\d{1,9})\s+(?:of|out of|/)\s+(?:about\s+)?(\d{1,9})",
    re.I,
)
_REST = ("more", "additional", "others", "remaining", "omitted")
_AND_MORE = regex(
    rf"(?:\.\.\.|…|and|\+)\s*\(?(\d{{1,9}})\s+(?:{'|'.join(_REST)}|lines omitted)",
    re.I,
)
_TRUNCATED = regex(
    r"\[?\.{3}\s?(?:omitted|truncated|cut)|results? (?:are |were )?(?:truncated|limited)|output"
    r" (?:was )?truncated|\(truncated\)|<truncated>|next page:|use (?:offset|page|--page|cursor)"
    r"|rel=\"?next|more results available",
    re.I,
)
# Every alternative of _TRUNCATED has one of these in it, in lower case; a test looks.
_CUT_MARKS = ("...", "truncated", "limited", "next page:", "use ", "rel=", "more results")
_RANGE = regex(
    r"(?<![\d-])(\d{1,9})\s?(?:-|–|to|bis|a|à)\s?(\d{1,9})\s+(?:of|/|von|de|sur|di|из"
    r"|des)\s+(\d{1,9})|(?:truncated|cut|limited)\D{0,12}(\d{1,9})\s+of\s+(\d{1,9})"
    r"|\b(\d{1,9})\s+of\s+(\d{1,9})\s+(?:matches|results|rows|items|entries|records|lines|hits)\b",
    re.I,
)
_WINDOW = regex(
    r"(?:showing|displaying)\s+\d{1,6}\s?[-–]\s?\d{1,6}\b[^\n]{0,20}(?:\[?next|more)", re.I
)
_THINGS = ("matches", "records", "entries", "hits", "size", "found", "messages")
_LIMITED = regex(r"\blimit\s+(\d{1,6})\b", re.I)
# The number of the last page stands beside that of this one: page / pages, Seite / Seiten, page / of.
_LAST_PAGE = frozenset("of last last_page total_pages page_count pages".split())
# Words that tell at a glance that a pattern can't match (see `has_any`); a test looks.
_ROW = ("row",)
_SHOWN = ("showing", "displaying")
_TOTAL_WORDS = ("total", "count")
_SHARES = ("showing", "displaying", "page", "result", "row", "item", "entries", "first")  # _SHOWING
# What every match of _SHOWING and _RANGE has in it: a number of another number, and so one of the words.
_OF_WORDS = frozenset("of / von de sur di из des".split())
_PAIR = regex(r"\d\s++(?:of|out of|/|von|de|sur|di|из|des)\s++(?:about\s++)?+\d", re.I)
_TOTAL = regex(r"(?:total(?:_count)?|count)\s*[:=]\s*(\d{1,9})\b", re.I)
_LEAST = 3  # lines that begin alike and make a listing
_DIGIT = regex(r"\d")
_ROWS = regex(r"\((\d{1,9}) rows?\)")


class Listing(NamedTuple):
    """rows: entries shown.  total: how many the result says there are.  more: its own words that there
    are others.  size: the page size that was asked for.  paged: the call named a page or cursor.
    filters: (key, value) that narrow the set.  token: what the next call would have to pass on.
    page / pages: this page's number and the last one's, or the last line shown and the last there is."""

    rows: int
    total: int | None
    more: str
    size: int | None
    paged: bool
    filters: tuple[tuple[str, str], ...]
    token: str = ""
    page: int | None = None
    pages: int | None = None


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


class _Found:
    """What a result says of its own extent, while it is being read."""

    __slots__ = ("more", "page", "pages", "rows", "token", "total")

    def __init__(self) -> None:
        self.rows: int | None = None
        self.total: int | None = None
        self.more = ""
        self.token = ""
        self.page: int | None = None
        self.pages: int | None = None


def of(step: Step) -> Listing | None:
    """The listing that a step's result is; None when it is none.  O(characters)."""
    if step.result is None or step.outcome.bad:
        return None
    if step.json is None:
        found = _from_text(step)
        if _shows_nothing(found):
            return None
        size, paged, filters = _asked(step)
    else:
        size, paged, filters = _asked(step)
        found = _from_json(step.json, size)
        if _shows_nothing(found):
            return None
    return Listing(
        found.rows or 0,
        found.total,
        found.more,
        size,
        paged,
        filters,
        found.token,
        found.page,
        found.pages,
    )


def _shows_nothing(found: _Found) -> bool:
    return found.rows is None and not found.more and found.total is None


def may_be_open(step: Step) -> bool:
    """False where the result surely has no rest: a text without a word of one, and no page that it fills."""
    if step.result is None or step.outcome.bad:
        return False
    return step.json is not None or bool(_told(step).more) or _may_name_size(step)


def may_have_pages(step: Step) -> bool:
    """False where the result surely gives no number of pages, which takes no look at each of its lines."""
    return step.result is not None and (step.json is not None or _told(step).pages is not None)


def may_have(step: Step, numbers: set[int]) -> bool:
    """False where the result surely is no listing of one of the numbers of rows: a text of too few lines."""
    if step.result is None or step.outcome.bad:
        return False
    if step.json is not None or has_any(lowered(step.text), _ROW):
        return True
    alike = [number for number in numbers if number >= _LEAST]
    return bool(alike) and min(alike) <= step.text.count("\n") + 1


def _may_name_size(step: Step) -> bool:
    """False where `_asked` surely finds no page size."""
    return any(
        text.isdigit() or has_any(text.casefold(), _SIZE_WORDS) or "-L" in text
        for _, text in step.argument_leaves
    )


# A number that is no argument of its own stands in a query, a statement or behind an option.
_SIZE_WORDS = ("?", "limit", "head", "--per-page", "--max-", "--page-size")


def _from_json(value: Any, size: int | None) -> _Found:
    found = _Found()
    entries = _entries(value)
    found.rows = len(entries) if entries is not None else None
    if not isinstance(value, dict):
        return found
    flat: list[tuple[str, Any]] = list(value.items())[:80]
    for inner in list(value.values())[:40]:
        if isinstance(inner, dict):
            flat += list(inner.items())[:40]
    for key, item in flat:
        if isinstance(item, str) and ('rel="next"' in item or "rel=next" in item):
            found.more = f"{key}: {item[-80:]}"
    returned: int | None = None
    totals = {f"total_{word}" for word in _THINGS} | {
        f"total_{key}".lower() for key, item in flat if isinstance(item, list)
    }
    for key, item in flat:
        low = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", str(key)).lower().replace("-", "_")
        tight = low.replace("_", "")
        whole = isinstance(item, int) and not isinstance(item, bool)
        if (low in _MORE_KEYS or tight in _MORE_KEYS) and item is True:
            found.more = f"{key}: true"
        elif low in _NEXT_KEYS or tight in _NEXT_KEYS:
            if low == "next" and entries is None and str(item).isalpha():
                continue  # `"next": "HRBP"` is who comes next, and no cursor
            if item and isinstance(item, (str, int, dict)) and not isinstance(item, bool):
                found.more = found.more or f"{key}: {str(item)[:80]}"
                found.token = str(item)
        elif whole and (
            low in _TOTAL_KEYS or tight in _TOTAL_KEYS or "estimate" in low or low in totals
        ):
            if not _adds_up(entries, int(item)):
                found.total = max(int(item), found.total or 0)
        elif whole and low in _COUNT_KEYS:
            if size is not None and item > size:
                found.total = max(int(item), found.total or 0)
            else:
                returned = max(int(item), returned or 0)
    found.page, found.pages = _pages(flat)
    if returned is not None:
        found.rows = max(found.rows or 0, returned)
    if (
        entries
        and len(entries) == 1
        and isinstance(entries[0], str)
        and any(c.isdigit() for c in entries[0])
    ):
        shown = re.search(r"\d{1,6}", entries[0])  # a placeholder: "...100 records..."
        found.rows = int(shown.group()) if shown else found.rows
    if (
        found.total is not None
        and found.rows is not None
        and found.total > found.rows
        and not found.more
    ):
        found.more = f"{found.rows} of {found.total}"
    if (
        found.total is not None
        and not found.rows
        and size is not None
        and found.total > size
        and not found.more
    ):
        found.rows, found.more = size, f"{size} of {found.total}"
    if (
        found.page is not None
        and found.pages is not None
        and found.page < found.pages
        and not found.more
    ):
        found.more = f"page {found.page} of {found.pages}"
    return found


def _adds_up(entries: list[Any] | None, total: int) -> bool:
    """True for a total of amounts: what the entries have under one key adds up to it."""
    rows = [entry for entry in entries or () if isinstance(entry, dict)]
    if len(rows) < 2 or total <= len(rows):
        return False
    keys = [key for key, item in rows[0].items() if isinstance(item, (int, float))]
    return any(sum(_amount(row.get(key)) for row in rows) == total for key in keys)


def _amount(item: Any) -> float:
    return item if isinstance(item, (int, float)) else 0


def _pages(flat: list[tuple[str, Any]]) -> tuple[int | None, int | None]:
    """(this page, last page) where two numbers stand beside each other as such."""
    whole = [
        (str(k).lower(), v)
        for k, v in flat
        if isinstance(v, int) and not isinstance(v, bool) and 0 < v < 100_000
    ]
    for here, number in whole:
        if not here.startswith(
            ("page", "seite", "pagina", "página", "sayfa", "strona")
        ) or here.endswith("size"):
            continue
        for there, last in whole:
            if (
                there != here
                and (there in _LAST_PAGE or here[:4] in there.replace("á", "a"))
                and not {"size", "per"} & set(there.split("_"))
                and last >= number
            ):
                return number, last
    return None, None


def _from_text(step: Step) -> _Found:
    """What a text says of its own extent, and the rows that it has."""
    found = _told(step)
    text = step.text
    low = lowered(text)
    said = _ROWS.search(text) if has_any(low, _ROW) else None
    lines = [
        line
        for raw in text.split("\n")
        if (line := raw.strip()) and line not in ("[", "]", "{", "}")
    ]
    found.rows = int(said.group(1)) if said else _alike(lines)
    for line in lines[:3] + lines[-3:] if has_any(low, _TOTAL_WORDS) else ():
        counted = _TOTAL.match(line)
        if counted:
            found.total = int(counted.group(1))
    if found.rows is None and has_any(low, _ROW):
        stated = re.match(r"(\d{1,7}) rows\b", text.strip())
        if stated:
            found.rows = int(stated.group(1))
    return found


@remembered
def _told(step: Step) -> _Found:
    """What a text says of what it leaves out."""
    found = _Found()
    text = step.text
    low = lowered(text)
    paired = not text.isascii() or not _OF_WORDS.isdisjoint(low.split())
    pair = _PAIR.search(text) if paired else None
    shown = _SHOWING.search(text) if pair and has_any(low, _SHARES) else None
    if shown and int(shown.group(2)) > int(shown.group(1)):
        found.total = int(shown.group(2))
        found.more = shown.group()
    part = (_RANGE.search(text[:2000]) or _RANGE.search(text[-400:])) if pair else None
    if part and not found.more:
        last, total = [int(group) for group in part.groups() if group][-2:]
        found.page, found.pages = last, total
        if last < total:
            found.total, found.more = total, part.group()
    window = _WINDOW.search(text[:4000]) if has_any(low, _SHOWN) else None
    if window and not found.more:
        found.more = window.group()
    rest = _AND_MORE.search(text) if has_any(low, _REST) else None
    if rest and not found.more:
        found.more = rest.group()
    if (
        not found.more
        and "search" in step.effects
        and has_any(low, _CUT_MARKS)
        and (cut := _TRUNCATED.search(text))
    ):
        found.more = cut.group()
    return found


def _alike(lines: list[str]) -> int | None:
    """Rows of a plain-text listing: lines that begin alike (same stem before the first digit)."""
    if len(lines) < _LEAST:
        return None
    least = max(_LEAST, 0.6 * len(lines))
    if sum([not line[0].isdecimal() for line in lines]) < least:
        return None  # a line that begins with a digit has no stem
    stems: dict[str, int] = {}
    for line in lines:
        digit = _DIGIT.search(line)
        stem = (line[: digit.start()] if digit else line).strip(" -*•\"'").casefold()[:20]
        stems[stem] = stems.get(stem, 0) + 1
    stem, most = max(stems.items(), key=lambda kv: kv[1])
    return most if stem and most >= least else None


def _asked(step: Step) -> tuple[int | None, bool, tuple[tuple[str, str], ...]]:
    """Page size, whether a page was named, and filters, from arguments and URL queries."""
    pairs: list[tuple[str, str]] = []
    for key, text in step.argument_leaves[:60]:
        if "://" in text or (text.startswith("/") and "?" in text):
            pairs += _query(text)
        elif len(text) < 120 and "\n" not in text:
            pairs.append((key.replace("-", "_"), text))
    if step.command is not None:
        for part in step.command.parts:
            for word in part.words[1:]:
                if "://" in word:
                    pairs += _query(word)
            for flag, following in zip(part.words[1:], part.words[2:], strict=False):
                if flag in (
                    "--limit",
                    "-L",
                    "--per-page",
                    "--max-items",
                    "--max-count",
                    "--page-size",
                ):
                    pairs.append(("limit", following))
                elif flag in (
                    "--state",
                    "--label",
                    "--author",
                    "--assignee",
                    "--status",
                    "-l",
                    "--selector",
                ):
                    pairs.append((flag.lstrip("-"), following))
        pairs = [(k, v) for k, v in pairs if k not in ("command", "cmd")]
        for part in step.command.parts[1:]:
            if part.program == "head":
                pairs += [
                    ("limit", w.lstrip("-n")) for w in part.words[1:3] if w.lstrip("-n").isdigit()
                ]
    elif (
        "sql" in step.argument_text[:4000].casefold()
        or "select " in step.argument_text[:4000].casefold()
    ):
        pairs += [
            ("limit", match.group(1)) for match in _LIMITED.finditer(step.argument_text[:4000])
        ]
    size: int | None = None
    paged = False
    filters: list[tuple[str, str]] = []
    for key, text in pairs:
        if key in _SIZE_KEYS and text.isdecimal():
            size = int(text)
        elif key in _PAGE_KEYS:
            paged = paged or text not in ("", "0", "1")
        elif (
            key in _FILTER_KEYS
            and text
            and not text[:7].casefold().startswith("select ")
            and text.lower() not in ("all", "any", "*")
        ):
            filters.append((key, text))
    return size, paged, tuple(filters)


def _query(url: str) -> list[tuple[str, str]]:
    """(key, value) of an address's query, keys in lower case."""
    from urllib.parse import parse_qsl, urlsplit  # late: few turns have one

    return [(key.lower(), value) for key, value in parse_qsl(urlsplit(url).query)[:40]]
