# SPDX-License-Identifier: Apache-2.0
"""Texts for the page. What comes from files is shown as it is, but does nothing."""

import re
import unicodedata

from espalier import output

LONGEST = 400
MICROSECONDS = re.compile(r"(?<=\d) us\b")
SHOWN_AS_CODE = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")  # controls, marks of direction, halves of characters


def clean(text: str, longest: int = LONGEST) -> str:
    """Without characters that change what stands around them; long texts are cut."""
    whole = "".join(coded(one) if unicodedata.category(one) in SHOWN_AS_CODE else one for one in text[: longest + 1])
    return whole if len(whole) <= longest else whole[: longest - 1] + "…"


def coded(one: str) -> str:
    return f"\\u{ord(one):04x}"


def seconds(value: float | None, digits: int = 3) -> str:
    """As in tables, but nothing is 0."""
    if value == 0:
        return "0"
    long = value is not None and 1e3 <= value < 1e7
    return (f"{value:,.0f} s" if long else micro(output.seconds_text(value, digits))).replace(" ", "\N{NO-BREAK SPACE}")


def micro(text: str) -> str:
    """With a micro sign."""
    return MICROSECONDS.sub(" µs", text)


def percent(share: float) -> str:
    return f"{share:.1%}"
