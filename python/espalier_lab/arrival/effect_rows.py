# SPDX-License-Identifier: Apache-2.0
"""Rows of benchmark (a)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from espalier_lab.arrival.late_program import Late, Series, late_then
from espalier_lab.arrival.places import Place
from espalier_lab.arrival.point import Point
from espalier_lab.arrival.rows import EFFECT, EffectRow, short, shortened
from espalier_lab.arrival.settled import Rounds, flat, in_rounds, quartiles, typical, until_near
from espalier_lab.arrival.variants import IDEAL


def joined(before: Rounds, after: Rounds) -> list[list[float]]:
    return [[*one, *other] for one, other in zip(before, after, strict=True)]


@dataclass(frozen=True)
class Ideals:
    """What calls take if everybody knows who is late, before a change and after it."""

    before: Series
    after: Series

    @property
    def joined(self) -> Series:
        before, after = self.before, self.after
        return Series(joined(before.overall, after.overall), joined(before.mean, after.mean))


def row_of(
    point: Point, place: Place, variant: str, series: Series, late: Late, cpu_busy: float, **more: Any
) -> EffectRow:
    low, high = quartiles(series.overall)
    return EffectRow(
        benchmark=EFFECT,
        where=place.name,
        mpi=point.family.versioned,
        collective=point.collective,
        bytes=point.bytes,
        delay_s=short(late.seconds),
        variant=variant,
        overall_s=short(typical(series.overall)),
        mean_s=short(typical(series.mean)),
        ranks=place.ranks,
        calls=len(flat(series.overall)),
        cpu_busy=short(cpu_busy),
        late=late.rank,
        delay=point.delay,
        overall_q1_s=short(low),
        overall_q3_s=short(high),
        bound_s=short(max(late.seconds, place.bound(point.collective, point.bytes))),
        rounds=len(series.overall),
        each_overall_s=shortened(flat(series.overall)),
        each_mean_s=shortened(flat(series.mean)),
        **more,
    )


def ideal_in(rows: Iterable[EffectRow]) -> EffectRow | None:
    return next((row for row in rows if row.variant == IDEAL), None)


def with_until(rows: Sequence[EffectRow], ideal: EffectRow | None) -> Iterator[EffectRow]:
    for row in rows:
        if ideal is None:
            yield row
        else:
            overall = until_near(in_rounds(row.each_overall_s, row.rounds), ideal.overall_s)
            mean = until_near(in_rounds(row.each_mean_s, row.rounds), ideal.mean_s)
            yield replace(row, until_ideal=overall, until_ideal_mean=mean)


def part_of(series: Series, part: slice) -> Series:
    """Of each round."""
    return Series([one[part] for one in series.overall], [one[part] for one in series.mean])


def changed_row(
    point: Point, place: Place, variant: str, series: Series, late: Late, ideals: Ideals, cpu_busy: float
) -> EffectRow:
    """`late`: before the change. Times are of the end."""
    at = late.change_after
    before, after = (part_of(series, part) for part in (slice(at), slice(at, None)))
    row = row_of(
        point,
        place,
        variant,
        after,
        late,
        cpu_busy,
        change_after=at,
        late_then=late_then(late.rank, place.ranks),
        until_ideal=until_near(before.overall, typical(ideals.before.overall)),
        until_ideal_mean=until_near(before.mean, typical(ideals.before.mean)),
        until_ideal_again=until_near(after.overall, typical(ideals.after.overall)),
        until_ideal_mean_again=until_near(after.mean, typical(ideals.after.mean)),
    )
    return replace(
        row,
        calls=len(flat(series.overall)),
        each_overall_s=shortened(flat(series.overall)),
        each_mean_s=shortened(flat(series.mean)),
    )
