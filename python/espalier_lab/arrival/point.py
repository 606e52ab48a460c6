# SPDX-License-Identifier: Apache-2.0
"""One delay at one size, somewhere: what is measured there, and how long that may take."""

from collections.abc import Sequence
from dataclasses import dataclass

from espalier import output, units
from espalier.failure import Failure
from espalier_lab.arrival.late_program import Asked, Late, Pattern, Series
from espalier_lab.arrival.piece import Calls, Where
from espalier_lab.arrival.places import Place
from espalier_lab.arrival.rows import EffectRow, Row, of_kind
from espalier_lab.arrival.run import Outcome, late_job
from espalier_lab.arrival.settled import typical
from espalier_lab.arrival.variants import in_program, is_plain, plain
from espalier_lab.experiments.launch import Family

TRIAL_CALLS = 7


@dataclass(frozen=True)
class Point:
    where: Where
    family: Family
    collective: str
    bytes: int
    delay: float  # in multiples of what the tree takes in which nobody is arranged, if nobody is late

    @property
    def title(self) -> str:
        words = [self.where.name, self.family.value, self.collective, units.bytes_text(self.bytes)]
        return ", ".join([*words, f"delay {self.delay:g}x"])

    @property
    def guess(self) -> float:
        """Seconds of a call."""
        return self.where.guess(self.bytes) * (1 + self.delay)

    def at_every_delay(self, rows: Sequence[Row], *, changed: bool = False) -> list[EffectRow]:
        here = (self.where.name, self.where.ranks, self.family.versioned, self.collective, self.bytes)
        return [
            row
            for row in of_kind(EffectRow, rows)
            if (row.where, row.ranks, row.mpi, row.collective, row.bytes) == here and row.is_changed == changed
        ]

    def own(self, rows: Sequence[Row], *, changed: bool = False) -> list[EffectRow]:
        return [row for row in self.at_every_delay(rows, changed=changed) if row.delay == self.delay]

    def unit(self, rows: Sequence[Row]) -> float | None:
        """Seconds of which delays are multiples, if they were measured."""
        times = (row.overall_s for row in self.at_every_delay(rows) if row.delay == 0 and is_plain(row.variant))
        return next(times, None)

    def measured_unit(self, rows: Sequence[Row]) -> float:
        unit = self.unit(rows)
        if unit is None:
            raise Failure(f"what {plain(self.collective)} takes without a delay was not measured", status=1)
        return unit

    def trial(self, place: Place, announce: output.Announce) -> float:
        """The unit by a few calls."""
        (series,) = self.job(place, [plain(self.collective)], Calls(TRIAL_CALLS), None, 0.0, announce).series
        return typical(series.overall)

    def job(
        self,
        place: Place,
        variants: Sequence[str],
        calls: Calls,
        delays: Late | Pattern | None,
        seconds: float,
        announce: output.Announce,
    ) -> Outcome:
        """`seconds`: what a call takes, about."""
        names = [in_program(one, self.collective) for one in variants]
        asked = Asked(self.collective, self.bytes, names, calls.each, calls.rounds, delays)
        return late_job(place, self.family, asked, seconds * calls.all * len(names), announce)


def by_variant(variants: Sequence[str], outcome: Outcome) -> dict[str, Series]:
    return dict(zip(variants, outcome.series, strict=True))
