# SPDX-License-Identifier: Apache-2.0
"""Which programs' AddressSanitizer (gcc's, in a shared library) refuses to start behind a preload.

It does so unless a default setting says otherwise. libespalier.so brings that setting along, but a program that has
default settings of its own does not get to see it.
"""

from __future__ import annotations

import mmap
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

ADVICE = (
    "{program} is built with AddressSanitizer and has an __asan_default_options of its own; the sanitizer then refuses "
    "to start behind LD_PRELOAD. Add verify_asan_link_order=0 there, or to ASAN_OPTIONS on all ranks."
)


def advice_for(command: Sequence[str]) -> str | None:
    """What to say if a program among the words of a failed command needs that setting; None if there is none."""
    if "verify_asan_link_order" in os.environ.get("ASAN_OPTIONS", ""):
        return None
    program = next(filter(needs_setting, command), None)
    return ADVICE.format(program=program) if program else None


def needs_setting(word: str) -> bool:
    path = Path(shutil.which(word) or "")
    if not path.is_file() or path.stat().st_size == 0:
        return False
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            is_program = content[:4] == b"\x7fELF"
            return is_program and all(content.find(text) >= 0 for text in (b"libasan.so.", b"__asan_default_options"))
    except OSError:
        return False
