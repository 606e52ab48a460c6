# SPDX-License-Identifier: Apache-2.0
"""From values to places on an axis, and where the axis has its marks."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")
STEPS = (1, 2, 5, 10)


@dataclass(frozen=True)
class Scale:
    """`low` is at `start`, `high` at `end`."""

    low: float
    high: float
    start: float
    end: float
    is_log: bool = False

    def __call__(self, value: float) -> float:
        turn: Callable[[float], float] = math.log if self.is_log else float
        if self.is_log:
            value = max(value, self.low)
        width = turn(self.high) - turn(self.low)
        return self.start + (turn(value) - turn(self.low)) / width * (self.end - self.start)

    def marks(self, wanted: int = 5) -> list[float]:
        """Round numbers."""
        found = list(log_marks(self.low, self.high, wanted)) if self.is_log else []
        return found if len(found) > 1 else list(linear_marks(self.low, self.high, wanted))


def linear(low: float, high: float, start: float, end: float) -> Scale:
    return Scale(low, high if high > low else low + 1, start, end)


def logarithmic(low: float, high: float, start: float, end: float) -> Scale:
    """Of values over 0."""
    return Scale(low, high if high > low * 1.001 else low * 1.5, start, end, is_log=True)


def linear_marks(low: float, high: float, wanted: int) -> Iterator[float]:
    rough = (high - low) / max(1, wanted)
    unit = 10.0 ** math.floor(math.log10(rough))
    step = next(unit * k for k in STEPS if unit * k >= rough * 0.999)
    for k in range(math.ceil(low / step), math.floor(high / step * (1 + 1e-12)) + 1):
        yield k * step


def log_marks(low: float, high: float, wanted: int) -> Iterator[float]:
    """1, 2, 5, 10 where there is room; else powers of 10, not all if these are too many."""
    decades = math.log10(high / low)
    within = (1, 2, 5) if decades * 2 < wanted else (1,)
    every = max(1, math.ceil(decades / wanted))
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    for power in range(first, last + 1):
        for k in within:
            value = k * 10.0**power
            if power % every == 0 and low <= value <= high:
                yield value


def thinned(items: list[T], most: int) -> list[T]:
    """This many at most, evenly; the first and the last among them."""
    if len(items) <= most:
        return items
    return [items[round(k * (len(items) - 1) / (most - 1))] for k in range(most)]
