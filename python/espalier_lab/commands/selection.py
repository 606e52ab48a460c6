# SPDX-License-Identifier: Apache-2.0
"""espalier selection: what choosing at run time costs, by policy, in contexts whose times are known.

The playing is done by bench/selection (bin/espalier-bench-selection). A row of the results: {"policy", "family",
"description", "candidates", "prior_error", "calls", "over_oracle", "over_native_median", "over_native_p99",
"final_within_3_percent"}; ratios less 1.
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
from espalier_lab import recorded as recorded_contexts
from espalier_lab.recorded import Context

PROGRAM = "espalier-bench-selection"
POLICIES_SHOWN = ("native", "estimate", "intel", "adcl", "star", "race")
ERROR_SHOWN = 0.25
RECORDED = "recorded"  # family
BLIND_ERROR = 0.5  # as where the network is not known
FINAL_SEED = 4711

# From `espalier lab compare choice`: the native MPI and each algorithm of ours under 5 placements, at 1 and 64 KiB.
RECORDED_HERE = ROOT / "bench" / "selection" / "recorded.json"

LEGEND = (
    "Mean time over that of the best candidate, after as many calls. p99: of race over native, what 99 of 100 contexts "
    "stay below. good: how many end with a candidate within 3% of the best."
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
    instances: Annotated[int, typer.Option(min=1, help="Contexts of each kind.")] = 400,
    calls: Annotated[int, typer.Option(min=100, help="Calls of each context: 100, 300, 1000 or 10000.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Of the contexts: equal for all policies.")] = FINAL_SEED,
    recorded: Annotated[
        Path,
        typer.Option("--recorded", metavar="FILE", help="Also on these timings: the results of a study in the lab."),
    ] = RECORDED_HERE,
    results: Annotated[Path, typer.Option(metavar="DIR", help="Where the rows go.")] = ROOT / "results",
) -> None:
    """Play the policies that choose algorithms by time against each other, on synthetic contexts and recorded ones.

    For example:

    - ./espalier selection --instances 100

    - ./espalier selection --recorded results/choice.json
    """
    installation: Installation = context.obj
    output_files.make_directory(results)
    file = results / "selection.json"
    words = [str(instances), str(calls), str(seed)]
    rows = play(installation, words, recorded_contexts.read(recorded), output.console(stderr=True))
    output_files.write_rows(rows, file)
    show(rows, output.console())
    output.console().print(f"All rows: {file}")


def play(installation: Installation, words: list[str], found: list[Context], console: Console) -> list[Row]:
    program = installation.build / "bin" / PROGRAM
    if not program.exists():
        raise Failure(f"{program} does not exist.", "Build it first: make build")
    with (
        tempfile.NamedTemporaryFile("w") as recorded,
        tempfile.TemporaryFile("w+") as rows,  # more than fits a pipe
    ):
        recorded.write(recorded_contexts.text(found))
        recorded.flush()
        run([program, *words, recorded.name], rows, console)
        rows.seek(0)
        return [Row(**json.loads(line)) for line in rows]


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
    some = [row for row in rows if row.family == RECORDED and row.calls == marks[-1]]
    if some:
        console.print(f"\nAfter {units.count_text(marks[-1])} calls, as they were recorded", style="bold")
        console.print(table_of(some))
    console.print(LEGEND)


def table_of(rows: list[Row]) -> output.Table:
    heading = (*POLICIES_SHOWN, "p99", "good")
    table = output.table("", *heading, right=heading)
    for family in dict.fromkeys(row.family for row in rows):
        by_policy = {row.policy: row for row in rows if row.family == family}
        race = by_policy["race"]
        costs = (f"{by_policy[name].over_oracle:.1%}" for name in POLICIES_SHOWN)
        table.add_row(family, *costs, f"{race.over_native_p99:.1%}", f"{race.final_within_3_percent:.0%}")
    return table
