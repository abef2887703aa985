"""Pages that were told of and not fetched: `117 orders (three pages)` over pages 1 and 2 of 3."""

from __future__ import annotations

from collections.abc import Iterator

from .._lazy import regex
from ..binding import Turn
from ..evidence.listing import may_have_pages
from ..evidence.step import Step
from .mismatch import Short

_MOST = 500  # pages of a listing
_SUM = regex(r"\d ?\+ ?\d")
_PAGE = (
    *("page", "seite", "página", "pagina", "pagine", "strona", "stron", "страниц", "页", "頁"),
    *("ページ", "페이지"),
)


def paged(turn: Turn) -> Iterator[Short]:
    """A claim counts the pages of a listing whose later ones no call brought."""
    fetched: dict[tuple[str, int], dict[int, Step]] = {}
    for step in turn.ledger.acts:
        if not may_have_pages(step):
            continue
        listing = step.listing
        if listing is None or listing.total is not None:
            continue  # a total is known from the first page
        if listing.page and listing.pages and 2 <= listing.pages <= _MOST:
            fetched.setdefault((step.name, listing.pages), {})[listing.page] = step
    near = {d.sentence for d in turn.disclosures}
    for claim in turn.claims if fetched else ():
        if not (claim.plain or claim.kind == "set") or claim.clause.sentence in near:
            continue
        start, end = turn.closing.document.sentences[claim.clause.sentence]
        if "all" not in claim.scope and not _SUM.search(turn.closing.document.text, start, end):
            continue  # that there are three tells of none that was read
        told = {
            int(count.number)
            for count in claim.counts
            if count.of is None and count.word.casefold().startswith(_PAGE)
        }
        for (_, pages), steps in fetched.items():
            last = steps[max(steps)]
            # the last page is like the others, and says of no more
            seen = len({s.argument_text for s in turn.ledger.acts if _alike(s, last)})
            if pages in told and seen < pages:
                yield Short(claim, last, f"{seen} of {pages} pages were fetched")
                return


def _alike(step: Step, other: Step) -> bool:
    return step.name == other.name and not step.outcome.bad and step.result is not None
