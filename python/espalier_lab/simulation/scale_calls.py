# SPDX-License-Identifier: Apache-2.0
"""The calls of a scale curve: on which tori, which algorithms, and how each is played.

Tori, not K's own network: of any size, each with links of its own. A large ring is played on a part, as in paper1.py:
its steps are all alike. Swing exists for powers of two alone. What meets on links takes SimGrid hours among thousands
of nodes: there our own estimate stands for it. It is also asked for where they are played, to see how far off it is.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import prod
from typing import Any

from espalier.failure import Failure
from espalier.installation import Installation
from espalier_lab.simulation import program
from espalier_lab.simulation.program import Played
from espalier_lab.simulation.rows import Row, Wanted
from espalier_lab.simulation.written import written

TORI = ((3, 3, 3), (8, 8, 8), (16, 16, 8), (24, 24, 16), (48, 54, 32))
KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30
SIZES = (KIB, 16 * KIB, 128 * KIB, MIB, 16 * MIB, 128 * MIB, GIB)
OURS, RING, DOUBLING, RABENSEIFNER, SWING = "trinaryx3_fused", "ring", "recursive_doubling", "rabenseifner", "swing"
PLAIN = (RING, DOUBLING, RABENSEIFNER)
COMPARED = (OURS, *PLAIN, SWING)
MOST_RING_NODES = 1024  # on more, a part of them is played
PART_LINES = 3
MEETING = (DOUBLING, RABENSEIFNER, SWING)  # on links
MOST_PLAYED_NODES = 2048  # of these
MOST_SHORT_NODES = 9216  # with the shortest message
SOURCE = "paper 1, scale"
CHOSEN = f"{SOURCE}, chosen"
ESTIMATED = f"{SOURCE}, estimated"
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


def explained(installation: Installation, torus: Torus, size: int, forced: str = "") -> dict[str, Any]:
    """The candidate that would be chosen, or is forced."""
    words = ["explain", "allreduce", "--bytes", str(size), *torus.where()]
    settings = {"ESPALIER_POLICY": "estimate"} | ({"ESPALIER_ALGORITHM": f"allreduce:{forced}"} if forced else {})
    answer: dict[str, Any] = installation.ask_tool(words, settings)
    return next(one for one in answer["candidates"] if one["chosen"])


@cache
def choice_at(installation: Installation, torus: Torus, size: int) -> str:
    """With its parameters; empty: the MPI's own stays."""
    chosen = explained(installation, torus, size)
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
                if algorithm == SWING and not is_power_of_two(torus.nodes):
                    continue
                if algorithm in MEETING:
                    yield call(torus, size, whole(algorithm, size), ESTIMATED)
                if algorithm != choice.partition(",")[0] and is_played(algorithm, torus, size):
                    yield compared(torus, size, algorithm)


def call(torus: Torus, size: int, algorithm: str, source: str) -> Wanted:
    return Wanted(torus.name, torus.where(), "allreduce", size, algorithm, source)


def whole(algorithm: str, size: int) -> str:
    """As MPIs send it."""
    return f"{algorithm},segment={size}"


def is_power_of_two(nodes: int) -> bool:
    return nodes & (nodes - 1) == 0


def is_played(algorithm: str, torus: Torus, size: int) -> bool:
    most = MOST_SHORT_NODES if size == min(SIZES) else MOST_PLAYED_NODES
    return algorithm not in MEETING or torus.nodes <= most


def play(installation: Installation, one: Wanted) -> Played:
    """Or asks for the estimate."""
    if one.source != ESTIMATED:
        return program.play(installation, one)
    torus = next(torus for torus in MACHINES if torus.name == one.machine)
    candidate = explained(installation, torus, one.bytes, one.algorithm)
    if candidate["algorithm"] != one.algorithm.partition(",")[0]:
        raise Failure(f"{one.algorithm} does not fit {one.bytes} bytes on {one.machine}.")
    return Played(candidate["estimated_seconds"], off=0, messages=0, waited=0)


def compared(torus: Torus, size: int, algorithm: str) -> Wanted:
    if algorithm == OURS:
        return call(torus, size, OURS, SOURCE)
    if algorithm != RING:
        return call(torus, size, whole(algorithm, size), SOURCE)
    if torus.nodes <= MOST_RING_NODES:
        return call(torus, size, whole(RING, size), SOURCE)
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
