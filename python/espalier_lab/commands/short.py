# SPDX-License-Identifier: Apache-2.0
"""espalier short: programs of few or short calls, natively and under Espalier as it is, in pairs.

The programs are cases of bench/short (bin/espalier-bench-short-MPI). A row of the results: {"case", "mpi", "ranks",
"native_s", "espalier_s"}, the last two with an entry for each pair: seconds of all calls, without MPI_Init; of the
case init, of MPI_Init and a barrier.
"""

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Annotated

import typer
from rich.console import Console

from espalier import launchers, mpis, output, output_files, units
from espalier.failure import Failure
from espalier.installation import Installation
from espalier.job import NO_MEMORY
from espalier.mpis import Mpi
from espalier.words import checked, listed
from espalier_lab.apps.pair_rows import quartiles
from espalier_lab.commands.options import RESULTS, Results
from espalier_lab.commands.progress import progress
from espalier_lab.experiments import launch
from espalier_lab.experiments.comparison import shuffled

PROGRAM = "espalier-bench-short-"
TITLE = "Few and short calls"
LONGEST_SECONDS = 120.0
LEGEND = (
    "Native: the median time of all calls. Ratio: Espalier's time as a multiple of the native one, the median of pairs "
    "and the quartiles."
)


@dataclass
class Row:
    case: str
    mpi: str
    ranks: int
    native_s: list[float] = field(default_factory=list)
    espalier_s: list[float] = field(default_factory=list)

    @property
    def ratios(self) -> list[float]:
        return [own / native for native, own in zip(self.native_s, self.espalier_s, strict=True)]


def register(app: typer.Typer) -> None:
    app.command("short")(short)


def short(
    context: typer.Context,
    cases: Annotated[
        list[str] | None,
        typer.Argument(metavar="[CASE]...", help="Such as 1000-communicators. Default: all.", show_default=False),
    ] = None,
    pairs: Annotated[int, typer.Option(min=1, help="Pairs of runs of each case.")] = 20,
    ranks: Annotated[int, typer.Option("--ranks", "-n", min=2, help="Ranks of each run.")] = 2,
    mpi: Annotated[
        list[str] | None, typer.Option(metavar="LIST", help="Such as openmpi5,mpich5. Default: all that are here.")
    ] = None,
    results: Results = RESULTS,
) -> None:
    """Run programs of few or short collective calls natively and under Espalier without settings, in pairs.

    For example:

    - ./espalier short 1000-communicators --mpi openmpi5
    """
    installation: Installation = context.obj
    there = built(installation)
    wanted = checked("--mpi", listed(mpi) or list(there), list(there))
    names = checked("CASE", cases or [], known_cases(installation, wanted[0])) or known_cases(installation, wanted[0])
    output_files.make_directory(results)
    rows = [Row(case, name, ranks) for case in names for name in wanted]
    file = results / "short.json"
    with progress(TITLE) as announce:
        for turn in range(pairs):
            for row in rows:
                announce(f"pair {turn + 1}, {row.case}, {row.mpi}", is_step=True)
                add_pair(installation, there[row.mpi], row, turn)
            output_files.write_rows(rows, file)
    show(rows, output.console())
    output.console().print(f"All rows: {file}")


def built(installation: Installation) -> dict[str, Mpi]:
    """The MPIs that have a program here, and a launcher."""
    there = {mpi.name: mpi for mpi in mpis.found() if program(installation, mpi.name).exists()}
    if not there:
        raise Failure(f"There is no {PROGRAM}MPI in {installation.build / 'bin'}.", "Build it first: make build")
    return there


def program(installation: Installation, mpi: str) -> Path:
    return installation.build / "bin" / f"{PROGRAM}{mpi}"


def known_cases(installation: Installation, mpi: str) -> list[str]:
    done = subprocess.run([program(installation, mpi)], capture_output=True, text=True, check=True)
    return done.stdout.split()


def add_pair(installation: Installation, mpi: Mpi, row: Row, turn: int) -> None:
    seconds = [0.0, 0.0]
    for side in shuffled(2, seed=turn):
        seconds[side] = run(installation, mpi, row, is_own=side == 1)
    row.native_s.append(seconds[0])
    row.espalier_s.append(seconds[1])


def run(installation: Installation, mpi: Mpi, row: Row, *, is_own: bool) -> float:
    bound = ["--bind-to", "core"] if row.ranks <= len(os.sched_getaffinity(0)) else ["--bind-to", "none"]
    options = [*launchers.options_for_one_machine(mpi.launcher), *bound]
    command = [str(mpi.path), *options, "-n", str(row.ranks), str(program(installation, mpi.name)), row.case]
    preload, settings = (str(installation.preload), NO_MEMORY) if is_own else ("", {})
    prepared = launchers.prepare(command, preload, settings, launch.cleaned(os.environ))
    words = launch.limited(prepared.arguments, LONGEST_SECONDS)
    done = subprocess.run(words, env=prepared.environment, capture_output=True, text=True, check=False)
    if launch.is_late(done.returncode):
        raise Failure(f"{row.case} was not done after {LONGEST_SECONDS:g} s under {mpi.name}.", status=1)
    if done.returncode != 0:
        raise Failure(f"{row.case} failed under {mpi.name}:\n{done.stdout}{done.stderr}", status=1)
    return float(done.stdout)


def show(rows: Sequence[Row], console: Console) -> None:
    right = ("Pairs", "Native", "Ratio")
    table = output.table("Case", "MPI", *right, "", right=right)
    for row in rows:
        low, middle, high = quartiles(row.ratios)
        native = units.seconds_text(median(row.native_s))
        table.add_row(row.case, row.mpi, str(len(row.ratios)), native, f"{middle:.2f}", f"{low:.2f} - {high:.2f}")
    console.print(table)
    console.print(LEGEND)
