"""What a receipt covers, as bytes: one encoding for each call, and no two calls with the same.

Every field is preceded by its length in eight bytes, so no field can run into the next.  Values are
told apart by a letter: `j` JSON, `t` text, `b` bytes.  JSON is written with sorted keys and no
spaces; JSON text and the value it spells are the same arguments to a host, so they are the same
here, unless the text says what a value can't (a key twice, `1.00`): then it stays text.
"""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode
from binascii import b2a_base64
from collections.abc import Callable
from struct import Struct
from typing import Any

DOMAIN = b"agent-polygraph receipt v1"
END = b"agent-polygraph receipts end v1"
_HEAD = Struct(">3Q").pack
_NUMBERS = Struct(">8Q").pack
_ENDS = Struct(">4Q").pack


def _encoder() -> Callable[[Any], str]:
    """JSON with sorted keys and no spaces.

    `JSONEncoder.encode` builds the interpreter's encoder anew for every value; here it is built once,
    where there is one.  A value that holds itself ends in a RecursionError, told like any other bad value.
    """
    plain = json.JSONEncoder(
        check_circular=False, sort_keys=True, separators=(",", ":"), ensure_ascii=False
    )
    make = getattr(json.encoder, "c_make_encoder", None)
    if make is None:
        return plain.encode
    basestring = json.encoder.encode_basestring
    made = make(None, plain.default, basestring, None, ":", ",", True, False, True)
    return lambda value: "".join(made(value, 0))


_dump = _encoder()


class ReceiptError(ValueError):
    """A call, result or file that no receipt can be made or read for; says what would be right."""


def head(form: str, key_id: str) -> bytes:
    """What all receipts of a scope begin with."""
    fields = (DOMAIN, form.encode(), key_id.encode())
    return _HEAD(*map(len, fields)) + b"".join(fields)


def message(
    start: bytes,
    sequence: int,
    time_ms: int,
    call_id: str,
    tool: str,
    arguments: bytes,
    result: bytes,
    outcome: str,
    before: bytes,
) -> bytes:
    """The bytes that a receipt authenticates: `head`, numbers and lengths, then the fields.

    Injective: another call gives other bytes.
    """
    call, name = call_id.encode("utf-8", "surrogatepass"), tool.encode("utf-8", "surrogatepass")
    end = outcome.encode()
    sizes = (len(call), len(name), len(arguments), len(result), len(end), len(before))
    numbers = _NUMBERS(sequence, time_ms, *sizes)
    return b"".join((start, numbers, call, name, arguments, result, end, before))


def end_message(key_id: bytes, count: int, before: bytes) -> bytes:
    """The bytes that close an export: how many receipts there are, and the last of them."""
    fields = (END, key_id, b"%d" % count, before)
    return _ENDS(*map(len, fields)) + b"".join(fields)


def arguments_bytes(arguments: Any) -> bytes:
    """The arguments of a call.  ReceiptError for what is no JSON value."""
    if isinstance(arguments, str):
        value = _spelled(arguments)
        return _text(arguments) if value is None else b"j" + _json(value, "arguments")
    return b"j" + _json(arguments, "arguments")


def result_bytes(result: Any) -> bytes:
    """The result of a call: text, bytes or a JSON value.  ReceiptError for anything else."""
    if isinstance(result, str):
        return _text(result)
    if isinstance(result, (bytes, bytearray)):
        return b"b" + bytes(result)
    return b"j" + _json(result, "the result")


def _text(value: str) -> bytes:
    return b"t" + value.encode("utf-8", "surrogatepass")


def _json(value: Any, what: str) -> bytes:
    try:
        text = _dump(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise ReceiptError(f"{what} must be a JSON value, text or bytes: {error}") from None
    if type(value) not in _SCALARS and not _string_keys(value):
        raise ReceiptError(f"{what} must be a JSON value, and its keys strings")
    return text.encode("utf-8", "surrogatepass")


_SCALARS = frozenset({str, int, float, bool, type(None)})


def _string_keys(top: Any) -> bool:
    """True when all keys are strings: `json` would write 1 and "1" alike."""
    stack = [top]
    for value in stack:
        if isinstance(value, dict):
            for key, item in value.items():
                if type(key) is not str:
                    return False
                if type(item) not in _SCALARS:
                    stack.append(item)
        elif isinstance(value, (list, tuple)):
            stack += [item for item in value if type(item) not in _SCALARS]
    return True


class _NotOneValue(ValueError):
    pass


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise _NotOneValue
    return made


def _number(text: str) -> float:
    value = float(text)
    if repr(value) != text:
        raise _NotOneValue
    return value


def _constant(text: str) -> Any:
    raise _NotOneValue


def _whole(text: str) -> int:
    value = int(text)
    if str(value) != text:
        raise _NotOneValue
    return value


_decode = json.JSONDecoder(
    object_pairs_hook=_pairs,
    parse_float=_number,
    parse_int=_whole,
    parse_constant=_constant,
).decode


def _spelled(text: str) -> Any:
    """The object that JSON text spells, where it is one and nothing of the text would be lost."""
    if not text.lstrip().startswith("{"):
        return None
    try:
        return _decode(text)
    except (ValueError, RecursionError):
        return None


def spelled(raw: bytes) -> str:
    """Bytes as base64url without padding."""
    return b2a_base64(raw, newline=False).translate(_URL_SAFE, b"=").decode()


_URL_SAFE = bytes.maketrans(b"+/", b"-_")


def decoded(digits: Any) -> bytes:
    """The bytes that base64url spells; b"" for anything that is not their one spelling."""
    if not isinstance(digits, str):
        return b""
    try:
        raw = urlsafe_b64decode(digits + "=" * (-len(digits) % 4))
    except ValueError:
        return b""
    return raw if spelled(raw) == digits else b""
