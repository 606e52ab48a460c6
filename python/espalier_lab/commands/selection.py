# SPDX-License-Identifier: Apache-2.0
"""espalier selection: what choosing at run time costs, by policy, in contexts whose times are known.

The playing is done by bench/selection (bin/espalier-bench-selection). A row of the results: {"policy", "family",
"description", "candidates", "prior_error", "calls", "over_oracle", "over_native_median", "over_native_p99",
"final_within_3_percent"}; ratios less 1. Those of recorded contexts: espalier_lab/machine_rows.py.
"""

import json
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from espalier import output, output_files, units
from espalier.failure import Failure
from espalier.installation import ROOT, Installation
from espalier_lab import machine_rows
from espalier_lab import recorded as recorded_contexts
from espalier_lab.machine_rows import RAW, MachineRow
from espalier_lab.recorded import Machine

PROGRAM = "espalier-bench-selection"
POLICIES_SHOWN = ("native", "estimate", "intel", "adcl", "star", "race")
ERROR_SHOWN = 0.25
BLIND_ERROR = 0.5  # as where the network is not known
FINAL_SEED = 4711

# From `espalier lab compare choice`: the native MPI and each algorithm of ours under 5 placements, at 1 and 64 KiB.
# And of real machines.
RECORDED_HERE = [
    ROOT / "bench" / "selection" / "lab.json",
    ROOT / "bench" / "selection" / "machines" / "leonardo.json.gz",
    ROOT / "bench" / "selection" / "machines" / "fugaku.json.gz",
]

LEGEND = (
    "Mean time over that of the best candidate, after as many calls. p99: of race over native, what 99 of 100 contexts "
    "stay below. good: how many end with a candidate within 3% of the best."
)
MACHINES_LEGEND = (
    "Mean time over that of the best candidate, in contexts whose calls were recorded. "
    "race knows what it learnt of the collective at other sizes, in contexts of the same job that were played before; "
    "race-alone does not. p99, >1%, >5%: of race over native, what 99 of 100 contexts stay below, and the share that "
    "is slower by so much."
)
# Tables of recorded contexts: capped, counted by, heading.
MACHINE_TABLES = (
    (True, "job", "all warm up with the job; calls capped at 3 medians"),
    (False, "job", "all warm up with the job; as they were recorded"),
    (True, "candidate", "each warms up when it runs; calls capped at 3 medians"),
)


@dataclass(frozen=True)
class Row:
    policy: str
    family: str
    description: str
    candidates: int
    prior_error: float
    calls: int
    over_oracle: float
    over_native_median: float
    over_native_p99: float
    final_within_3_percent: float


def register(app: typer.Typer) -> None:
    app.command("selection")(selection)


def selection(
    context: typer.Context,
    instances: Annotated[int, typer.Option(min=0, help="Synthetic contexts of each kind.")] = 400,
    calls: Annotated[int, typer.Option(min=100, help="Calls of each context: 100, 300, 1000 or 10000.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Of the contexts: equal for all policies.")] = FINAL_SEED,
    recorded: Annotated[
        list[Path] | None,
        typer.Option(
            "--recorded",
            metavar="FILE",
            help="Also on these timings, instead of those that are here: the results of a study in the lab.",
        ),
    ] = None,
    results: Annotated[Path, typer.Option(metavar="DIR", help="Where the rows go.")] = ROOT / "results",
) -> None:
    """Play the policies that choose algorithms by time against each other, on synthetic contexts and recorded ones.

    For example:

    - ./espalier selection --instances 100

    - ./espalier selection --instances 0 --recorded results/choice.json
    """
    installation: Installation = context.obj
    output_files.make_directory(results)
    file, of_machines = results / "selection.json", results / "selection-machines.json"
    machines = [machine for each in recorded or RECORDED_HERE for machine in recorded_contexts.read(each)]
    rows, machine_rows_ = play(
        installation, [str(instances), str(calls), str(seed)], machines, output.console(stderr=True)
    )
    output_files.write_rows(rows, file)
    output_files.write_rows(machine_rows_, of_machines)
    console = output.console()
    if rows:
        show(rows, console)
    show_machines(machine_rows_, console)
    console.print(f"All rows: {file}, {of_machines}")


def play(
    installation: Installation, words: list[str], machines: list[Machine], console: Console
) -> tuple[list[Row], list[MachineRow]]:
    program = installation.build / "bin" / PROGRAM
    if not program.exists():
        raise Failure(f"{program} does not exist.", "Build it first: make build")
    with (
        tempfile.TemporaryDirectory() as place,
        tempfile.TemporaryFile("w+") as rows,  # more than fits a pipe
    ):
        run([program, *words, *files_of(machines, Path(place))], rows, console)
        rows.seek(0)
        lines = rows.readlines()
    synthetic = [Row(**json.loads(line)) for line in lines if '"family"' in line]
    return synthetic, machine_rows.from_lines(line for line in lines if '"family"' not in line)


def files_of(machines: list[Machine], place: Path) -> list[str]:
    """Of each machine one with calls as they were recorded, and one with calls that are capped."""
    words: list[str] = []
    for number, machine in enumerate(machines):
        capped = [recorded_contexts.capped(one) for one in machine.contexts]
        for name, contexts in ((machine.name, capped), (machine.name + RAW, machine.contexts)):
            file = place / f"{number}-{len(words)}"
            file.write_text(recorded_contexts.text(contexts))
            words.append(f"{name}={file}")
    return words


def run(command: list[str | Path], rows: IO[str], console: Console) -> None:
    columns = (TextColumn("playing"), BarColumn(), TimeElapsedColumn())
    with (
        subprocess.Popen(command, stdout=rows, stderr=subprocess.PIPE, text=True) as process,
        Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar,
    ):
        assert process.stderr is not None
        task = bar.add_task("", total=None)
        for line in process.stderr:
            done, _, total = line.partition("/")
            bar.update(task, completed=int(done), total=int(total))
        if process.wait() != 0:
            raise Failure(f"{PROGRAM} ended with status {process.returncode}.", status=1)


def show(rows: list[Row], console: Console) -> None:
    marks = sorted({row.calls for row in rows})
    for calls, error in [*((calls, ERROR_SHOWN) for calls in marks), (marks[-1], BLIND_ERROR)]:
        some = [row for row in rows if row.calls == calls and row.prior_error == error]
        console.print(f"\nAfter {units.count_text(calls)} calls, estimates off by {error:.0%}", style="bold")
        console.print(table_of(some))
    console.print(LEGEND)


def show_machines(rows: list[MachineRow], console: Console) -> None:
    calls = max(row.calls for row in rows)
    for capped, counted_by, heading in MACHINE_TABLES:
        some = [row for row in rows if (row.calls, row.capped, row.counted_by) == (calls, capped, counted_by)]
        console.print(f"\nAfter {units.count_text(calls)} calls; {heading}", style="bold")
        console.print(machine_rows.table_of(some))
    console.print(MACHINES_LEGEND)


def table_of(rows: list[Row]) -> output.Table:
    heading = (*POLICIES_SHOWN, "p99", "good")
    table = output.table("", *heading, right=heading)
    for family in dict.fromkeys(row.family for row in rows):
        by_policy = {row.policy: row for row in rows if row.family == family}
        race = by_policy["race"]
        costs = (f"{by_policy[name].over_oracle:.1%}" for name in POLICIES_SHOWN)
        table.add_row(family, *costs, f"{race.over_native_p99:.1%}", f"{race.final_within_3_percent:.0%}")
    return table
