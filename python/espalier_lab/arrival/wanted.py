# SPDX-License-Identifier: Apache-2.0
"""What users want measured, in pieces."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from espalier_lab.arrival import sparse_product, variants
from espalier_lab.arrival.change import ChangePiece
from espalier_lab.arrival.largest_effect import EffectPiece
from espalier_lab.arrival.piece import Budget, Piece, Where
from espalier_lab.arrival.point import Point
from espalier_lab.arrival.random_load import LoadPiece
from espalier_lab.arrival.rows import EFFECT, LOAD, PRODUCT
from espalier_lab.arrival.sparse_product import Matrix, ProductPiece
from espalier_lab.arrival.variants import DEFAULT, IDEAL, NATIVE, plain
from espalier_lab.experiments.comparison import KIB, MIB
from espalier_lab.experiments.launch import Family

CHANGE = "change"
BENCHMARKS = (EFFECT, CHANGE, LOAD, PRODUCT)

SIZES = {EFFECT: (KIB, 64 * KIB, MIB, 8 * MIB), CHANGE: (KIB, 64 * KIB, MIB), LOAD: (MIB,)}
DELAYS_WITH_CHANGE = (1.0, 8.0)  # from which to which: long enough to be seen, short enough for many calls


@dataclass(frozen=True)
class Wanted:
    benchmarks: Sequence[str]
    families: Sequence[Family]
    collectives: Sequence[str]
    sizes: Sequence[int]  # none: as each benchmark has them
    delays: Sequence[float]
    variants: Sequence[str]  # with * for any letters; none: all
    budget: Budget
    patterns: int
    most: float
    matrices: Sequence[Matrix]

    def pieces(self, where: Where) -> list[Piece]:
        """In the order in which they are measured: each MPI's follow each other, and what is needed first comes
        first."""
        of = {EFFECT: self.effects, CHANGE: self.changes, LOAD: self.loads, PRODUCT: self.products}
        return [
            piece for family in self.families for benchmark in self.benchmarks for piece in of[benchmark](where, family)
        ]

    def points(self, benchmark: str, where: Where, family: Family, delays: Sequence[float]) -> Iterator[Point]:
        for collective in self.collectives:
            for size in self.sizes or SIZES[benchmark]:
                for delay in delays:
                    yield Point(where, family, collective, size, delay)

    def kinds(self, every: Sequence[str]) -> list[str]:
        return variants.wanted(every, self.variants)

    def effects(self, where: Where, family: Family) -> Iterator[Piece]:
        for point in self.points(EFFECT, where, family, sorted({0.0, *self.delays})):
            kinds = self.kinds(variants.every(point.collective)) if point.delay in self.delays else []
            if point.delay == 0 and plain(point.collective) not in kinds:
                kinds.append(plain(point.collective))  # delays are multiples of what it takes
            if kinds:
                yield EffectPiece(point, kinds, self.budget)

    def changes(self, where: Where, family: Family) -> Iterator[Piece]:
        least, most = DELAYS_WITH_CHANGE
        delays = [delay for delay in sorted(set(self.delays)) if least <= delay <= most]
        for point in self.points(CHANGE, where, family, [0.0, *delays]):
            kinds = self.kinds(variants.trees(point.collective))
            if not kinds:
                continue
            if point.delay > 0:
                yield ChangePiece(point, kinds, self.budget)
            elif EFFECT not in self.benchmarks and delays:
                yield EffectPiece(point, [plain(point.collective)], self.budget)

    def loads(self, where: Where, family: Family) -> Iterator[Piece]:
        for point in self.points(LOAD, where, family, [self.most]):
            kinds = self.kinds((NATIVE, *variants.trees(point.collective)))
            if kinds:
                yield from (
                    LoadPiece(point, number, kinds, replace(self.budget, rounds=1)) for number in range(self.patterns)
                )

    def products(self, where: Where, family: Family) -> Iterator[Piece]:
        kinds = self.kinds((NATIVE, *variants.trees(sparse_product.COLLECTIVE), IDEAL, DEFAULT))
        for matrix in self.matrices if kinds else ():
            yield from (ProductPiece(where, family, matrix, kinds, number) for number in range(self.budget.rounds))
