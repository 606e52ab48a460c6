# SPDX-License-Identifier: Apache-2.0
"""Benchmark (a): the first child of the root, on whom half of the ranks wait, arrives late to each call. (Paper 4,
section 5.1.)"""

from collections.abc import Sequence
from dataclasses import dataclass

from espalier import output
from espalier_lab.arrival import effect_rows, survey
from espalier_lab.arrival.late_program import Late
from espalier_lab.arrival.piece import START_SECONDS, Budget, Where, left_out
from espalier_lab.arrival.places import Place
from espalier_lab.arrival.point import Point, by_variant
from espalier_lab.arrival.rows import Row
from espalier_lab.arrival.variants import FORCED, is_forced, kind_of
from espalier_lab.experiments.launch import Family


def first_child(ranks: int) -> int:
    """Of rank 0, in a binomial tree: to whom it sends first."""
    return 1 << ((ranks - 1).bit_length() - 1)


@dataclass(frozen=True)
class EffectPiece:
    point: Point
    kinds: Sequence[str]  # of variants
    budget: Budget

    @property
    def where(self) -> Where:
        return self.point.where

    @property
    def family(self) -> Family:
        return self.point.family

    @property
    def title(self) -> str:
        return self.point.title

    @property
    def weight(self) -> float:
        count = len(self.kinds) + (survey.BEST - 1 if FORCED in self.kinds else 0)
        return START_SECONDS + count * self.budget.fitting(self.point.guess).all * self.point.guess

    def missing(self, rows: Sequence[Row]) -> list[str]:
        there = {kind_of(row.variant) for row in self.point.own(rows)}
        return [kind for kind in self.kinds if kind not in there]

    def is_done(self, rows: Sequence[Row]) -> bool:
        return not self.missing(rows)

    def measure(self, place: Place, rows: Sequence[Row], announce: output.Announce) -> list[Row]:
        unit = self.point.measured_unit(rows) if self.point.delay > 0 else self.point.unit(rows)
        unit = unit or self.point.trial(place, announce)
        seconds = unit * (1 + self.point.delay)
        calls = self.budget.fitting(seconds)
        if not calls.all:
            return left_out(self.title, seconds, announce)
        variants = self.variants(place, rows, announce)
        late = Late(first_child(place.ranks), self.point.delay * unit)
        outcome = self.point.job(place, variants, calls, late, seconds, announce)
        found = [
            effect_rows.row_of(self.point, place, name, series, late, outcome.cpu_busy)
            for name, series in by_variant(variants, outcome).items()
        ]
        return [*effect_rows.with_until(found, effect_rows.ideal_in([*found, *self.point.own(rows)]))]

    def variants(self, place: Place, rows: Sequence[Row], announce: output.Announce) -> list[str]:
        """Of what is missing, with those forced by name."""
        found: list[str] = []
        for kind in self.missing(rows):
            found += self.forced(place, rows, announce) if kind == FORCED else [kind]
        return found

    def forced(self, place: Place, rows: Sequence[Row], announce: output.Announce) -> list[str]:
        """The same ones at every delay."""
        known = [row.variant for row in self.point.at_every_delay(rows) if is_forced(row.variant)]
        point = self.point
        return list(dict.fromkeys(known)) or survey.best_forced(
            place, point.family, point.collective, point.bytes, announce
        )
