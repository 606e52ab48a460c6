# SPDX-License-Identifier: Apache-2.0
"""Benchmark (b): random patterns, in each of which every rank arrives late by a random time. (Paper 4, section 5.1.)

The paper's ranks do up to a million multiplications each, which next to its broadcasts takes a time that it does not
say: here it is `most`, in multiples of a call's own time.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from espalier import output, units
from espalier_lab.arrival.late_program import Pattern, Series
from espalier_lab.arrival.piece import START_SECONDS, Budget, Where, in_turn, left_out
from espalier_lab.arrival.places import Place
from espalier_lab.arrival.point import Point, by_variant
from espalier_lab.arrival.rows import LOAD, LoadRow, Row, of_kind, short, shortened
from espalier_lab.arrival.settled import flat, typical
from espalier_lab.experiments.launch import Family


@dataclass(frozen=True)
class LoadPiece:
    """One pattern."""

    point: Point  # its delay: the most
    number: int
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
        words = [self.where.name, self.family.value, self.point.collective, units.bytes_text(self.point.bytes)]
        return ", ".join([*words, f"pattern {self.number} of delays up to {self.point.delay:g}x"])

    @property
    def weight(self) -> float:
        return START_SECONDS + len(self.kinds) * self.budget.fitting(self.point.guess).all * self.point.guess

    def of_every_pattern(self, rows: Sequence[Row]) -> list[LoadRow]:
        point = self.point
        here = (point.where.name, point.where.ranks, point.family.versioned, point.collective, point.bytes, point.delay)
        return [
            row
            for row in of_kind(LoadRow, rows)
            if (row.where, row.ranks, row.mpi, row.collective, row.bytes, row.most) == here
        ]

    def missing(self, rows: Sequence[Row]) -> list[str]:
        there = {row.variant for row in self.of_every_pattern(rows) if row.pattern == self.number}
        return [kind for kind in self.kinds if kind not in there]

    def is_done(self, rows: Sequence[Row]) -> bool:
        return not self.missing(rows)

    def most_seconds(self, place: Place, rows: Sequence[Row], announce: output.Announce) -> float:
        """The same in all patterns."""
        known = next((row.delay_s for row in self.of_every_pattern(rows)), None)
        return known or self.point.delay * (self.point.unit(rows) or self.point.trial(place, announce))

    def measure(self, place: Place, rows: Sequence[Row], announce: output.Announce) -> list[Row]:
        most = short(self.most_seconds(place, rows, announce))
        seconds = most / self.point.delay + most
        calls = self.budget.fitting(seconds)
        if not calls.all:
            return left_out(self.title, seconds, announce)
        kinds = in_turn(self.missing(rows), self.number)
        outcome = self.point.job(place, kinds, calls, Pattern(self.number, most), seconds, announce)
        return [
            self.row_of(place, name, series, most, outcome.cpu_busy)
            for name, series in by_variant(kinds, outcome).items()
        ]

    def row_of(self, place: Place, variant: str, series: Series, most: float, cpu_busy: float) -> LoadRow:
        return LoadRow(
            benchmark=LOAD,
            where=place.name,
            mpi=self.family.versioned,
            collective=self.point.collective,
            bytes=self.point.bytes,
            delay_s=most,
            variant=variant,
            overall_s=short(typical(series.overall)),
            mean_s=short(typical(series.mean)),
            ranks=place.ranks,
            calls=len(flat(series.overall)),
            cpu_busy=short(cpu_busy),
            pattern=self.number,
            most=self.point.delay,
            each_overall_s=shortened(flat(series.overall)),
            each_mean_s=shortened(flat(series.mean)),
        )
