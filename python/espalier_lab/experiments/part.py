# SPDX-License-Identifier: Apache-2.0
"""A part of a study, as users ask for it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from espalier.failure import Failure
from espalier.words import checked
from espalier_lab.experiments.comparison import Comparison


@dataclass(frozen=True)
class Part:
    """What is empty or 0 is as the study has it."""

    networks: Sequence[str] = ()
    placements: Sequence[int] = ()
    collectives: Sequence[str] = ()
    sizes: Sequence[int] = ()
    calls: int = 0
    limit_seconds: float = 0

    def of(self, comparisons: Sequence[Comparison]) -> list[Comparison]:
        checked("--network", self.networks, unique(one.network for one in comparisons))
        checked("--collective", self.collectives, unique(one.collective for one in comparisons))
        check_numbers("--placement", self.placements, [one.seed for one in comparisons])
        check_numbers("--bytes", self.sizes, [size for one in comparisons for size in one.sizes])
        if (self.calls or self.limit_seconds) and not any(one.series for one in comparisons):
            option = f"--calls {self.calls}" if self.calls else f"--limit {self.limit_seconds:g}s"
            raise Failure(f"{option}: this study has no series of calls")
        found = [part for one in comparisons if (part := self.of_one(one))]
        if not found:
            raise Failure("The study has no such part: nothing of it is all that was asked for.")
        return found

    def of_one(self, one: Comparison) -> Comparison | None:
        if self.networks and one.network not in self.networks:
            return None
        if self.collectives and one.collective not in self.collectives:
            return None
        if self.placements and one.seed not in self.placements:
            return None
        sizes = [size for size in one.sizes if not self.sizes or size in self.sizes]
        if not sizes:
            return None
        calls = min(one.series, self.calls or one.series)
        return replace(one, sizes=sizes, series=calls, limit_seconds=self.limit_seconds or one.limit_seconds)


def check_numbers(option: str, wanted: Sequence[int], known: Iterable[int]) -> None:
    allowed = sorted(set(known))
    for number in wanted:
        if number not in allowed:
            raise Failure(f"{option} {number}: not in this study; allowed: {', '.join(map(str, allowed))}")


def unique(words: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(words))
