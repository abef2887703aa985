"""Is anything missing?  What a transcript itself shows of entries that are lost or damaged.

Entries are chained: each names the entry before it in `parentUuid`.  A parent that was never seen,
a type that no release writes there, a call without a result: each means that evidence may be out of
sight, and who can't see must not accuse.  Findings are lines for a person; constant time an entry.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .._shape import mapping

# Content blocks that some release of the host writes; results of server tools end in the suffix.
_BLOCKS = frozenset(
    "text image document thinking redacted_thinking tool_use server_tool_use mcp_tool_use "
    "tool_result search_result container_upload fallback tool_reference".split()
)
_RESULT_SUFFIX = "_tool_result"
# Where the deciding argument of a tool of the host is text.
_TEXT_ARGUMENTS = {
    "Bash": ("command",),
    "Edit": ("file_path", "old_string", "new_string"),
    "MultiEdit": ("file_path",),
    "NotebookEdit": ("notebook_path",),
    "Write": ("file_path", "content"),
}
_MARKS = ("isMeta", "isSidechain", "isCompactSummary", "isApiErrorMessage")


class Chain:
    """Follows the links of one transcript, in the order of its lines."""

    def __init__(self) -> None:
        self.seen: set[str] = set()
        self.linked = False  # a link was followed or begun: from here on every entry has one

    def broken(self, entry: Mapping[str, Any]) -> str:
        """Add an entry; what its link says is missing, "" when nothing is."""
        kind, uuid, parent = entry.get("type"), entry.get("uuid"), entry.get("parentUuid")
        spoken = kind in ("user", "assistant")
        if not isinstance(uuid, str) or not uuid:
            wanted = self.linked and (spoken or uuid is not None or parent is not None)
            return "an entry without its uuid" if wanted else ""
        self.seen.add(uuid)
        if not self.linked:
            # The first link may lead out of what was given: the head of the file or of the window.
            self.linked = "parentUuid" in entry
            return ""
        if isinstance(parent, str):
            return "" if parent in self.seen else "the entry before it is missing"
        if parent is None and "parentUuid" in entry:
            root = entry.get("subtype") == "compact_boundary" or entry.get("isSidechain") is True
            return "" if root else "it names no entry before it"
        return "its link to the entry before it is damaged"


def damage(entry: Mapping[str, Any]) -> Iterator[str]:
    """What of one entry can't be what the host wrote."""
    kind = entry.get("type")
    message = entry.get("message")
    for mark in _MARKS:
        if not isinstance(entry.get(mark), (bool, type(None))):
            yield f"{mark} is no truth value"
    if kind not in ("user", "assistant"):
        if isinstance(entry.get("uuid"), str) and isinstance(message, Mapping):
            yield "a message in an entry of a type that has none"
        return
    if not isinstance(message, Mapping):
        yield "no message"
        return
    content = message.get("content")
    if isinstance(content, str):
        if kind == "user" and entry.get("sourceToolAssistantUUID") is not None:
            yield "a result that is no block"
        return
    if not isinstance(content, (list, tuple)):
        yield "no content"
        return
    for block in content:
        yield from _block(block)
    if kind == "user" and entry.get("toolUseResult") is not None:
        if not any(_is_result(block) for block in content):
            yield "a result that is no block"


def _is_result(block: Any) -> bool:
    name = mapping(block).get("type")
    return isinstance(name, str) and (name == "tool_result" or name.endswith(_RESULT_SUFFIX))


def _block(block: Any) -> Iterator[str]:
    if not isinstance(block, Mapping):
        yield "a block that is none"
        return
    name = block.get("type")
    if not isinstance(name, str) or not (name in _BLOCKS or name.endswith(_RESULT_SUFFIX)):
        yield f"a block of type {str(name)[:40]!r}"
    elif name == "text" and not isinstance(block.get("text"), str):
        yield "a text that is none"
    elif name == "tool_use":
        if not (isinstance(block.get("id"), str) and isinstance(block.get("name"), str)):
            yield "a call without id or name"
        given = block.get("input")
        if not isinstance(given, Mapping):
            yield "a call without arguments"
            return
        for key in _TEXT_ARGUMENTS.get(str(block.get("name")), ()):
            if not isinstance(given.get(key), str):
                yield f"a call without its {key}"
    elif name == "tool_result":
        if not isinstance(block.get("tool_use_id"), str):
            yield "a result without its call"
        if not isinstance(block.get("is_error"), (bool, type(None))):
            yield "an error bit that is none"
        content = block.get("content")
        if not isinstance(content, str):
            parts = [mapping(part) for part in content] if isinstance(content, list) else [{}]
            if any(not isinstance(part.get("type"), str) for part in parts):
                yield "a result without content"
            elif any(
                part["type"] == "text" and not isinstance(part.get("text"), str) for part in parts
            ):
                yield "a text that is none"
