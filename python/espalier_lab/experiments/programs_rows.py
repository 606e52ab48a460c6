# SPDX-License-Identifier: Apache-2.0
"""Runs of real programs: what is planned, and the rows of results.

A row of the results: {"program", "network", "mpi", "ranks", "variant", "result", "seconds", "contexts",
"right_at_once"}. `seconds` has one run after the other: whole ones, or what the program says of its own time. `result`
says whether they computed what the first native run did. Of this many `contexts` it is known by what their calls should
be done, and of this many of them that was what ran first, or nearly as fast.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from espalier import stored
from espalier_lab.apps import description, results
from espalier_lab.experiments.launch import Family
from espalier_lab.experiments.series_variants import DESCRIBED, NAS_FT, NATIVE, POLICY, TRANSFORM, WARM
from espalier_lab.network.spec import Options, plan_of

NETWORKS = ("leafspine:2x4", "torus:2x2x2")
PROGRAMS = ("quantum-espresso", "cp2k", "gromacs", "lammps", "petsc", TRANSFORM)
EXAMPLES = (TRANSFORM, NAS_FT)  # of examples/, built for each MPI
RATE_BITS = 100e6
UNKNOWN = results.Comparison("not compared")  # what the native run computed is gone
VERDICTS = (results.SAME, results.WITHIN, UNKNOWN.verdict, results.DIFFERENT)


@dataclass(frozen=True)
class Row:
    program: str
    network: str
    mpi: str
    ranks: int
    variant: str
    result: str = results.SAME
    seconds: list[float] = field(default_factory=list)
    contexts: int = 0
    right_at_once: int = 0

    @property
    def key(self) -> tuple[str, str, str, str]:
        return self.program, self.network, self.mpi, self.variant


@dataclass(frozen=True)
class Series:
    """A program on a network, all its runs. There is a rank on each host."""

    program: str
    network: str
    options: Options
    family: Family
    variants: Sequence[str]
    repeats: int
    place: Path  # where the programs run, each in a folder of its own

    @property
    def lab(self) -> str:
        return f"{self.network} {self.options.rate_bits / 1e6:g}mbit"

    @property
    def title(self) -> str:
        return f"{self.program}, {self.lab}, {self.family.value}"

    def key(self, variant: str) -> tuple[str, str, str, str]:
        return self.program, self.lab, self.family.versioned, variant

    def runs_left(self, rows: Sequence[Row]) -> Iterator[tuple[int, str]]:
        """In turns, and each turn begins with another variant."""
        done = {row.key: len(row.seconds) for row in rows}
        for repeat in range(self.repeats):
            first = repeat % len(self.variants)
            for variant in (*self.variants[first:], *self.variants[:first]):
                if done.get(self.key(variant), 0) <= repeat:
                    yield repeat, variant


def names() -> list[str]:
    return [*description.names(), *EXAMPLES]


def families_of(program: str, wanted: Sequence[Family]) -> Sequence[Family]:
    """Debian's programs are linked to Debian's MPI, those that were set up to Open MPI 5, and ours to each."""
    if program in EXAMPLES:
        return wanted
    return (Family.OPENMPI if description.read(program).setup else Family.OPENMPI4,)


def add(rows: list[Row], one: Row) -> None:
    """A run: to the row of those before, if there were any."""
    at = next((index for index, row in enumerate(rows) if row.key == one.key), None)
    if at is None:
        rows.append(one)
        return
    former = rows[at]
    rows[at] = replace(
        former,
        result=max(former.result, one.result, key=VERDICTS.index),
        seconds=[*former.seconds, *one.seconds],
        contexts=former.contexts + one.contexts,
        right_at_once=former.right_at_once + one.right_at_once,
    )


def has_native(series: Series, rows: Sequence[Row]) -> bool:
    return any(row.key == series.key(NATIVE) for row in rows)


def planned(
    programs: Sequence[str],
    networks: Sequence[str],
    options: Options,
    policy: str,
    wanted: Sequence[Family],
    repeats: int,
    place: Path,
    *,
    described: bool = False,
) -> list[Series]:
    for network in networks:
        plan_of(network, options)  # or says what is wrong with it
    variants = (NATIVE, *(f"{kind}:{policy}" for kind in ((DESCRIBED,) if described else (POLICY, WARM))))
    return [
        Series(program, network, options, family, variants, repeats, place)
        for network in networks
        for program in programs
        for family in families_of(program, wanted)
    ]


def read(file: Path) -> list[Row]:
    return stored.rows_of(Row, file, "espalier lab apps")
