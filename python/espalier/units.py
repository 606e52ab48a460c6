# SPDX-License-Identifier: Apache-2.0
"""Numbers with units, as they are printed."""

from __future__ import annotations


def bytes_text(count: float) -> str:
    """1536 -> '1.5 KiB'."""
    for unit in ("B", "KiB", "MiB", "GiB", "TiB"):
        if count < 1024 or unit == "TiB":
            return f"{count:.4g} {unit}"
        count /= 1024
    raise AssertionError


def size_class_text(low: int, high: int) -> str:
    """'8 - 16 B' for 8 to 15 bytes."""
    if low == high:
        return bytes_text(low)
    first, last = bytes_text(low), bytes_text(high + 1)
    unit = last.partition(" ")[2]
    return f"{first.removesuffix(' ' + unit)} - {last}"


def seconds_text(seconds: float | None, digits: int = 3) -> str:
    """This many digits, and a unit that suits them."""
    if seconds is None:
        return "-"
    for factor, unit in ((1e9, "ns"), (1e6, "us"), (1e3, "ms")):
        if seconds * factor < 999.5:
            return f"{seconds * factor:.{digits}g} {unit}"
    return f"{seconds:.{digits + 1}g} s"


def count_text(count: int) -> str:
    return f"{count:,}"


def plural(count: int, word: str) -> str:
    return f"{count_text(count)} {word}" + ("" if count == 1 else "s")


def duration_text(seconds: float) -> str:
    """4000 -> '1 h 7 min'."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"
