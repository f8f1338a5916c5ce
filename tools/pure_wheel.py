"""Make the `py3-none-any` wheel: the binary wheel without its extension, so that both hold the same Python files.

    python tools/pure_wheel.py dist/apus_projection-...-abi3-....whl

Repacking was chosen over a second build backend: that would state metadata and files twice.
"""

from __future__ import annotations

import base64
import hashlib
import re
import sys
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

TAG = "py3-none-any"


def pure_wheel_metadata(text: str) -> str:
    """Turn the WHEEL file of a binary wheel into that of a pure one."""
    text = re.sub(r"^Tag: .*\n", "", text, flags=re.MULTILINE)
    return re.sub(r"^Root-Is-Purelib: .*$", f"Root-Is-Purelib: true\nTag: {TAG}", text, flags=re.MULTILINE)


def record_line(name: str, data: bytes) -> str:
    """One line of RECORD."""
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}"


def repack(binary: Path) -> Path:
    """Write the pure wheel beside `binary`."""
    distribution, version = binary.name.split("-")[:2]
    pure = binary.with_name(f"{distribution}-{version}-{TAG}.whl")
    record: list[str] = []
    with ZipFile(binary) as source, ZipFile(pure, "w", ZIP_DEFLATED) as target:
        for member in source.infolist():
            name = member.filename
            if name.endswith((".so", ".pyd", ".dist-info/RECORD")):
                continue
            data = source.read(member)
            if name.endswith(".dist-info/WHEEL"):
                data = pure_wheel_metadata(data.decode()).encode()
            target.writestr(ZipInfo(name, member.date_time), data, ZIP_DEFLATED)
            record.append(record_line(name, data))
        name = f"{distribution}-{version}.dist-info/RECORD"
        target.writestr(ZipInfo(name), "\n".join([*record, f"{name},,"]) + "\n", ZIP_DEFLATED)
    return pure


if __name__ == "__main__":
    if len(sys.argv) != 2:  # noqa: PLR2004  program and wheel
        sys.exit(__doc__)
    print(repack(Path(sys.argv[1])))
