# SPDX-License-Identifier: Apache-2.0
"""Reads a result from what a program printed and wrote, and compares two of them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from espalier_lab.apps.description import Quantity

SAME, WITHIN, DIFFERENT = "identical", "within tolerance", "different"
Values = list[str]


@dataclass(frozen=True)
class Comparison:
    verdict: str = SAME
    difference: str = ""  # the first that is too large


def values_of(quantity: Quantity, printed: str, directory: Path) -> Values:
    """Empty if the program did not get so far."""
    file = directory / quantity.file
    text = printed if not quantity.file else file.read_text(errors="replace") if file.is_file() else ""
    found = re.finditer(quantity.pattern, text, re.MULTILINE)
    return [value for match in found for value in match.groups() if value is not None]


def compared(quantities: Sequence[Quantity], natively: Sequence[Values], under: Sequence[Values]) -> Comparison:
    worst = SAME
    for quantity, left, right in zip(quantities, natively, under, strict=True):
        if not left:
            return Comparison(DIFFERENT, f"{quantity.name}: not in the native result")
        if len(left) != len(right):
            return Comparison(DIFFERENT, f"{quantity.name}: {len(left)} values natively, {len(right)} under Espalier")
        for one, other in zip(left, right, strict=True):
            if one == other:
                continue
            if not is_near(quantity, one, other):
                return Comparison(DIFFERENT, f"{quantity.name}: {one} natively, {other} under Espalier")
            worst = WITHIN
    return Comparison(worst)


def is_near(quantity: Quantity, natively: str, under: str) -> bool:
    try:
        left, right = number(natively), number(under)
    except ValueError:
        return False
    return abs(left - right) <= quantity.absolute + quantity.relative * abs(left)


def number(text: str) -> float:
    """Also as Fortran writes it: 0.1D-03."""
    return float(text.upper().replace("D", "E"))
