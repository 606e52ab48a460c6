# SPDX-License-Identifier: Apache-2.0
"""Texts that come from files or programs, so that they do nothing to a terminal or a page."""

from __future__ import annotations

import unicodedata

CONTROL = {code: f"\\x{code:02x}" for code in (*range(0x20), *range(0x7F, 0xA0)) if code != ord("\n")}
CONTROL |= {code: f"\\x{code - 0xDC00:02x}" for code in range(0xDC80, 0xDD00)}  # bytes that were no UTF-8


def printable(text: str) -> str:
    """Control characters as '\\x1b': what comes from files or programs does nothing to a terminal. Lines may end."""
    return text.translate(CONTROL)


def one_line(text: str) -> str:
    return printable(text).replace("\n", "\\x0a")


LONGEST = 400
SHOWN_AS_CODE = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")  # controls, marks of direction, halves of characters


def clean(text: str, longest: int = LONGEST) -> str:
    """Without characters that change what stands around them; long texts are cut."""
    whole = "".join(coded(one) if unicodedata.category(one) in SHOWN_AS_CODE else one for one in text[: longest + 1])
    return whole if len(whole) <= longest else whole[: longest - 1] + "…"


def coded(one: str) -> str:
    return f"\\u{ord(one):04x}"
