"""A scope: one key, the receipts it gave out, and the order in which it did.

The key is made here and stays here: it exists only inside the state of the hash (or of the
signature library), is bound to no name, and cannot be copied, pickled or shown.  A scope lives as
long as a run; who hands it to a sub-agent shares it, and a new scope is a new key.
"""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from ..events import ToolCall, ToolResult, from_bench
from ..tokens import OUTCOMES, Issued, append
from ..tokens import find as find_tokens
from .encoding import ReceiptError, arguments_bytes, head, message, result_bytes, spelled

if TYPE_CHECKING:
    from .signing import PublicKey

FORMS = ("pgr1", "zc-receipt")


class Receipt(str):
    """A token, as `ReceiptScope.issue` returns it: text that also knows what it was issued for."""

    __slots__ = ("issued",)
    issued: Issued

    def append_to(self, result: Any) -> Any:
        """The result as the model gets to see it: with the receipt as its last line.

        A list of content parts gets a part more; any other JSON value is returned unchanged.
        """
        return append(result, str(self), self.issued.outcome)

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        return str, (str(self),)  # what travels is the text


class Record(NamedTuple):
    """What a scope keeps of one receipt.  `before` is the proof of the receipt before it."""

    token: str
    issued: Issued
    time_ms: int
    before: bytes
    proof: bytes
    call: ToolCall | None = None
    result: Any = None


