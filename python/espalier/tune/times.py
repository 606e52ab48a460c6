# SPDX-License-Identifier: Apache-2.0
"""How long collectives take, by a memory: natively, and as they run under Espalier."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Optional

from espalier.memory.contents import REDUCTIONS, Candidate, Context, Memory

LARGER = 8  # times: so much larger a message may stand for one; the sizes of a sweep are so far apart

TimeOf = Callable[[Context], Optional[Candidate]]


def native(context: Context) -> Candidate | None:
    return context.native if context.native and context.native.seconds > 0 else None


def best(context: Context) -> Candidate | None:
    return context.best if context.best.seconds > 0 else None


@dataclass(frozen=True)
class Found:
    context: Context
    is_of_size: bool  # or else of a larger one


class Times:
    def __init__(self, memory: Memory) -> None:
        self.ranks = memory.ranks
        self._contexts = sorted(
            (one for one in memory.contexts if one.root == 0 and one.bytes_low > 0),
            key=lambda one: (one.bytes_low, one.bytes_high),
        )

    def of(self, collective: str, arithmetic: str, uneven: bool = False) -> Iterator[Context]:
        """In the order of sizes."""
        for one in self._contexts:
            is_alike = collective not in REDUCTIONS or one.arithmetic == arithmetic
            if one.collective == collective and one.uneven == uneven and is_alike:
                yield one

    def covering(self, collective: str, arithmetic: str, size: int, uneven: bool = False) -> Found | None:
        """Of messages of this size, or of larger ones, which might be sent in its place. A context counts as of the
        least size that it holds for, since that is what a sweep measures."""
        for one in self.of(collective, arithmetic, uneven):
            if one.bytes_low >= size:
                return Found(one, one.bytes_low == size) if one.bytes_low <= LARGER * size else None
        return None
