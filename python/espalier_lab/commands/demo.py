# SPDX-License-Identifier: Apache-2.0
"""espalier demo: LAMMPS, as Debian has built it, natively and under Espalier; the same physics each time."""

import re
import shutil
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from espalier import job, output, output_files, report
from espalier.failure import Failure
from espalier.installation import ROOT, Installation
from espalier.launchers import Launcher, options_for_one_machine
from espalier_lab.experiments import demo as lab_demo

INPUT = ROOT / "examples" / "lammps" / "in.lj"
LAUNCHER = "mpirun.openmpi"  # Debian's LAMMPS is linked to Debian's Open MPI
APPLICATION = "lmp"
FORCED = "bcast:binary;reduce:binomial;allreduce:recursive_doubling;barrier:dissemination;scan:recursive_doubling"
LEAST_OWN_SHARE = 0.95
RANKS = 4

# The last line of LAMMPS' table of thermodynamic quantities stands before its timing.
FINAL_LINE = re.compile(r"^([ \d.eE+\-]+)\n(?:WARNING[^\n]*\n)*Loop time of ([\d.eE+\-]+)", re.MULTILINE)
HEADER = re.compile(r"^ *Step .*$", re.MULTILINE)


@dataclass(frozen=True)
class Run:
    name: str
    setting: str | None = None  # of ESPALIER_ALGORITHM; None: without Espalier
    reports: list[report.Report] = field(default_factory=list)
    header: str = ""
    final_line: str = ""
    seconds: float = 0.0

    def as_json(self) -> dict[str, Any]:
        reports = [item.raw for item in self.reports]
        return {"run": self.name, "final_line": self.final_line, "seconds": self.seconds, "jobs": reports}


RUNS = (Run("natively"), Run("under Espalier", ""), Run("under Espalier, own algorithms forced", FORCED))


def register(app: typer.Typer) -> None:
    app.command("demo")(demo)


def demo(
    context: typer.Context,
    ranks: Annotated[int, typer.Option(min=1, help="Number of ranks.")] = RANKS,
    json: Annotated[Path | None, typer.Option(metavar="FILE", help="Also write all results to this file.")] = None,
    lab: Annotated[
        bool, typer.Option(metavar="", help="Also a program on a network of namespaces; needs root.")
    ] = True,
) -> None:
    """Run LAMMPS natively, under Espalier, and with own algorithms forced; then a program on a torus of 27 hosts.

    Shows that programs are unmodified, that their results are the same each time, and what Espalier did.
    """
    installation: Installation = context.obj
    output_files.check_can_be_written("--json", json, output_files.json_with("run", "final_line"))
    for program in (LAUNCHER, APPLICATION):
        if not shutil.which(program):
            raise Failure(f"{program} is not installed.", "Install what is missing: scripts/setup")
    console = output.console()
    console.print(f"LAMMPS, {ranks} ranks, {INPUT.relative_to(ROOT)}: 32,000 atoms of a Lennard-Jones melt\n")
    runs = []
    for planned in RUNS:
        console.print(f"{planned.name} ...", end=" ")
        done = launch(installation, planned, ranks)
        console.print(f"done, {done.seconds:.1f} s")
        runs.append(done)
    show_physics(runs, console)
    for done in runs[1:]:
        console.print(done.name, style="bold")
        report.show(done.reports, console)
        console.print()
    if json:
        output_files.write_json([done.as_json() for done in runs], json)
    check(runs, console)
    if lab:
        lab_demo.demo(installation, console)


def launch(installation: Installation, planned: Run, ranks: int) -> Run:
    started = time.monotonic()
    words = [
        LAUNCHER,
        *options_for_one_machine(Launcher.OPEN_MPI),
        "-n",
        str(ranks),
        APPLICATION,
        "-in",
        str(INPUT),
        "-log",
        "none",
    ]
    if planned.setting is None:
        outcome = job.run_natively(words)
    else:
        outcome = job.run(installation, words, {"ESPALIER_ALGORITHM": planned.setting, **job.NO_MEMORY}, capture=True)
    final = FINAL_LINE.search(outcome.output)
    header = HEADER.search(outcome.output)
    if outcome.status != 0 or not final or not header:
        raise Failure(
            f"LAMMPS {planned.name} ended with status {outcome.status}:\n{outcome.output[-3000:]}",
            "The whole command: " + " ".join(words),
            status=1,
        )
    seconds = time.monotonic() - started
    return Run(planned.name, planned.setting, outcome.reports, header.group(), final.group(1), seconds)


def show_physics(runs: list[Run], console: Console) -> None:
    console.print("\nThe final thermodynamic state, as LAMMPS printed it:\n")
    console.print(runs[0].header.rstrip())
    for done in runs:
        console.print(f"{done.final_line.rstrip()}   {done.name}", soft_wrap=True)
    console.print()


def check(runs: list[Run], console: Console) -> None:
    """What this demonstration claims; fails if it is not so."""
    if len({done.final_line for done in runs}) != 1:
        raise Failure("The final thermodynamic lines differ.", "This is a bug; please report it.", status=1)
    console.print("The same final line each time.")
    share = min((item.own_share for item in runs[-1].reports), default=0.0)
    if share < LEAST_OWN_SHARE:
        raise Failure(f"Only {share:.1%} of the forced calls ran on Espalier's schedules.", status=1)
    console.print(f"With own algorithms forced, {share:.1%} of these collectives ran on Espalier's schedules.")
