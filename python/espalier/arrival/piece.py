# SPDX-License-Identifier: Apache-2.0
"""What is measured in one go, so that it can be stopped and gone on with."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from espalier import output
from espalier.arrival.places import MACHINE, Place
from espalier.arrival.rows import Row
from espalier.lab.launch import Family

LEAST_CALLS = 20
BESIDE_SECONDS = 0.006  # of each call: to begin together, and to look at what came

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
        """Seconds of a call to which nobody comes late."""
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

    def measure(self, place: Place, rows: Sequence[Row], say: output.Say) -> list[Row]:
        """New rows, maybe in the places of some of those; none if it would take too long."""


@dataclass(frozen=True)
class Budget:
    calls: int
    limit_seconds: float  # of one variant

    def calls_of(self, seconds: float) -> int:
        """How many that take so long; 0: even a few take too long."""
        fitting = int(self.limit_seconds / (seconds + BESIDE_SECONDS))
        return min(self.calls, fitting) if fitting >= min(LEAST_CALLS, self.calls) else 0


def left_out(title: str, seconds: float, say: output.Say) -> list[Row]:
    say(f"{title}: left out, as a call takes {output.seconds_text(seconds)}", is_step=True)
    return []
