# SPDX-License-Identifier: Apache-2.0
"""What a sweep measures, a job for each piece: a function of MPI, a size, and for reductions a kind of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from espalier import units
from espalier.functions import COLLECTIVES
from espalier.memory.contents import REDUCTIONS, Context

# Cheap and common ones first. Whatever of MPI_Alltoallw is learnt, MPI_Alltoallv teaches, too.
REGULAR = (
    *("allreduce", "bcast", "allgather", "alltoall", "reduce", "reduce_scatter_block"),
    *("gather", "scatter", "scan", "exscan", "barrier"),
)
UNEVEN = ("reduce_scatter", "allgatherv", "alltoallv", "gatherv", "scatterv")
DEFAULT = (*REGULAR, *UNEVEN)
ALLOWED = (*DEFAULT, "alltoallw")

KIB, MIB = 1 << 10, 1 << 20
SIZES = (8, 64, 512, 4 * KIB, 32 * KIB, 256 * KIB, 2 * MIB, 4 * MIB)

# Functions of whose sizes not all ranks know: they have one context for all, which is measured at a size in the middle.
SIZE_UNKNOWN = ("alltoallv", "alltoallw", "gatherv", "scatterv")
SIZE_WHERE_UNKNOWN = 4 * KIB

IN_BLOCKS = ("allgather", "alltoall", "gather", "scatter")
LARGEST_BUFFER = 128 * MIB  # of a rank, unless somebody asks for more

ELEMENT_BYTES = 8
WHOLE, REAL = "whole", "real"


@dataclass(frozen=True)
class Key:
    """Which context of the memory it is."""

    collective: str
    bytes: int  # of the message, or of a block; 0: not all ranks know it
    arithmetic: str
    uneven: bool

    def is_of(self, context: Context) -> bool:
        same = (context.collective, context.arithmetic, context.uneven) == (
            self.collective,
            self.arithmetic,
            self.uneven,
        )
        covers = context.bytes_low <= self.bytes <= context.bytes_high
        return same and covers and context.root == 0 and context.element_bytes in (0, ELEMENT_BYTES)


@dataclass(frozen=True)
class Piece:
    function: str
    bytes: int  # as the program that measures means it: before it is reduced and scattered, say
    numbers: str = REAL

    @property
    def collective(self) -> str:
        return COLLECTIVES[self.function]

    @property
    def is_uneven(self) -> bool:
        return self.function in UNEVEN or self.function in SIZE_UNKNOWN

    @property
    def title(self) -> str:
        words = [self.function]
        words += ["of any size" if self.function in SIZE_UNKNOWN else units.bytes_text(self.bytes)] * (self.bytes > 0)
        words += [f"{self.numbers} numbers"] * (self.collective in REDUCTIONS)
        return ", ".join(words)

    def key(self, ranks: int) -> Key:
        is_shown = self.collective in REDUCTIONS and self.numbers == REAL and ranks > 2  # two add in one order only
        return Key(self.collective, self.known_bytes(ranks), "commutative" if is_shown else "exact", self.is_uneven)

    def known_bytes(self, ranks: int) -> int:
        """What all ranks know: of the message, or of a block, and the mean where blocks differ."""
        if self.function in SIZE_UNKNOWN:
            return 0
        elements = -(-self.bytes // ELEMENT_BYTES)
        if self.collective == "reduce_scatter":
            elements = max(1, elements // ranks)
        if not self.is_uneven:
            return elements * ELEMENT_BYTES
        smaller, larger = elements - elements // 2, elements + elements // 2
        total = (ranks + 1) // 2 * smaller + ranks // 2 * larger
        if self.collective in REDUCTIONS:
            return total // ranks * ELEMENT_BYTES
        return total * ELEMENT_BYTES // ranks

    def buffer_bytes(self, ranks: int) -> int:
        """About as much memory as one rank needs."""
        return 2 * self.bytes * (ranks if self.collective in IN_BLOCKS else 1)


def of_size(function: str, size: int) -> list[Piece]:
    if function == "barrier":
        return [Piece(function, 0)]
    if function in SIZE_UNKNOWN:
        return [Piece(function, SIZE_WHERE_UNKNOWN)]
    if COLLECTIVES[function] in REDUCTIONS:
        return [Piece(function, size, WHOLE), Piece(function, size, REAL)]
    return [Piece(function, size)]


def planned(functions: Sequence[str], sizes: Sequence[int], ranks: int, largest_buffer: int | None) -> list[Piece]:
    """Size by size, so that what was done in a short time is a coarse picture of all. One piece for each context."""
    found: dict[Key, Piece] = {}
    for size in sizes:
        for function in functions:
            for piece in of_size(function, size):
                if largest_buffer is None or piece.buffer_bytes(ranks) <= largest_buffer:
                    found.setdefault(class_of(piece.key(ranks)), piece)
    return list(found.values())


def class_of(key: Key) -> Key:
    """Where any order gives the same bits, a context holds for a power of two."""
    size = 1 << key.bytes.bit_length() - 1 if key.arithmetic == "exact" and key.bytes else key.bytes
    return Key(key.collective, size, key.arithmetic, key.uneven)
