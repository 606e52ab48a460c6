# SPDX-License-Identifier: Apache-2.0
"""What each rank says and holds before a collective call, and what it must hold after it.

Every number tells where it comes from, blocks of different ranks have different lengths wherever the function allows
it, and they lie in reverse order with gaps between them; so a block that is wrong, misplaced or too long shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

RANKS = 3
ROOT = RANKS - 1
LENGTH = 20  # of each buffer
BYTES = 4  # of a number

REDUCTIONS = ("reduce", "allreduce", "reduce_scatter", "scan", "exscan")

UNTOUCHED = -1
ANYTHING = -2  # as a result: what the standard leaves open
MEANINGLESS = -7  # what counts for nothing on this rank


@dataclass(frozen=True)
class Case:
    """How a function and its other forms are called."""

    blocking: str  # "Gatherv"
    collective: str
    is_in_place: bool = False
    is_absolute: bool = False  # what is received goes to MPI_BOTTOM, by a derived datatype that says where that is

    @property
    def is_rooted(self) -> bool:
        return self.collective in ("bcast", "reduce", "gather", "scatter")

    @property
    def is_uneven(self) -> bool:
        return self.blocking.endswith(("v", "w")) or self.blocking == "Reduce_scatter"

    @property
    def has_types(self) -> bool:
        """A datatype for each block, and displacements in bytes."""
        return self.blocking.endswith("w")


def cases_of(blocking: str, collective: str) -> list[Case]:
    """All of its cases: as it is, in place, at absolute addresses."""
    plain = Case(blocking, collective)
    cases = [plain]
    if collective not in ("barrier", "bcast"):
        cases.append(replace(plain, is_in_place=True))
    if collective not in ("barrier", *REDUCTIONS) and not plain.has_types:
        cases.append(replace(plain, is_absolute=True))
    return cases


def meaningless() -> list[int]:
    return [MEANINGLESS] * RANKS


def untouched() -> list[int]:
    return [UNTOUCHED] * LENGTH


@dataclass
class Message:
    """Of one rank; named as the standard names the arguments."""

    sendbuf: list[int] = field(default_factory=untouched)
    recvbuf: list[int] = field(default_factory=untouched)
    expected: list[int] = field(default_factory=untouched)
    sendcount: int = MEANINGLESS
    recvcount: int = MEANINGLESS
    sendcounts: list[int] = field(default_factory=meaningless)
    sdispls: list[int] = field(default_factory=meaningless)
    recvcounts: list[int] = field(default_factory=meaningless)
    rdispls: list[int] = field(default_factory=meaningless)

    def numbers(self) -> list[int]:
        """In the order in which the programs read them."""
        counts = [self.sendcount, self.recvcount]
        arrays = self.sendcounts + self.sdispls + self.recvcounts + self.rdispls
        return self.sendbuf + self.recvbuf + self.expected + counts + arrays


def messages(case: Case) -> list[Message]:
    """Of all ranks."""
    if case.collective == "barrier":
        return [Message() for _ in range(RANKS)]
    if case.collective == "bcast":
        return [broadcast(rank) for rank in range(RANKS)]
    if case.collective in REDUCTIONS:
        return [reduction(case, rank) for rank in range(RANKS)]
    return [exchange(case, rank) for rank in range(RANKS)]


def put(buffer: list[int], place: int, block: Sequence[int]) -> None:
    buffer[place : place + len(block)] = block


def broadcast(rank: int) -> Message:
    numbers = range(7)
    message = Message(recvcount=len(numbers))
    put(message.expected, 0, numbers)
    if rank == ROOT:
        put(message.recvbuf, 0, numbers)
    return message


def contributors(case: Case, rank: int) -> range:
    """Whose contributions a rank gets the sum of."""
    return range({"scan": rank + 1, "exscan": rank}.get(case.collective, RANKS))


def reduction(case: Case, rank: int) -> Message:
    """The sums are unlike for any two sets of ranks."""
    sizes = [other + 1 if case.is_uneven else 2 for other in range(RANKS)]
    whole = range(sum(sizes))
    own = whole
    if case.collective == "reduce_scatter":
        own = range(sum(sizes[:rank]), sum(sizes[: rank + 1]))
    message = Message(sendcount=len(whole), recvcount=len(own), recvcounts=sizes)
    contribution = [(k + 1) * 100**rank for k in whole]
    put(message.sendbuf, 0, contribution)
    gets_result = rank == ROOT or case.collective != "reduce"
    if case.is_in_place and gets_result:
        put(message.recvbuf, 0, contribution)
        put(message.expected, 0, [ANYTHING] * len(whole))
    if gets_result:
        others = contributors(case, rank)
        sums = [sum((k + 1) * 100**other for other in others) for k in own]
        put(message.expected, 0, sums if others else [ANYTHING] * len(own))
    return message


def exchange(case: Case, rank: int) -> Message:
    """Blocks from ranks to ranks. In a gather all ranks get the same block of a rank."""
    is_gather = case.collective in ("gather", "allgather")

    def block(source: int, target: int) -> list[int]:
        size = 2
        if case.is_uneven:
            size = {"scatter": target + 1, "alltoall": source + target + 1}.get(case.collective, source + 1)
        return [1000 * (source + 1) + (0 if is_gather else 100 * target) + k for k in range(size)]

    given = [block(rank, target) for target in range(RANKS)]
    got = [block(ROOT if case.collective == "scatter" else source, rank) for source in range(RANKS)]
    message = Message()
    marks_place = case.is_in_place and (rank == ROOT or not case.is_rooted)
    if not marks_place or case.collective == "scatter":
        give(message, given, case, rank)
    if not marks_place or case.collective != "scatter":
        get(message, got, case, rank)
    if marks_place and case.collective == "alltoall":
        put_all(message.recvbuf, places_of(got, case), given)
    elif marks_place and is_gather:
        put(message.recvbuf, places_of(got, case)[rank], given[0])
    return message


def give(message: Message, blocks: Sequence[list[int]], case: Case, rank: int) -> None:
    """What a rank sends: one block, or one for each rank."""
    if case.collective in ("gather", "allgather"):
        put(message.sendbuf, 0, blocks[0])
        message.sendcount = len(blocks[0])
    elif case.collective == "alltoall" or rank == ROOT:
        places = places_of(blocks, case)
        put_all(message.sendbuf, places, blocks)
        message.sendcount, message.sendcounts = len(blocks[0]), [len(block) for block in blocks]
        message.sdispls = displacements(places, case)


def get(message: Message, blocks: Sequence[list[int]], case: Case, rank: int) -> None:
    """What a rank receives: one block, or one of each rank."""
    if case.collective == "scatter":
        put(message.expected, 0, blocks[0])
        message.recvcount = len(blocks[0])
    elif case.collective != "gather" or rank == ROOT:
        places = places_of(blocks, case)
        put_all(message.expected, places, blocks)
        message.recvcount, message.recvcounts = len(blocks[0]), [len(block) for block in blocks]
        message.rdispls = displacements(places, case)


def places_of(blocks: Sequence[list[int]], case: Case) -> list[int]:
    """Where blocks lie: uneven ones in reverse order, with gaps."""
    sizes = [len(block) for block in blocks]
    if not case.is_uneven:
        return [sizes[0] * k for k in range(RANKS)]
    return [1 + sum(size + 1 for size in sizes[k + 1 :]) for k in range(RANKS)]


def displacements(places: list[int], case: Case) -> list[int]:
    return [BYTES * place for place in places] if case.has_types else places


def put_all(buffer: list[int], places: Sequence[int], blocks: Sequence[list[int]]) -> None:
    for place, block in zip(places, blocks, strict=True):
        put(buffer, place, block)