class ReceiptScope:
    """Issues receipts for calls and says which tokens are its own.  Safe to share between threads.

    signed: sign with Ed25519 instead of a MAC, so that third parties can verify (extra `receipts`);
    such a scope keeps calls and results for `export`.  form: how tokens are spelled, "pgr1" or
    "zc-receipt".  clock: seconds since the epoch, for tests.  Raises ReceiptError for an unknown
    form, or where `cryptography` is missing.

    Memory: a few hundred bytes a receipt, until the scope goes.
    """

    __slots__ = (
        *("key_id", "form", "signed", "_prove", "_public", "_head"),
        *("_clock", "_lock", "_records", "_by_token", "_by_call", "_last"),
    )

    def __init__(
        self,
        *,
        signed: bool = False,
        form: str = "pgr1",
        clock: Callable[[], float] = time.time,
    ) -> None:
        if form not in FORMS:
            raise ReceiptError(f"form is {form!r}; it has to be one of {', '.join(FORMS)}")
        if signed and form != "pgr1":
            raise ReceiptError(f"a signed receipt has no form {form!r}")
        self.form = "pgs1" if signed else form
        self.signed = signed
        self._prove: Callable[[bytes], bytes]
        self._public: PublicKey | None = None
        if signed:
            from .signing import new_signer

            self._prove, public = new_signer()
            self._public, self.key_id = public, public.key_id
        else:
            self._prove = _mac(hmac.new(secrets.token_bytes(32), digestmod="sha256"))
            # A public name of the key that says nothing about it.
            self.key_id = self._prove(b"agent-polygraph key id v1")[:8].hex()
        self._head = head(self.form, self.key_id)
        self._clock = clock
        self._lock = Lock()
        self._records: list[Record] = []
        self._by_token: dict[str, Record] = {}
        self._by_call: dict[str, list[str]] = {}
        self._last = b""

    # --- issuing ----------------------------------------------------------------------------------

    def issue(
        self, call: ToolCall | Mapping[str, Any], result: Any, outcome: str = "ok"
    ) -> Receipt:
        """A receipt for a call and what came back.

        call: a ToolCall or its dict.  result: text, bytes or a JSON value, or a ToolResult.
        outcome: ok, failed, denied, timeout or cancelled; a ToolResult with its error bit set is
        failed.  ReceiptError where the call or result is none of these.  O(size of both).
        """
        call = _call(call)
        if isinstance(result, ToolResult):
            outcome = "failed" if outcome == "ok" and result.is_error else outcome
            result = result.content
        if outcome not in OUTCOMES:
            raise ReceiptError(f"outcome is {outcome!r}; it has to be one of {', '.join(OUTCOMES)}")
        arguments, given = arguments_bytes(call.arguments), result_bytes(result)
        with self._lock:
            # In the lock: the clock and the order have to agree.
            time_ms = int(self._clock() * 1000)
            sequence = len(self._records) + 1
            issued = Issued(sequence, call.call_id, call.name, outcome)
            before = self._last
            covered = self._covered(call, sequence, time_ms, arguments, given, outcome, before)
            proof = self._prove(covered)
            token = self._spelled(sequence, time_ms, proof)
            kept = (call, result) if self.signed else (None, None)
            record = Record(token, issued, time_ms, before, proof, *kept)
            self._records.append(record)
            self._by_token[token] = record
            self._by_call.setdefault(call.call_id, []).append(token)
            self._last = proof
        receipt = Receipt(token)
        receipt.issued = issued
        return receipt

    def _covered(
        self,
        call: ToolCall,
        sequence: int,
        time_ms: int,
        arguments: bytes,
        given: bytes,
        outcome: str,
        before: bytes,
    ) -> bytes:
        """What the proof of a receipt covers."""
        return message(
            self._head,
            sequence,
            time_ms,
            call.call_id,
            call.name,
            arguments,
            given,
            outcome,
            before,
        )

    def _spelled(self, sequence: int, time_ms: int, proof: bytes) -> str:
        digest = spelled(proof)
        if self.form == "zc-receipt":
            return f"zc-receipt-{time_ms // 1000}-{digest}"
        return f"{self.form}-{self.key_id}-{sequence}-{digest}"

    # --- asking -----------------------------------------------------------------------------------

    def verify(self, token: str, call: ToolCall | Mapping[str, Any], result: Any) -> bool:
        """Whether this scope issued the token for exactly this call and this result.

        False for anything else, whatever it is: it never raises.  The proof is made again and
        compared in constant time.  `result` is the result itself, without the receipt's line.
        """
        record = self._by_token.get(token) if isinstance(token, str) else None
        if record is None:
            return False
        if isinstance(result, ToolResult):
            result = result.content
        _, (sequence, _, _, outcome), time_ms, before, *_ = record
        try:
            call = _call(call)
            arguments, given = arguments_bytes(call.arguments), result_bytes(result)
            covered = self._covered(call, sequence, time_ms, arguments, given, outcome, before)
        except (ValueError, TypeError, AttributeError):
            return False
        if self._public is not None:
            return self._public.verifies(record.proof, covered)
        return hmac.compare_digest(self._prove(covered), record.proof)

    def issued(self, token: str) -> Issued | None:
        """The receipt behind a token; None for a token that this scope never issued."""
        record = self._by_token.get(token)
        return None if record is None else record.issued

    def tokens_of(self, call_id: str) -> list[str]:
        """The tokens issued for calls of this id, in order."""
        return list(self._by_call.get(call_id, ()))

    def tokens_in(self, text: str) -> list[tuple[str, Issued | None]]:
        """Every token in a text, with the receipt behind it; None for one never issued here."""
        return [(token.text, self.issued(token.text)) for token in find_tokens(text)]

    def __contains__(self, token: object) -> bool:
        return isinstance(token, str) and token in self._by_token

    def __len__(self) -> int:
        return len(self._records)

    def __iter__(self) -> Iterator[tuple[str, Issued]]:
        return iter([(record.token, record.issued) for record in self._records])

    # --- showing ----------------------------------------------------------------------------------

    def render_block(self, tools: Iterable[str] | None = None) -> str:
        """The receipts as a block to put below a reply; only those of `tools` where given.

        One line a receipt, `name: token`, with the outcome behind the name unless it is ok.
        Empty where there are none.
        """
        wanted = None if tools is None else frozenset(tools)
        lines = [
            f"  {issued.tool}{'' if issued.outcome == 'ok' else f' ({issued.outcome})'}: {token}"
            for token, issued in self
            if wanted is None or issued.tool in wanted
        ]
        return "\n".join(["---", "Tool receipts:", *lines]) if lines else ""

    @property
    def public_key(self) -> str:
        """The key to publish, `ed25519:...`; ReceiptError for a scope that does not sign."""
        if self._public is None:
            raise ReceiptError("only a scope made with signed=True has a public key")
        return str(self._public)

    def export(self) -> str:
        """All receipts with their calls and results as JSON lines, for `receipts verify`.

        The last line seals how many there are.  ReceiptError for a scope that does not sign.
        """
        from .chain import export

        if self._public is None:
            raise ReceiptError("only a scope made with signed=True can be verified by others")
        with self._lock:
            records, last = list(self._records), self._last
        return export(records, last, self._public, self._prove)

    def __repr__(self) -> str:
        return f"ReceiptScope({self.form}, key {self.key_id}, {len(self)} issued)"

    # --- what a key must not do -------------------------------------------------------------------

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError(
            "a ReceiptScope holds a key and cannot be pickled; hand the scope itself on"
        )

    def __copy__(self) -> ReceiptScope:
        return self  # hosts copy what they carry: it stays one scope

    def __deepcopy__(self, memo: Any) -> ReceiptScope:
        return self


def _mac(keyed: hmac.HMAC) -> Callable[[bytes], bytes]:
    """HMAC-SHA256 under the key that `keyed` was made with."""

    def prove(covered: bytes) -> bytes:
        fresh = keyed.copy()
        fresh.update(covered)
        return fresh.digest()

    return prove


def _call(call: ToolCall | Mapping[str, Any]) -> ToolCall:
    if isinstance(call, ToolCall):
        return call
    event = from_bench({"type": "tool_call", **call}) if isinstance(call, Mapping) else None
    if not isinstance(event, ToolCall):
        raise ReceiptError(f"a {type(call).__name__} is no call; pass a ToolCall or its dict")
    return event
