"""Which core runs: `native` where the extension is there, `pure` otherwise or where APUS_CORE asks for it."""

from __future__ import annotations

import os
from types import ModuleType


def load(wanted: str | None) -> ModuleType:
    """The core that `wanted` names; None takes the native one if it is installed.

    A missing extension is a reason to fall back, a broken one is not: any other import error is raised.
    """
    if wanted not in (None, "", "native", "pure"):
        raise ImportError(f"APUS_CORE is {wanted!r}, expected native or pure")
    if wanted != "pure":
        try:
            from apus import _native
        except ModuleNotFoundError as error:
            if error.name != "apus._native" or wanted == "native":
                raise
        else:
            return _native
    from apus._pure import core

    return core


core = load(os.environ.get("APUS_CORE"))
name: str = core.NAME
