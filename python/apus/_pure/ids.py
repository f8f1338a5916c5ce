"""Ids: what a minted id is made of. A fixed hash, so that one call has one name in every process and both cores.

Mirrors `rust/core/src/ids.rs`.
"""

from __future__ import annotations

from hashlib import sha256

_DOMAIN = b"apus call id\0"  # keeps these hashes apart from all others
_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_DIGITS = 42  # that one hash is good for: 62^42 < 2^256


def digest(old: str, occurrence: int, attempt: int) -> bytes:
    """The hash of an old id, the number of its occurrence and of the attempt. The length keeps the fields apart."""
    name = old.encode()
    fields = (_DOMAIN, len(name).to_bytes(8), name, occurrence.to_bytes(8), attempt.to_bytes(4))
    return sha256(b"".join(fields)).digest()


def base62(digest: bytes, length: int) -> str:
    """The last `length` digits of `digest` in base 62, lowest first; then those of the hash of the hash."""
    text = ""
    block = digest
    while len(text) < length:
        number = int.from_bytes(block)
        for _ in range(min(_DIGITS, length - len(text))):
            number, digit = divmod(number, len(_ALPHABET))
            text += _ALPHABET[digit]
        block = sha256(block).digest()
    return text
