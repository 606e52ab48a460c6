# SPDX-License-Identifier: Apache-2.0
"""Of calls one after the other, in which places are learnt: when nothing more was learnt, and how long they took
then."""

from collections.abc import Sequence
from statistics import median, quantiles

from espalier.arrival.rows import NEVER

NEAR = 1.1  # times the ideal
WINDOW = 3  # calls whose median counts, so that no single one decides


def settled(seconds: Sequence[float]) -> Sequence[float]:
    """The last half."""
    return seconds[len(seconds) // 2 :]


def typical(seconds: Sequence[float]) -> float:
    return median(settled(seconds))


def quartiles(seconds: Sequence[float]) -> tuple[float, float]:
    last = settled(seconds)
    if len(last) < 2:
        return last[0], last[0]
    low, _, high = quantiles(last, n=4, method="inclusive")
    return low, high


def until_near(seconds: Sequence[float], ideal: float) -> int:
    """How many calls there were before those that took no longer than the ideal, or hardly so, and all in all remained
    so."""

    def is_near(some: Sequence[float]) -> bool:
        return median(some) <= NEAR * ideal

    starts = range(max(0, len(seconds) - WINDOW + 1))
    return next((at for at in starts if is_near(seconds[at : at + WINDOW]) and is_near(seconds[at:])), NEVER)
