"""Ed25519 for receipts that third parties verify (extra `receipts`: the cryptography package)."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any

from .encoding import ReceiptError, decoded, spelled

_PREFIX = "ed25519:"


def _library() -> Any:
    try:
        from cryptography.hazmat.primitives.asymmetric import ed25519
    except ImportError:
        raise ReceiptError(
            "Ed25519 needs the cryptography package: pip install 'agent-polygraph[receipts]'"
        ) from None
    return ed25519


class PublicKey:
    """What verifies signed receipts.  `str()` gives the form to publish, `parse` reads it back."""

    __slots__ = ("_key", "_raw", "key_id")

    def __init__(self, raw: bytes) -> None:
        try:
            self._key = _library().Ed25519PublicKey.from_public_bytes(raw)
        except ReceiptError:
            raise
        except Exception as error:
            raise ReceiptError(f"no Ed25519 public key: {error}") from None
        self._raw = raw
        self.key_id = sha256(raw).hexdigest()[:16]

    @classmethod
    def parse(cls, text: str) -> PublicKey:
        """The key in `ed25519:<base64url>`.  ReceiptError for anything else."""
        raw = decoded(text.strip().removeprefix(_PREFIX))
        if not text.strip().startswith(_PREFIX) or len(raw) != 32:
            raise ReceiptError(
                f"{text.strip()[:80]!r} is no public key; it has to be ed25519: and 32 bytes in base64url"
            )
        return cls(raw)

    def __str__(self) -> str:
        return _PREFIX + spelled(self._raw)

    def __repr__(self) -> str:
        return f"PublicKey({self})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PublicKey) and self._raw == other._raw

    def __hash__(self) -> int:
        return hash(self._raw)

    def verifies(self, signature: bytes, covered: bytes) -> bool:
        """Whether the signature is the key's own over these bytes."""
        from cryptography.exceptions import InvalidSignature

        try:
            self._key.verify(signature, covered)
        except InvalidSignature:
            return False
        return True


def new_signer() -> tuple[Callable[[bytes], bytes], PublicKey]:
    """A new private key as the function that signs with it, and its public half."""
    private = _library().Ed25519PrivateKey.generate()
    sign: Callable[[bytes], bytes] = private.sign
    return sign, PublicKey(private.public_key().public_bytes_raw())
