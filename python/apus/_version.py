"""The version, as the distribution says it."""

from __future__ import annotations

from importlib import metadata


def _read() -> str:
    try:
        return metadata.version("apus-projection")
    except metadata.PackageNotFoundError:
        # Run from a checkout that was never installed.
        return "0"


version = _read()
