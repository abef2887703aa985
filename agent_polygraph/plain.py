"""Any Python value as plain JSON, so that nothing behind this line meets anything else.

Plain is: None, bool, float, str, whole numbers that print and convert anywhere, lists, and dicts with
string keys, all of exactly these types.  A value that is plain already is returned as it is; any other
is copied: SDK objects become their fields, sets sorted lists, bytes text.  What cannot be read becomes
a text that says so, and a note; nothing raises, whatever the value's own methods do.  O(nodes).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from enum import Enum
from typing import Any

from ._lazy import regex
from .limits import SEAM

DEPTH = 60  # containers deeper than this are cut
NODES = 1_000_000  # of one value, shared parts counted as often as they occur
CUT, UNREAD = "value_cut", "value_not_read"
_BITS = 1_000  # of a whole number that still converts to a float; more is told as hexadecimal text
_DUMPS = ("model_dump", "dict", "to_dict", "tolist")
_BIG = 1 << _BITS
_SCALARS = frozenset({str, bool, float, type(None)})
_NAMES = frozenset({str})
_LONE = regex("[\ud800-\udfff]")


def plain(value: Any, notes: set[str] | None = None) -> Any:
    """`value` as plain JSON.  `notes` takes "value_cut" and "value_not_read" where they are true."""
    if is_plain(value):
        return value
    return _Copy(set() if notes is None else notes).of(value, DEPTH)


def is_plain(value: Any) -> bool:
    """True when `value` is plain JSON within the bounds.  O(nodes), and not recursive."""
    if type(value) in _SCALARS or _is_flat(value):
        return True
    level: list[Any] = [(value,)]
    nodes = 0
    for _ in range(DEPTH + 2):
        inner: list[Any] = []
        for container in level:
            nodes += len(container)
            if nodes > NODES:
                return False
            if type(container) is dict:
                for key in container:
                    if type(key) is not str:
                        return False
                items: Iterable[Any] = container.values()
            else:
                items = container
            for item in items:
                kind = type(item)
                if kind in _SCALARS:
                    continue
                if kind is int:
                    if -_BIG < item < _BIG:
                        continue
                    return False
                if kind is not dict and kind is not list:
                    return False
                inner.append(item)
        if not inner:
            return True
        level = inner
    return False


def _is_flat(value: Any) -> bool:
    """True for a table of texts and the like, which most arguments are."""
    return (
        type(value) is dict
        and len(value) < NODES
        and _NAMES.issuperset(map(type, value))
        and _SCALARS.issuperset(map(type, value.values()))
    )


def whole(digits: str) -> int | str:
    """A whole number of a JSON text; its digits where it has more than a number may have."""
    return int(digits) if len(digits) <= _BITS * 3 // 10 else digits


def shown(value: Any, most: int = 40) -> str:
    """A value in an error message: short, and never raising."""
    if value is None or isinstance(value, (str, float, bool)):
        return repr(plain(value))[:most]
    if isinstance(value, int):
        return str(plain(value))[:most]
    return f"a {type(value).__name__}"


def encodable(value: Any) -> Any:
    """Plain JSON without halves of surrogate pairs, which no encoding has: U+FFFD for each.

    Containers are changed in place.  Not recursive.
    """
    if isinstance(value, str):
        return _LONE.sub("\ufffd", value) if lone(value) else value
    top = [value]
    stack: list[Any] = [top]
    while stack:
        node = stack.pop()
        if isinstance(node, dict):
            if any(map(_LONE.search, node)):
                pairs = [(_LONE.sub("\ufffd", key), item) for key, item in node.items()]
                node.clear()
                node.update(pairs)
            for key, item in node.items():
                if isinstance(item, str):
                    node[key] = _LONE.sub("\ufffd", item)
            inner: Iterable[Any] = node.values()
        else:
            node[:] = [_LONE.sub("\ufffd", i) if isinstance(i, str) else i for i in node]
            inner = node
        stack += [item for item in inner if isinstance(item, (dict, list))]
    return top[0]


def lone(text: str) -> bool:
    """True where `text` holds half a surrogate pair."""
    return not text.isascii() and _LONE.search(text) is not None


class _Copy:
    """Copies one value.  Every method of the value's own may raise, so all of them are called here."""

    def __init__(self, notes: set[str]) -> None:
        self.notes = notes
        self.left = NODES - 2 * DEPTH  # what closes a cut value stands beside it

    def of(self, value: Any, depth: int) -> Any:
        self.left -= 1
        if value is None or type(value) in (bool, str, float):
            return value
        if self.left < 0 or depth < 0:
            self.notes.add(CUT)
            return SEAM.strip()
        try:
            return self._known(value, depth)
        except Exception:  # somebody else's code
            self.notes.add(UNREAD)
            return f"<{type(value).__name__}>"

    def _known(self, value: Any, depth: int) -> Any:
        if isinstance(value, Enum):
            return self.of(value.value, depth - 1)
        if isinstance(value, str):
            return str.__str__(value)
        if isinstance(value, int):
            return int.__int__(value) if -_BIG < value < _BIG else hex(value)
        if isinstance(value, float):
            return float.__float__(value)
        if isinstance(value, Mapping):
            return self._table(value, depth)
        if isinstance(value, memoryview):
            value = value.tobytes()
        if isinstance(value, (bytes, bytearray)):
            return bytes(value).decode("utf-8", "replace")
        if isinstance(value, Set) and not isinstance(value, Sequence):
            # the order of a set is not the same in two processes
            return sorted(self._list(value, depth), key=_ordered)
        if isinstance(value, Iterable) and hasattr(value, "__len__"):
            return self._list(value, depth)
        if isinstance(value, BaseException):
            return f"{type(value).__name__}: {value}"
        return self._object(value, depth)

    def _table(self, value: Mapping[Any, Any], depth: int) -> dict[str, Any]:
        table: dict[str, Any] = {}
        for key, item in value.items():
            if self.left < 0:
                self.notes.add(CUT)
                break
            if type(key) is not str:
                key = self.of(key, 0)
                key = key if isinstance(key, str) else _json(key)
            table[key] = self.of(item, depth - 1)
        return table

    def _list(self, value: Iterable[Any], depth: int) -> list[Any]:
        items: list[Any] = []
        for item in value:
            if self.left < 0:
                self.notes.add(CUT)
                break
            items.append(self.of(item, depth - 1))
        return items

    def _object(self, value: Any, depth: int) -> Any:
        if not isinstance(value, type):
            for method in _DUMPS:
                dump = getattr(value, method, None)
                if callable(dump):
                    try:
                        dumped = dump()
                    except Exception:  # not this way
                        continue
                    if isinstance(dumped, (Mapping, list)):
                        return self.of(dumped, depth - 1)
            fields = _fields(value)
            if fields:
                return self._table(fields, depth)
            text = str(value)
            # a function, or the repr of an object that has none of its own
            if not callable(value) and not (text.startswith("<") and " at 0x" in text):
                return str.__str__(text)
        self.notes.add(UNREAD)
        return f"<{type(value).__name__}>"


def _fields(value: Any) -> dict[str, Any]:
    fields = getattr(value, "__dict__", None)
    if not isinstance(fields, dict):
        # a dataclass with slots
        names = getattr(type(value), "__dataclass_fields__", {})
        fields = {name: getattr(value, name, None) for name in names}
    return {key: item for key, item in fields.items() if not str(key).startswith("_")}


def _ordered(item: Any) -> tuple[str, str]:
    return type(item).__name__, _json(item)


def _json(item: Any) -> str:
    from json import dumps  # late: most values are plain already

    return dumps(item, sort_keys=True)
