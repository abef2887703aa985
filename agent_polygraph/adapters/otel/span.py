"""One span and one log record, whatever they were stored as."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from .._shape import ident, is_mapping, mapping, parse_json, plain, sequence

_FLATTEN_DEPTH = 14
_SCALARS = frozenset({str, int, float, bool, type(None)})
_PLAIN = _SCALARS | {list}
_KEYS = frozenset({str})
_AS_IT_IS = frozenset({"stringValue", "boolValue", "doubleValue"})
_STATUS = {"0": "UNSET", "1": "OK", "2": "ERROR", "OK": "OK", "ERROR": "ERROR"}


@dataclass(slots=True)
class Span:
    """One span.

    ids: lower-case hex where they are hex.  start, end: nanoseconds since 1970, 0 where unknown.
    status: UNSET, OK or ERROR.  attributes: flat, values of any JSON type.  events: (name,
    attributes), log records of the span among them.  remote: its parent is in another process.
    dropped: the SDK or an exporter threw attributes or events away.  kind: tool, llm, agent, chain
    or other, once a trace is put together.
    """

    name: str = ""
    trace_id: str = ""
    span_id: str = ""
    parent_id: str = ""
    start: int = 0
    end: int = 0
    status: str = "UNSET"
    description: str = ""
    attributes: dict[str, Any] = field(default_factory=dict)
    events: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)
    scope: str = ""
    remote: bool = False
    dropped: bool = False
    kind: str = "other"


@dataclass(slots=True)
class Log:
    """One log record that names a span: an event of it that travels on its own."""

    name: str = ""
    trace_id: str = ""
    span_id: str = ""
    time: int = 0
    attributes: dict[str, Any] = field(default_factory=dict)
    dropped: bool = False


Record: TypeAlias = Span | Log


def begin_of(records: Iterable[Record]) -> int:
    """When the first of them begins, in nanoseconds; 0 where none tells."""
    times = (record.time if isinstance(record, Log) else record.start for record in records)
    return min((time for time in times if time), default=0)


def status_of(value: Any) -> str:
    """`StatusCode.ERROR`, `STATUS_CODE_ERROR`, `Error` and 2 are one and the same."""
    text = ident(value).upper().rsplit(".", 1)[-1]
    return _STATUS.get(text.removeprefix("STATUS_CODE_"), "UNSET")


def hex_id(value: Any, digits: int) -> str:
    """A span or trace id as lower-case hex of `digits` digits.

    Takes hex with and without `0x`, base64 (protobuf's own JSON) and whole numbers; anything else
    stays as it is, since an id only has to be the same twice.
    """
    if type(value) is not str:
        if isinstance(value, int) and not isinstance(value, bool):
            return format(value, f"0{digits}x") if 0 < value < 16**digits else ""
        value = ident(value)
    text: str = value.removeprefix("0x")
    if not text:
        return ""
    if _is_hex(text):
        return text.lower().zfill(digits) if text.strip("0") else ""
    if len(text) == (digits // 2 + 2) // 3 * 4:
        from base64 import b64decode

        try:
            found = b64decode(text, validate=True).hex()
        except ValueError:
            return text
        return found if len(found) == digits else text
    return text


def _is_hex(text: str) -> bool:
    if not text.isalnum():  # signs, spaces and underscores, which `int` takes
        return False
    try:
        int(text, 16)
    except ValueError:
        return False
    return True


def key_values(value: Any) -> dict[str, Any]:
    """Attributes as a dict: OTLP lists of `{key, value: {stringValue}}`, JSON text, or a dict."""
    if isinstance(value, list):
        found: dict[str, Any] = {}
        for pair in value:
            try:  # the common case first: this runs for every attribute of every span
                key, inner = pair["key"], pair["value"]
                ((kind, item),) = inner.items()
                if type(key) is str:
                    if kind in _AS_IT_IS:
                        found[key] = item
                    else:
                        found[key] = _whole(item) if kind == "intValue" else any_value(inner)
            except (TypeError, KeyError, ValueError, AttributeError):
                known = mapping(pair)
                if isinstance(known.get("key"), str):
                    found[known["key"]] = any_value(known.get("value"))
        return found
    if isinstance(value, str):
        value = parse_json(value)
    if is_mapping(value):
        if _KEYS.issuperset(map(type, value)):
            return dict(value)
        return {str(key): item for key, item in value.items()}
    return {}


def any_value(value: Any, depth: int = 60) -> Any:
    """An OTLP AnyValue, in either spelling, as the value it stands for."""
    if not is_mapping(value) or depth <= 0:
        return plain(value) if depth > 0 else None
    for key, item in value.items():
        if item is None:
            continue
        kind = str(key).replace("_", "").lower()
        if kind == "intvalue":
            return _whole(item)
        if kind == "arrayvalue":
            return [any_value(one, depth - 1) for one in sequence(mapping(item).get("values"))]
        if kind == "kvlistvalue":
            return {
                str(pair.get("key")): any_value(pair.get("value"), depth - 1)
                for pair in map(mapping, sequence(mapping(item).get("values")))
            }
        if kind.endswith("value"):
            return item
    return None


def _whole(item: Any) -> Any:
    """A whole number that JSON has as text."""
    text = str(item)
    return int(text) if text.removeprefix("-").isdecimal() and len(text) < 40 else item


def flatten(attributes: dict[str, Any]) -> dict[str, Any]:
    """Nested attributes under dotted keys; each container also stays under its own key."""
    if _SCALARS.issuperset(map(type, attributes.values())):
        return attributes
    for key, value in attributes.items():
        kind = type(value)
        if kind is dict or (kind is list and key[:4] == "llm.") or kind not in _PLAIN:
            break
    else:
        return attributes
    flat: dict[str, Any] = {}
    stack: list[tuple[str, Any, int]] = [
        (key, attributes[key], 0) for key in reversed(list(attributes))
    ]
    while stack:
        key, value, depth = stack.pop()
        flat.setdefault(key, value)
        if depth >= _FLATTEN_DEPTH:
            continue
        if is_mapping(value):
            stack += [(f"{key}.{name}", item, depth + 1) for name, item in value.items()]
        elif key.startswith("llm.") and isinstance(value, (list, tuple)):
            stack += [(f"{key}.{i}", item, depth + 1) for i, item in enumerate(value)]
    return flat


def events_of(value: Any) -> list[tuple[str, Mapping[str, Any]]]:
    """Span events as (name, attributes)."""
    if isinstance(value, str):  # a cell of a table
        value = parse_json(value)
    found: list[tuple[str, Mapping[str, Any]]] = []
    for event in map(mapping, sequence(value)):
        name = event.get("name")
        found.append((name if isinstance(name, str) else "", key_values(event.get("attributes"))))
    return found
