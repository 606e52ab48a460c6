# SPDX-License-Identifier: Apache-2.0
"""Texts for the page. What comes from files is shown as it is, but does nothing."""

from __future__ import annotations

import re

from espalier import units

MICROSECONDS = re.compile(r"(?<=\d) us\b")


def seconds(value: float | None, digits: int = 3) -> str:
    """As in tables, but nothing is 0."""
    if value == 0:
        return "0"
    long = value is not None and 1e3 <= value < 1e7
    return (f"{value:,.0f} s" if long else micro(units.seconds_text(value, digits))).replace(" ", "\N{NO-BREAK SPACE}")


def micro(text: str) -> str:
    """With a micro sign."""
    return MICROSECONDS.sub(" µs", text)


def percent(share: float) -> str:
    return f"{share:.1%}"
