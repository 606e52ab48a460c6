# SPDX-License-Identifier: Apache-2.0
"""The program that measures calls to which ranks arrive late (bench/late): what it is asked, what it answers."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from espalier import stored
from espalier.failure import Failure

PROGRAM = "espalier-bench-late"
BCAST = "bcast"  # what it measures without being told


@dataclass(frozen=True)
class Late:
    """One rank, by so much in each call; from call `change_after` on another one (0: never)."""

    rank: int
    seconds: float
    change_after: int = 0

    @property
    def words(self) -> list[str]:
        change = ["--change-after", str(self.change_after)] if self.change_after else []
        return ["--late", str(self.rank), "--delay", f"{self.seconds:.9f}", *change]


def late_then(first: int, ranks: int) -> int:
    """After the change ranks are late as those in reverse order were before."""
    return ranks - 1 - first


@dataclass(frozen=True)
class Pattern:
    """Each rank, by a random time."""

    number: int
    most_seconds: float

    @property
    def words(self) -> list[str]:
        return ["--pattern", str(self.number), "--most", f"{self.most_seconds:.9f}"]


@dataclass(frozen=True)
class Asked:
    collective: str
    bytes: int
    variants: Sequence[str]  # as the program calls them
    calls: int  # in a round
    rounds: int = 1
    delays: Late | Pattern | None = None

    @property
    def words(self) -> list[str]:
        collective = ["--collective", self.collective] if self.collective != BCAST else []
        words = ["--bytes", str(self.bytes), "--variants", ";".join(self.variants), *collective]
        words += ["--calls", str(self.calls), "--rounds", str(self.rounds)]
        return [*words, *(self.delays.words if self.delays else [])]


@dataclass(frozen=True)
class Series:
    """Of one variant, seconds of each call, by round."""

    overall: list[list[float]]
    mean: list[list[float]]


@dataclass(frozen=True)
class Answer:
    """Of one variant in one round, seconds of each call."""

    variant: str
    overall: list[float]
    mean: list[float]


def series_in(text: str, asked: Asked) -> list[Series]:
    """In the order in which the variants were asked for."""
    try:
        raw: Any = json.JSONDecoder().raw_decode(text)[0]
        answers = [stored.dataclass_of(Answer, row) for row in stored.list_in(raw, "rows")]
    except ValueError as error:
        raise Failure(f"{PROGRAM} answered what it should not: {error}", status=1) from error
    own = [[one for one in answers if one.variant == variant] for variant in asked.variants]
    right = all(len(one.overall) == len(one.mean) == asked.calls for one in answers)
    if not right or len(answers) != sum(map(len, own)) or any(len(found) != asked.rounds for found in own):
        raise Failure(f"{PROGRAM} did not measure what it was asked for.", status=1)
    return [Series([one.overall for one in found], [one.mean for one in found]) for found in own]
