# SPDX-License-Identifier: Apache-2.0
"""Benchmark (a) when it suddenly is another rank that arrives late: how soon that is learnt, in turn.

Before the change it is one on whom few wait, of a power of two ranks a leaf, so that there is little or nothing to
learn; then it is the first child.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from espalier import output
from espalier_lab.arrival import effect_rows
from espalier_lab.arrival.effect_rows import Ideals
from espalier_lab.arrival.largest_effect import first_child
from espalier_lab.arrival.late_program import Late, Series, late_then
from espalier_lab.arrival.piece import START_SECONDS, Budget, Calls, Where, left_out
from espalier_lab.arrival.places import Place
from espalier_lab.arrival.point import Point, by_variant
from espalier_lab.arrival.rows import Row
from espalier_lab.arrival.variants import IDEAL
from espalier_lab.experiments.launch import Family


@dataclass(frozen=True)
class ChangePiece:
    point: Point
    kinds: Sequence[str]  # of variants, without the ideal
    budget: Budget  # until the change, and again from there on

    @property
    def where(self) -> Where:
        return self.point.where

    @property
    def family(self) -> Family:
        return self.point.family

    @property
    def title(self) -> str:
        return f"{self.point.title} of one rank, then of another"

    @property
    def weight(self) -> float:
        calls = self.budget.fitting(self.point.guess)
        return 3 * START_SECONDS + 2 * (len(self.kinds) + 1) * calls.all * self.point.guess

    def is_done(self, rows: Sequence[Row]) -> bool:
        there = {row.variant for row in self.point.own(rows, changed=True)}
        return all(kind in there for kind in self.kinds)

    def measure(self, place: Place, rows: Sequence[Row], announce: output.Announce) -> list[Row]:
        unit = self.point.measured_unit(rows)
        seconds = unit * (1 + self.point.delay)
        calls = self.budget.fitting(seconds)
        if not calls.all:
            return left_out(self.title, seconds, announce)
        then = first_child(place.ranks)
        late = Late(late_then(then, place.ranks), self.point.delay * unit, calls.each)
        outcome = self.point.job(place, self.kinds, Calls(2 * calls.each, calls.rounds), late, seconds, announce)

        def ideal(rank: int) -> Series:
            """That rank is late all the time, and everybody knows."""
            return self.point.job(place, [IDEAL], calls, Late(rank, late.seconds), seconds, announce).series[0]

        ideals = Ideals(ideal(late.rank), ideal(then))
        return [
            effect_rows.changed_row(self.point, place, name, series, late, ideals, outcome.cpu_busy)
            for name, series in {**by_variant(self.kinds, outcome), IDEAL: ideals.joined}.items()
        ]
