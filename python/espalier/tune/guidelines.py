# SPDX-License-Identifier: Apache-2.0
"""What one may expect of an MPI's collectives: none should take longer than others by which it could be done.

Träff, Gropp, Thakur, Self-consistent MPI performance guidelines, IEEE TPDS 21(5), 2010; Hunold, Carpen-Amarie, Lübbe,
Träff, Automatic verification of self-consistent MPI performance guidelines (PGMPI), Euro-Par 2016; Hunold,
Carpen-Amarie, Autotuning MPI collectives using performance guidelines, HPC Asia 2018.

Sizes are those of the memory: of the message, or where there is a block for each rank, of one block.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

# Some ranks need nothing of some others, and run ahead of them.
ONE_DIRECTION = ("bcast", "reduce", "gather", "scatter", "scan", "exscan")

Size = Callable[[int, int], int]  # from the size on the left and the number of ranks


def same(size: int, _ranks: int) -> int:
    return size


def whole(size: int, ranks: int) -> int:
    """Of all blocks together."""
    return size * ranks


def block(size: int, ranks: int) -> int:
    return -(-size // ranks)


@dataclass(frozen=True)
class Part:
    collective: str
    size: Size = same
    uneven: bool = False


@dataclass(frozen=True)
class Guideline:
    """That `left` takes no longer than all of the right, one after the other."""

    left: str
    right: tuple[Part, ...]

    @property
    def is_hint(self) -> bool:
        """Calls back to back look faster than they are where ranks need not wait for each other in each of them."""
        return self.left not in ONE_DIRECTION and any(part.collective in ONE_DIRECTION for part in self.right)

    @property
    def text(self) -> str:
        return f"{self.left} <= {' + '.join(map(part_text, self.right))}"


def part_text(part: Part) -> str:
    words = part.collective + (" with uneven blocks" if part.uneven else "")
    return words + (" of all blocks" if part.size is whole else " of blocks" if part.size is block else "")


GUIDELINES = (
    Guideline("allreduce", (Part("reduce"), Part("bcast"))),
    Guideline("allreduce", (Part("reduce_scatter", block), Part("allgather", block))),
    Guideline("reduce", (Part("allreduce"),)),
    Guideline("reduce", (Part("reduce_scatter", block), Part("gather", block))),
    Guideline("bcast", (Part("scatter", block), Part("allgather", block))),
    Guideline("allgather", (Part("gather"), Part("bcast", whole))),
    Guideline("allgather", (Part("alltoall"),)),
    Guideline("allgather", (Part("allgather", uneven=True),)),
    Guideline("gather", (Part("allgather"),)),
    Guideline("scatter", (Part("bcast", whole),)),
    Guideline("reduce_scatter", (Part("reduce", whole), Part("scatter"))),
    Guideline("reduce_scatter", (Part("allreduce", whole),)),
    Guideline("reduce_scatter", (Part("reduce_scatter", uneven=True),)),
    Guideline("exscan", (Part("scan"),)),
)

MONOTONY = "no longer than a larger message"
EVERY = (
    "allreduce",
    "bcast",
    "allgather",
    "alltoall",
    "reduce",
    "reduce_scatter",
    "gather",
    "scatter",
    "scan",
    "exscan",
)
