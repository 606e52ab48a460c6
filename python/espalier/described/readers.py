# SPDX-License-Identifier: Apache-2.0
"""What a site may have already, by the words of `espalier topo --from`."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from pathlib import Path

from espalier.described import ibnetdiscover, places
from espalier.described.machine import Description
from espalier.failure import Failure
from espalier.words import checked

READERS: dict[str, Callable[[Path, float], Description]] = {
    "ibnetdiscover": ibnetdiscover.description_of,
    "xnames": places.by_xnames,
    "tofu": places.on_tofu,
}


def description_of(kind: str, file: Path | None, rate: str) -> Description:
    (kind,) = checked("--from", [kind], list(READERS))
    if file is None:
        raise Failure(f"--from {kind}: needs a FILE.", f"For example: espalier topo --from {kind} FILE")
    return READERS[kind](file, number_of(rate))


def number_of(rate: str) -> float:
    """0 where none is given."""
    if not rate:
        return 0.0
    try:
        number = float(rate)
    except ValueError:
        number = 0.0
    if not isfinite(number) or number <= 0:
        raise Failure(f"--rate {rate}: allowed: bytes per second, more than 0, such as 25e9")
    return number
