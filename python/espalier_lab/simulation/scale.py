# SPDX-License-Identifier: Apache-2.0
"""From 27 to 82,944 nodes, with what paper 1 says of K's: our allreduce next to what MPIs do, and what would be chosen.

Tori, not K's own network: of any size, each with links of its own. A large ring is played on a part, as in paper1.py:
its steps are all alike. Swing exists for powers of two alone.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import prod
from typing import Any

from rich.console import Console

from espalier import output, units
from espalier.installation import Installation
from espalier_lab.simulation.curves import Curves, Panel, draw
from espalier_lab.simulation.paper1 import ENGINE_BYTES
from espalier_lab.simulation.rows import Row, Wanted
from espalier_lab.simulation.study import Study
from espalier_lab.simulation.written import written

TORI = ((3, 3, 3), (8, 8, 8), (16, 16, 8), (24, 24, 16), (48, 54, 32))
KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30
SIZES = (KIB, 16 * KIB, 128 * KIB, MIB, 16 * MIB, 128 * MIB, GIB)
OURS, RING, DOUBLING, RABENSEIFNER, SWING = "trinaryx3_fused", "ring", "recursive_doubling", "rabenseifner", "swing"
PLAIN = (RING, DOUBLING, RABENSEIFNER)
COMPARED = (OURS, *PLAIN, SWING)
MOST_RING_NODES = 1024  # on more, a part of them is played
PART_LINES = 3
# Their messages meet on links, which is slow to play: among more nodes they are left out.
MOST_NODES = {DOUBLING: 9216, RABENSEIFNER: 9216, SWING: 2048}
NEAR = 1.1
SOURCE = "paper 1, scale"
CHOSEN = f"{SOURCE}, chosen"
RING_PART = f"{SOURCE}, a part of"

MACHINE = """\
# SPDX-License-Identifier: Apache-2.0
hop_seconds = 1.27e-6
arithmetic = 6.58e9
engines = 4

[torus]
extents = [{extents}]
rate = 5e9
nodes = "n[0-{last}]"

[simulation]
name = "{name}"
put_rate = 3.867e9
"""


@dataclass(frozen=True)
class Torus:
    extents: tuple[int, ...]

    @property
    def nodes(self) -> int:
        return prod(self.extents)

    @property
    def name(self) -> str:
        return "torus " + "x".join(map(str, self.extents))

    @property
    def ring_part(self) -> "Torus":
        """With each kind of a ring's steps: along a line, and on to the next one."""
        return Torus((self.extents[0], PART_LINES))

    def where(self) -> tuple[str, ...]:
        text = MACHINE.format(extents=", ".join(map(str, self.extents)), last=self.nodes - 1, name=self.name)
        return ("--topology", written(f"{self.name.replace(' ', '-')}.toml", text))


MACHINES = tuple(map(Torus, TORI))


@cache
def choice_at(installation: Installation, torus: Torus, size: int) -> str:
    """With its parameters; empty: the MPI's own stays."""
    words = ["explain", "allreduce", "--bytes", str(size), *torus.where()]
    answer: dict[str, Any] = installation.ask_tool(words, {"ESPALIER_POLICY": "estimate"})
    chosen = next(one for one in answer["candidates"] if one["chosen"])
    if chosen["algorithm"] == "native":
        return ""
    cut = chosen["parameters"]
    return f"{chosen['algorithm']},segment={cut['segment']},window={cut['window']}"


def wanted(installation: Installation) -> Iterator[Wanted]:
    for torus in MACHINES:
        for size in SIZES:
            choice = choice_at(installation, torus, size)
            if choice:
                yield call(torus, size, choice, CHOSEN)
            for algorithm in COMPARED:
                if algorithm != choice.partition(",")[0] and exists(algorithm, torus):
                    yield compared(torus, size, algorithm)


def call(torus: Torus, size: int, algorithm: str, source: str) -> Wanted:
    return Wanted(torus.name, torus.where(), "allreduce", size, algorithm, source)


def exists(algorithm: str, torus: Torus) -> bool:
    is_power_of_two = torus.nodes & (torus.nodes - 1) == 0
    return torus.nodes <= MOST_NODES.get(algorithm, torus.nodes) and (algorithm != SWING or is_power_of_two)


def compared(torus: Torus, size: int, algorithm: str) -> Wanted:
    if algorithm == OURS:
        return call(torus, size, OURS, SOURCE)
    if algorithm != RING:
        return call(torus, size, f"{algorithm},segment={size}", SOURCE)  # whole, as MPIs send it
    if torus.nodes <= MOST_RING_NODES:
        return call(torus, size, f"{RING},segment={size}", SOURCE)
    part = torus.ring_part
    block = block_of(torus, size)
    return call(part, block * part.nodes, f"{RING},segment={block}", f"{RING_PART} {torus.name}, {size}")


