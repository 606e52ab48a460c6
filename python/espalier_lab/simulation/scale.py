# SPDX-License-Identifier: Apache-2.0
"""From 27 to 82,944 nodes, with what paper 1 says of K's: our allreduce next to what MPIs do, and what is chosen."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from rich.console import Console

from espalier import output, units
from espalier_lab.simulation.curves import Curves, Panel, draw
from espalier_lab.simulation.paper1 import ENGINE_BYTES
from espalier_lab.simulation.rows import Row
from espalier_lab.simulation.scale_calls import (
    CHOSEN,
    COMPARED,
    ESTIMATED,
    GIB,
    KIB,
    MACHINES,
    MIB,
    OURS,
    PLAIN,
    SIZES,
    SOURCE,
    Torus,
    derived,
    play,
    wanted,
)
from espalier_lab.simulation.study import Study

NEAR = 1.1
MOST_ESTIMATED_WHOLE = 128  # ranks: max_played_ranks of src/estimate/estimate.hpp


def family(row: Row) -> str:
    return row.algorithm.partition(",")[0]


@dataclass(frozen=True)
class Point:
    """One machine and size."""

    torus: Torus
    size: int
    played: dict[str, float]
    estimated: dict[str, float]
    choice: str  # empty: native, which counts for the fastest plain one

    @property
    def is_played(self) -> bool:
        """All of it."""
        return self.estimated.keys() <= self.played.keys()

    @property
    def seconds(self) -> dict[str, float]:
        return self.estimated | self.played

    @property
    def best(self) -> str:
        return min(self.seconds, key=lambda name: self.seconds[name])

    @property
    def off(self) -> float:
        """How many times as long as the best the choice takes."""
        known = [self.choice] if self.choice else PLAIN
        return min(self.seconds[name] for name in known) / self.seconds[self.best]

    @property
    def efficiency(self) -> float:
        """Ours, of the bound of four engines: N/2B."""
        return self.size / 2 / ENGINE_BYTES / self.seconds[OURS]

    def mark_of(self, name: str) -> str:
        return "~" if name in self.estimated and name not in self.played else ""

    def text_of(self, name: str) -> str:
        return self.mark_of(name) + units.seconds_text(self.seconds.get(name))


def points_of(rows: Sequence[Row]) -> Iterator[Point]:
    for torus in MACHINES:
        for size in SIZES:
            own = [row for row in rows if (row.machine, row.bytes) == (torus.name, size)]
            played = {family(row): row.seconds for row in own if row.source in (SOURCE, CHOSEN)}
            estimated = {family(row): row.seconds for row in own if row.source == ESTIMATED}
            if {OURS, *PLAIN} <= played.keys() | estimated.keys():
                choice = next((family(row) for row in own if row.source == CHOSEN), "")
                yield Point(torus, size, played, estimated, choice)


def show(rows: Sequence[Row], console: Console) -> None:
    points = list(points_of(rows))
    for torus in dict.fromkeys(point.torus for point in points):
        console.print(f"\n{torus.nodes:,} nodes, {torus.name}")
        console.print(table_of([point for point in points if point.torus == torus]))
    console.print(f"~: our own estimate. {estimates_off(rows)}")
    for which, some in (
        ("at which all was played", [point for point in points if point.is_played]),
        ("with estimates, which the choice goes by, too", [point for point in points if not point.is_played]),
    ):
        near = sum(point.off <= NEAR for point in some)
        console.print(f"The choice is within 10% of the best at {near} of {len(some)} points {which}.")
    for point in points:
        if point.off > NEAR:
            at = f"{point.torus.nodes:,} nodes, {units.bytes_text(point.size)}"
            best = point.mark_of(point.best) + point.best
            console.print(f"{at}: {point.choice or 'native'} takes {point.off:.2f} times as long as {best}")


def estimates_off(rows: Sequence[Row]) -> str:
    """Where a few ranks stand for all, as they do where nothing was played."""
    few = {torus.name for torus in MACHINES if torus.nodes <= MOST_ESTIMATED_WHOLE}
    own = [row for row in rows if row.machine not in few]
    played = {(row.machine, row.bytes, row.algorithm): row.seconds for row in own if row.source in (SOURCE, CHOSEN)}
    off = sorted(
        row.seconds / played[key] - 1
        for row in own
        if row.source == ESTIMATED and (key := (row.machine, row.bytes, row.algorithm)) in played
    )
    if not off:
        return "None of these calls was played."
    return f"{len(off)} such calls were played, too: {off[0]:+.0%} to {off[-1]:+.0%}, {median(off):+.0%} in the median."


def table_of(points: Sequence[Point]) -> output.Table:
    short = ("ours", "ring", "doubling", "rabens.", "swing")
    table = output.Table(["bytes", *short, "of N/2B", "chosen"], ["bytes", *short, "of N/2B"])
    for point in points:
        times = map(point.text_of, COMPARED)
        table.add_row(units.bytes_text(point.size), *times, f"{point.efficiency:.2f}", point.choice or "native")
    return table


def figure(rows: Sequence[Row]) -> str:
    points = list(points_of(rows))
    if not points:
        return ""
    over_nodes = [over_nodes_at(points, size) for size in (KIB, MIB, GIB)]
    over_sizes = [over_sizes_on(points, torus) for torus in MACHINES if torus in {point.torus for point in points}]
    lines = [[panel for panel in line if panel.curves] for line in (over_nodes, over_sizes)]
    title = "A scale curve: an allreduce on tori of K's nodes, simulated (lines) and estimated (dots)"
    return draw(title, [line for line in lines if line])


def over_nodes_at(points: Iterable[Point], size: int) -> Panel:
    own = [(float(point.torus.nodes), point) for point in points if point.size == size]
    where = "over the number of nodes"
    return Panel(units.bytes_text(size), where, played(own), estimated(own), place_text=lambda nodes: f"{nodes:,.0f}")


def over_sizes_on(points: Iterable[Point], torus: Torus) -> Panel:
    own = [(float(point.size), point) for point in points if point.torus == torus]
    return Panel(f"{torus.nodes:,} nodes", "over the message's size", played(own), estimated(own))


def played(points: Sequence[tuple[float, Point]]) -> Curves:
    return curves_of([(x, point.played) for x, point in points])


def estimated(points: Sequence[tuple[float, Point]]) -> Curves:
    """What was not played."""
    return curves_of(
        [(x, {name: point.estimated[name] for name in COMPARED if point.mark_of(name)}) for x, point in points]
    )


def curves_of(points: Sequence[tuple[float, dict[str, float]]]) -> Curves:
    found: Curves = {}
    for name in COMPARED:
        for x, seconds in points:
            if name in seconds:
                found.setdefault(name, []).append((x, seconds[name]))
    return found


STUDY = Study("scale", "A scale curve: 27 to 82,944 nodes", wanted, show, figure, derived, play)
