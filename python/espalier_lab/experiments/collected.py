# SPDX-License-Identifier: Apache-2.0
"""What is measured for hours, part by part: each is kept at once, and what fails is said and left out, as the rest is
worth having."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from espalier import output
from espalier.failure import Failure
from espalier_lab.experiments.comparison import Comparison
from espalier_lab.experiments.launch import Family
from espalier_lab.experiments.remaining import Remaining
from espalier_lab.network import session
from espalier_lab.network.plan import Plan
from espalier_lab.network.spec import Options

Row = TypeVar("Row")
Found = TypeVar("Found")


class Collected(Generic[Row]):
    def __init__(
        self,
        rows: Sequence[Row],
        weights: Sequence[float],
        announce: output.Announce,
        keep: Callable[[Sequence[Row]], None],
    ) -> None:
        """`rows` were there before; the parts have these weights. `keep` is called with all rows so far whenever
        there are more."""
        self.rows = list(rows)
        self.failures: list[str] = []
        self._remaining = Remaining(weights)
        self._say, self._keep = announce, keep

    def attempt(self, title: str, measure: Callable[[], Found]) -> Found | None:
        """The next part. None: it failed."""
        self._say(f"{self._remaining.text}: {title}", is_step=True)
        with self._remaining.measuring():
            try:
                return measure()
            except Failure as failure:
                self._say(f"{title}: {failure.message}", is_step=True)
                self.failures.append(f"{title}: {failure.message}")
                return None

    def leave_out(self, count: int) -> None:
        """This many parts after the last one."""
        self._remaining.leave_out(count)

    def add(self, rows: Iterable[Row]) -> None:
        self.rows += rows
        self.keep()

    def keep(self) -> None:
        self._keep(self.rows)


class OnNetwork(Protocol):
    @property
    def network(self) -> str: ...

    @property
    def options(self) -> Options: ...


Part = TypeVar("Part", bound=OnNetwork)


def on_each_network(parts: Sequence[Part], measure: Callable[[Plan, Sequence[Part]], None]) -> None:
    """Sets each network up once, and has `measure` do what belongs there."""
    for network in dict.fromkeys((one.network, one.options) for one in parts):
        with session.lab(*network) as plan:
            measure(plan, [one for one in parts if (one.network, one.options) == network])


@dataclass(frozen=True)
class PartOfStudy:
    """Of a comparison, under one MPI."""

    comparison: Comparison
    family: Family

    @property
    def network(self) -> str:
        return self.comparison.network

    @property
    def options(self) -> Options:
        return self.comparison.options
