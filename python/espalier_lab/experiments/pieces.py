# SPDX-License-Identifier: Apache-2.0
"""A study in pieces: what one program measures in one go, so that a study can be stopped and gone on with.

Of a series in each direction at each size is a piece. A comparison in turns is one.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from espalier import output, units
from espalier.installation import Installation
from espalier.words import matches
from espalier_lab.experiments import compare, hop, series_variants
from espalier_lab.experiments.bounds import Bound
from espalier_lab.experiments.collected import Collected, PartOfStudy, on_each_network
from espalier_lab.experiments.comparison import Comparison, Row
from espalier_lab.experiments.launch import Family
from espalier_lab.experiments.turns import seconds_in_turns
from espalier_lab.network.plan import Plan

FEWEST_CALLS = 5
FIXED_SHARE = 10  # what is one algorithm all the time learns nothing: a tenth of the calls tells how fast it is

# Of a piece, next to its calls: to start, to connect, and what a call takes of this machine's processors. Only their
# proportion counts, once some pieces were measured.
START_SECONDS, CALL_SECONDS = 2.0, 0.005

# What a call of a series takes next to its bound: of those that do not know the network, by its kind.
OVER_BOUND = {"leafspine": 1.6, "rails": 4.0, "sites": 12.0}
OVER_BOUND_ON_LATTICE, OVER_BOUND_DESCRIBED = 18.0, 2.5


@dataclass(frozen=True)
class Piece(PartOfStudy):
    """Of a series with one size and one variant."""

    bound: Bound

    @property
    def title(self) -> str:
        one = self.comparison
        words = [one.lab, self.family.value, one.collective]
        if one.series:
            words += [units.bytes_text(one.sizes[0]), one.variants[0]]
        return ", ".join(words)

    @property
    def weight(self) -> float:
        """About how many seconds it takes."""
        one = self.comparison
        if not one.series:
            return START_SECONDS + seconds_in_turns(one, self.bound, CALL_SECONDS)
        each = [CALL_SECONDS + self.over_bound * self.bound(one.collective, size) for size in one.sizes]
        seconds = calls_of(one, one.series) * sum(each)
        limit = one.limit_seconds / (FIXED_SHARE if series_variants.is_fixed(one.variants[0]) else 1)
        return START_SECONDS + (seconds if one.collective == series_variants.TRANSFORM else min(seconds, limit))

    @property
    def over_bound(self) -> float:
        if self.comparison.variants[0].startswith(series_variants.DESCRIBED):
            return OVER_BOUND_DESCRIBED
        return OVER_BOUND.get(self.network.partition(":")[0], OVER_BOUND_ON_LATTICE)

    def is_row(self, row: Row) -> bool:
        one = self.comparison
        where = (row.lab, row.mpi, row.collective) == (one.lab, self.family.versioned, one.collective)
        return where and row.bytes in one.sizes and (not one.series or row.variant == one.variants[0])

    def is_done(self, rows: Sequence[Row]) -> bool:
        return {row.bytes for row in rows if self.is_row(row)} == set(self.comparison.sizes)


def calls_of(comparison: Comparison, calls: int) -> int:
    return max(FEWEST_CALLS, calls // FIXED_SHARE) if series_variants.is_fixed(comparison.variants[0]) else calls


def pieces_of(
    installation: Installation,
    comparisons: Sequence[Comparison],
    families: Sequence[Family],
    bound_of: Callable[[Comparison], Bound],
    variants: Sequence[str] = (),
) -> list[Piece]:
    """In the order in which they are measured: those on the same network and under the same MPI follow each other. Of
    `variants`, with * for any letters, only those; all, if none is named."""
    split = [piece for one in comparisons for piece in split_up(installation, one, variants)]
    networks = list(dict.fromkeys((one.network, one.options) for one in split))
    return [
        Piece(one, family, bound_of(one))
        for network in networks
        for family in families
        for one in split
        if (one.network, one.options) == network
    ]


def split_up(installation: Installation, comparison: Comparison, variants: Sequence[str]) -> Iterator[Comparison]:
    if not comparison.series:
        kept = [one for one in comparison.variants if not variants or matches(one, variants)]
        if kept:
            yield replace(comparison, variants=kept)
        return
    for size in comparison.sizes:
        for variant in series_variants.expanded(installation, comparison.variants, comparison.collective):
            if not variants or matches(variant, variants):
                yield replace(comparison, sizes=(size,), variants=(variant,))


def run(
    installation: Installation,
    pieces: Sequence[Piece],
    rows: Sequence[Row],
    announce: output.Announce,
    keep: Callable[[Sequence[Row]], None],
) -> Collected[Row]:
    """Those of which `rows` has nothing yet."""
    left = [piece for piece in pieces if not piece.is_done(rows)]
    collected = Collected(rows, [piece.weight for piece in left], announce, keep)
    on_each_network(left, partial(measure, installation, collected, announce))
    return collected


def measure(
    installation: Installation,
    collected: Collected[Row],
    announce: output.Announce,
    plan: Plan,
    pieces: Sequence[Piece],
) -> None:
    for family in dict.fromkeys(piece.family for piece in pieces):
        seconds = hop.measured(installation, plan, family, announce)
        described = hop.with_hop(plan, seconds)
        for piece in pieces:
            if piece.family is family:
                found = collected.attempt(
                    piece.title, partial(measure_one, installation, described, piece, collected.rows, announce)
                )
                if found:
                    collected.add(replace(row, hop_s=seconds) for row in found)


def measure_one(
    installation: Installation, plan: Plan, piece: Piece, rows: Sequence[Row], announce: output.Announce
) -> list[Row]:
    comparison = with_calls(piece.comparison, piece.family, rows)
    return compare.measure(installation, plan, piece.family, comparison, piece.bound, announce)


def with_calls(comparison: Comparison, family: Family, rows: Sequence[Row]) -> Comparison:
    """As many calls as there were of the native MPI, if that was measured; otherwise the limit is so's own."""
    if not comparison.series:
        return comparison
    variant = comparison.variants[0]
    native = Piece(replace(comparison, variants=(series_variants.NATIVE,)), family, lambda *_: 0.0)
    calls = next((row.calls for row in rows if native.is_row(row)), 0) if variant != series_variants.NATIVE else 0
    return replace(comparison, series=calls_of(comparison, calls or comparison.series), is_limited=calls == 0)
