# SPDX-License-Identifier: Apache-2.0
"""Of calls one after the other, in which places are learnt, in each round again: when nothing more was learnt, and how
long they took then."""

from collections.abc import Sequence
from statistics import median, quantiles

from espalier_lab.arrival.rows import NEVER

NEAR = 1.1  # times the ideal
WINDOW = 3  # calls whose median counts, so that no single one decides


Rounds = Sequence[Sequence[float]]  # seconds of each call


def in_rounds(seconds: Sequence[float], rounds: int) -> Rounds:
    """What stood one round behind the other."""
    calls = len(seconds) // max(1, rounds)
    return [seconds[at * calls : (at + 1) * calls] for at in range(rounds)]


def flat(rounds: Rounds) -> list[float]:
    return [one for seconds in rounds for one in seconds]


def settled(rounds: Rounds) -> list[float]:
    """The last half of each."""
    return [one for seconds in rounds for one in seconds[len(seconds) // 2 :]]


def typical(rounds: Rounds) -> float:
    return median(settled(rounds))


def quartiles(rounds: Rounds) -> tuple[float, float]:
    last = settled(rounds)
    if len(last) < 2:
        return last[0], last[0]
    low, _, high = quantiles(last, n=4, method="inclusive")
    return low, high


def until_near(rounds: Rounds, ideal: float) -> int:
    """How many calls there were before those that took no longer than the ideal, or hardly so, and all in all remained
    so: in the median of the rounds."""
    counts = sorted((until_near_in(one, ideal) for one in rounds), key=lambda count: (count == NEVER, count))
    return counts[len(counts) // 2]


def until_near_in(seconds: Sequence[float], ideal: float) -> int:

    def is_near(some: Sequence[float]) -> bool:
        return median(some) <= NEAR * ideal

    starts = range(max(0, len(seconds) - WINDOW + 1))
    return next((at for at in starts if is_near(seconds[at : at + WINDOW]) and is_near(seconds[at:])), NEVER)
