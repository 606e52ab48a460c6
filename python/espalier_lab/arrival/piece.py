# SPDX-License-Identifier: Apache-2.0
"""What is measured in one go, so that it can be stopped and gone on with."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from espalier import output, units
from espalier_lab.arrival.places import MACHINE, Place
from espalier_lab.arrival.rows import Row
from espalier_lab.experiments.launch import Family

LEAST_CALLS = 20
OVERHEAD_SECONDS = 0.006  # of each call: to begin together, and to look at what came

# At a guess, before anything was measured; only proportions count.
START_SECONDS = 3.0
MACHINE_SECONDS, MACHINE_SECONDS_PER_BYTE = 5e-4, 6e-10  # per byte and rank
LAB_SECONDS, LAB_SECONDS_PER_BYTE = 4e-3, 3e-8


@dataclass(frozen=True)
class Where:
    """A place that is not there yet."""

    name: str
    ranks: int

    def guess(self, size: int) -> float:
        """Seconds of a call to which nobody arrives late."""
        if self.name == MACHINE:
            return MACHINE_SECONDS + MACHINE_SECONDS_PER_BYTE * size * self.ranks
        return LAB_SECONDS + LAB_SECONDS_PER_BYTE * size * self.ranks


class Piece(Protocol):
    @property
    def where(self) -> Where: ...

    @property
    def family(self) -> Family: ...

    @property
    def title(self) -> str: ...

    @property
    def weight(self) -> float:
        """About how many seconds it takes."""

    def is_done(self, rows: Sequence[Row]) -> bool: ...

    def measure(self, place: Place, rows: Sequence[Row], announce: output.Announce) -> list[Row]:
        """New rows, maybe in the places of some of those; none if it would take too long."""


@dataclass(frozen=True)
class Calls:
    """Of one variant."""

    each: int  # round
    rounds: int = 1

    @property
    def all(self) -> int:
        return self.each * self.rounds


@dataclass(frozen=True)
class Budget:
    calls: int  # of one variant, in a round
    limit_seconds: float  # of one variant, in all rounds
    rounds: int = 1

    def fitting(self, seconds: float) -> Calls:
        """Calls that take so long: as many rounds as have room for a few of them; none if even one has not."""
        fitting = self.limit_seconds / (seconds + OVERHEAD_SECONDS)
        few = min(LEAST_CALLS, self.calls)
        rounds = max(1, min(self.rounds, int(fitting / few)))
        each = int(fitting / rounds)
        return Calls(min(self.calls, each) if each >= few else 0, rounds)


def in_turn(kinds: Sequence[str], round_: int) -> list[str]:
    """In each round another one goes first."""
    first = round_ % max(1, len(kinds))
    return [*kinds[first:], *kinds[:first]]


def left_out(title: str, seconds: float, announce: output.Announce) -> list[Row]:
    announce(f"{title}: left out, as a call takes {units.seconds_text(seconds)}", is_step=True)
    return []
