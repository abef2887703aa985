"""Receipt tokens as text: how one looks, where one stands, and what a detector may ask about it.

The forms: `pgr1-<key id>-<sequence>-<MAC>`, `pgs1-<key id>-<sequence>-<signature>`, and
`zc-receipt-<epoch>-<MAC>` as ZeroClaw spells it.  Nothing here knows a key: whether a token is real
is the business of its issuer (`agent_polygraph.receipts`).  O(characters).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from ._lazy import regex
from .events import ToolCall

# A model that writes Markdown escapes the underscores of base64url.
_LOOSE = regex(r"(?<![A-Za-z0-9])(?:pg[rs]1|zc-receipt)-(?:[A-Za-z0-9-]|\\?_){6,240}")
_WHOLE = regex(
    r"pgr1-[0-9a-f]{16}-[1-9][0-9]{0,9}-[A-Za-z0-9_-]{43}"
    r"|pgs1-[0-9a-f]{16}-[1-9][0-9]{0,9}-[A-Za-z0-9_-]{86}"
    r"|zc-receipt-[0-9]{1,12}-[A-Za-z0-9_-]{43}"
)
_LABEL = regex(r"[\s>*+-]{0,8}`?([\w.:/-]{1,120})`?(?: \([a-z]{2,9}\))?: *`?$")
_OPENING = "[receipt: "
_OPENINGS = (_OPENING, "[receipt of a call that ")
_TITLES = frozenset({"tool receipts:", "---"})


class Token(NamedTuple):
    """A token in a text: `start` and `end` are its span, `label` is the name it stands behind.

    `whole` is False for what is cut short or mangled.  `label` is "" unless the line holds nothing
    but a name and the token, as the lines of a receipts block do.
    """

    text: str
    start: int
    end: int
    whole: bool
    label: str = ""


class Issued(NamedTuple):
    """What an issuer says of a token of its own."""

    sequence: int
    call_id: str
    tool: str
    outcome: str


class Issuer(Protocol):
    """Whoever can say whether a token is real; `receipts.ReceiptScope` is one."""

    def issued(self, token: str) -> Issued | None:
        """The receipt behind a token; None for a token that was never issued."""

    def tokens_of(self, call_id: str) -> Sequence[str]:
        """The tokens issued for calls of this id."""

    def verify(self, token: str, call: ToolCall, result: Any) -> bool:
        """Whether the token was issued for exactly this call and this result."""


def find(text: str) -> list[Token]:
    """Every token in `text`, in order."""
    if "pgr1-" not in text and "pgs1-" not in text and "zc-receipt-" not in text:
        return []
    found: list[Token] = []
    for match in _LOOSE.finditer(text):
        # No digest ends in these: they belong to the sentence.
        spelled = match.group().rstrip("_-\\")
        token = spelled.replace("\\", "")
        start, end = match.start(), match.start() + len(spelled)
        line = text.rfind("\n", 0, start) + 1
        label = _LABEL.match(text[line:start]) if start - line <= 160 else None
        found.append(
            Token(
                token,
                start,
                end,
                _WHOLE.fullmatch(token) is not None,
                label.group(1) if label and _ends_line(text, end) else "",
            )
        )
    return found


def _ends_line(text: str, at: int) -> bool:
    stop = text.find("\n", at)
    return not text[at : stop if stop >= 0 else len(text)].strip(" `\t\r")


def masked(text: str, tokens: list[Token]) -> str:
    """`text` with its tokens blanked, and with them the lines that are nothing but a receipt.

    As long as `text`: a token is no statement, and no span moves.
    """
    parts: list[str] = []
    done = 0
    for token in tokens:
        start, end = token.start, token.end
        if token.label:
            start = text.rfind("\n", 0, start) + 1
        if start >= done:
            parts += [text[done:start], " " * (end - start)]
            done = end
    parts.append(text[done:])
    kept = "".join(parts).splitlines(keepends=True)
    if tokens and tokens[-1].label:  # the head of the block
        kept = [
            " " * len(line.rstrip("\r\n")) + line[len(line.rstrip("\r\n")) :]
            if line.strip().casefold() in _TITLES
            else line
            for line in kept
        ]
    return "".join(kept)


def append(result: Any, token: str, outcome: str = "ok") -> Any:
    """A tool result with its receipt behind it: text gets a line, a list of content parts a part.

    Any other value is returned as it is: it has no place for a line.
    """
    opening = _OPENING if outcome == "ok" else f"[receipt of a call that {_VERBS[outcome]}: "
    line = f"{opening}{token}]"
    if isinstance(result, str):
        return f"{result}\n{line}"
    if isinstance(result, list) and all(isinstance(part, (dict, str)) for part in result):
        return [*result, {"type": "text", "text": line}]
    return result


_VERBS = {
    "failed": "failed",
    "denied": "was denied",
    "timeout": "timed out",
    "cancelled": "was cancelled",
}
OUTCOMES = ("ok", *_VERBS)


def split(result: Any) -> tuple[Any, str]:
    """A result without the receipt that `append` put behind it, and that token; "" for none."""
    if isinstance(result, str):
        if not result.endswith("]"):
            return result, ""
        cut = result.rfind("\n")
        token = _in_line(result[cut + 1 :])
        return (result[:cut], token) if token and cut >= 0 else (result, "")
    if isinstance(result, list) and result and isinstance(result[-1], dict):
        last = result[-1]
        token = _in_line(last["text"]) if isinstance(last.get("text"), str) else ""
        return (result[:-1], token) if token else (result, "")
    return result, ""


def _in_line(line: str) -> str:
    """The token of a line that is a receipt and nothing else."""
    if not line.startswith(_OPENINGS) or not line.endswith("]"):
        return ""
    token = line[line.rfind(" ") + 1 : -1]
    return token if _WHOLE.fullmatch(token) else ""
