# SPDX-License-Identifier: Apache-2.0
"""At each size: what Espalier would begin with, what a plain MPI does at best, and the best of all that was played."""

from collections.abc import Sequence
from dataclasses import dataclass

from espalier import stored, units
from espalier.failure import Failure

SAME = 1.01  # so near to another one a time is no other
NEAR = 1.1
UNEVEN = 0.02  # times of long messages that lie farther off a line are not to be trusted
NATIVE = "native"


@dataclass(frozen=True)
class Played:
    """Of the JSON of espalier-simulate."""

    machine: str
    collective: str
    bytes: int
    algorithm: str
    seconds: float
    ranks: int
    segment: int
    window: int
    off: float
    chosen: bool
    plain: bool

    @property
    def words(self) -> str:
        """With its parameters."""
        cut = f" segment={units.bytes_text(self.segment).replace(' ', '')}" if self.segment else ""
        return f"{self.algorithm}{cut} window={self.window}"


@dataclass(frozen=True)
class Size:
    bytes: int
    plain: Played  # the fastest of what a plain MPI does
    chosen: Played | None  # None: what the MPI does is left in place
    best: Played
    all: Sequence[Played]

    @property
    def seconds(self) -> float:
        """Under Espalier."""
        return self.plain.seconds if self.chosen is None else self.chosen.seconds

    @property
    def gain(self) -> float:
        """How many times as fast."""
        return self.plain.seconds / self.seconds

    @property
    def best_gain(self) -> float:
        return self.plain.seconds / self.best.seconds

    @property
    def choice(self) -> str:
        return NATIVE if self.chosen is None else self.chosen.algorithm

    @property
    def is_near_the_best(self) -> bool:
        return self.seconds <= NEAR * self.best.seconds


def sizes_of(text: str) -> list[Size]:
    """Of what the program printed; only sizes at which a plain MPI does anything."""
    try:
        rows = [stored.dataclass_of(Played, row) for row in stored.load(text)]
    except (TypeError, ValueError) as error:
        raise Failure(f"espalier-simulate said what is not understood: {error}", status=1) from error
    by_size: dict[int, list[Played]] = {}
    for row in rows:
        by_size.setdefault(row.bytes, []).append(row)
    return [found for own in by_size.values() if (found := size_of(own))]


def size_of(rows: Sequence[Played]) -> Size | None:
    order = sorted(rows, key=lambda row: row.seconds)
    plain = next((row for row in order if row.plain), None)
    if plain is None:
        return None
    chosen = next((row for row in rows if row.chosen), None)
    best = next(row for row in (chosen, plain, order[0]) if row and row.seconds <= SAME * order[0].seconds)
    return Size(rows[0].bytes, plain, chosen, best, order)