def block_of(torus: Torus, size: int) -> int:
    """Of whole elements: the longest of them."""
    return 8 * -(-size // (8 * torus.nodes))


def derived(rows: Sequence[Row]) -> Iterator[Row]:
    """Whole rings."""
    parts = {row.source: row.seconds for row in rows if row.source.startswith(RING_PART)}
    for torus in MACHINES:
        for size in SIZES:
            seconds = parts.get(f"{RING_PART} {torus.name}, {size}")
            if seconds is not None:
                steps = (torus.nodes - 1) / (torus.ring_part.nodes - 1)
                yield Row(torus.name, "allreduce", size, f"{RING},of a part", seconds * steps, None, SOURCE)


def family(row: Row) -> str:
    return row.algorithm.partition(",")[0]


@dataclass(frozen=True)
class Point:
    """One machine and size."""

    torus: Torus
    size: int
    seconds: dict[str, float]
    choice: str  # empty: native, which counts for the fastest plain one

    @property
    def best(self) -> str:
        return min(self.seconds, key=lambda name: self.seconds[name])

    @property
    def off(self) -> float | None:
        """How many times as long as the best the choice takes. None: the plain ones were not all played."""
        plain = [self.seconds.get(name) for name in PLAIN]
        known = [self.seconds[self.choice]] if self.choice else [seconds for seconds in plain if seconds is not None]
        if not self.choice and len(known) < len(PLAIN):
            return None
        return min(known) / self.seconds[self.best]

    @property
    def efficiency(self) -> float | None:
        """Ours, of the bound of four engines: N/2B."""
        ours = self.seconds.get(OURS)
        return None if ours is None else self.size / 2 / ENGINE_BYTES / ours


def points_of(rows: Sequence[Row]) -> Iterator[Point]:
    for torus in MACHINES:
        for size in SIZES:
            own = [row for row in rows if (row.machine, row.bytes) == (torus.name, size)]
            own = [row for row in own if row.source in (SOURCE, CHOSEN)]
            if own:
                choice = next((family(row) for row in own if row.source == CHOSEN), "")
                yield Point(torus, size, {family(row): row.seconds for row in own}, choice)


def show(rows: Sequence[Row], console: Console) -> None:
    points = list(points_of(rows))
    for torus in dict.fromkeys(point.torus for point in points):
        console.print(f"\n{torus.nodes:,} nodes, {torus.name}")
        console.print(table_of([point for point in points if point.torus == torus]))
    known = [(point, point.off) for point in points if point.off is not None]
    near = sum(off <= NEAR for _, off in known)
    console.print(f"The choice is within 10% of the best at {near} of {len(known)} points at which all was played.")
    for point, off in known:
        if off > NEAR:
            at = f"{point.torus.nodes:,} nodes, {units.bytes_text(point.size)}"
            console.print(f"{at}: {point.choice or 'native'} takes {off:.2f} times as long as {point.best}")


def table_of(points: Sequence[Point]) -> output.Table:
    short = ("ours", "ring", "doubling", "rabens.", "swing")
    table = output.Table(["bytes", *short, "of N/2B", "chosen"], ["bytes", *short, "of N/2B"])
    for point in points:
        times = (units.seconds_text(point.seconds.get(name)) for name in COMPARED)
        share = "-" if point.efficiency is None else f"{point.efficiency:.2f}"
        table.add_row(units.bytes_text(point.size), *times, share, point.choice or "native")
    return table


def figure(rows: Sequence[Row]) -> str:
    points = list(points_of(rows))
    if not points:
        return ""
    over_nodes = [over_nodes_at(points, size) for size in (KIB, MIB, GIB)]
    over_sizes = [over_sizes_on(points, torus) for torus in MACHINES if torus in {point.torus for point in points}]
    lines = [[panel for panel in line if panel.curves] for line in (over_nodes, over_sizes)]
    return draw("A scale curve: an allreduce on tori of K's nodes, simulated", [line for line in lines if line])


def over_nodes_at(points: Iterable[Point], size: int) -> Panel:
    own = [point for point in points if point.size == size]
    curves = curves_of([(float(point.torus.nodes), point) for point in own])
    return Panel(units.bytes_text(size), "over the number of nodes", curves, place_text=lambda nodes: f"{nodes:,.0f}")


def over_sizes_on(points: Iterable[Point], torus: Torus) -> Panel:
    own = [point for point in points if point.torus == torus]
    curves = curves_of([(float(point.size), point) for point in own])
    return Panel(f"{torus.nodes:,} nodes", "over the message's size", curves)


def curves_of(points: Sequence[tuple[float, Point]]) -> Curves:
    found: Curves = {}
    for name in COMPARED:
        for x, point in points:
            if name in point.seconds:
                found.setdefault(name, []).append((x, point.seconds[name]))
    return found


STUDY = Study("scale", "A scale curve: 27 to 82,944 nodes", wanted, show, figure, derived)
