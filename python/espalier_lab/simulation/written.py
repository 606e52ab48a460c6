# SPDX-License-Identifier: Apache-2.0
"""Files that espalier-simulate reads and a study makes: they are gone when the command ends."""

import tempfile
from functools import cache
from pathlib import Path


@cache
def directory() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="espalier-simulations-")


def written(name: str, text: str) -> str:
    file = Path(directory().name) / name
    file.write_text(text, encoding="utf-8")
    return str(file)
