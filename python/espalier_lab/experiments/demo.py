# SPDX-License-Identifier: Apache-2.0
"""The second half of `espalier demo`: an ordinary program on a torus of 27 hosts, natively and under Espalier."""

import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from espalier import output, report, report_files, units
from espalier.failure import Failure
from espalier.installation import ROOT, Installation
from espalier_lab.experiments import launch
from espalier_lab.experiments.launch import Family
from espalier_lab.network import namespaces, session
from espalier_lab.network.plan import Plan
from espalier_lab.network.spec import Options
from espalier_lab.network.watch import Observation, Watch

NETWORK = "torus:3x3x3"
RATE_BITS = 20e6
PROGRAM = ROOT / "examples" / "training" / "train.py"
PARAMETERS, STEPS = 131072, 5
BYTES = 8 * PARAMETERS
PICTURE = ROOT / "results" / "demo-trees.svg"
SECONDS = re.compile(r"^seconds ([\d.]+)$", re.MULTILINE)
LOSS = re.compile(r"^.*: loss .*$", re.MULTILINE)


@dataclass(frozen=True)
class Run:
    loss: str
    seconds: float
    seen: Observation
    reports: list[report.Report]


def demo(installation: Installation, console: Console) -> None:
    """Says why, and returns, where there can be no lab."""
    console.print("\nThe lab: the same on a network", style="bold")
    try:
        namespaces.require()
    except Failure as failure:
        console.print(f"left out. {failure.message}\n{failure.remedy or ''}")
        return
    console.print(
        f"27 hosts (network namespaces), 3x3x3 torus, {RATE_BITS / 1e6:g} Mbit/s per link and direction; Open MPI 5.\n"
        f"{PROGRAM.relative_to(ROOT)}: {PARAMETERS:,} parameters; a broadcast and {STEPS} sums of gradients, "
        f"{units.bytes_text(BYTES)} each\n"
    )
    with session.lab(NETWORK, Options(RATE_BITS)) as plan:
        console.print("natively ...", end=" ")
        native = run(installation, plan, under_espalier=False)
        console.print(f"done, {native.seconds:.2f} s")
        console.print("under Espalier, no settings ...", end=" ")
        ours = run(installation, plan, under_espalier=True)
        console.print(f"done, {ours.seconds:.2f} s\n")
        show(native, ours, console)
        draw(installation, plan, ours.seen, console)


def run(installation: Installation, plan: Plan, *, under_espalier: bool) -> Run:
    python = str(launch.launcher_of(Family.OPENMPI).parent / "python")
    with tempfile.TemporaryDirectory(prefix="espalier-") as temporary:
        files = report_files.ReportFiles(Path(temporary) / "report" if under_espalier else None)
        settings = files.settings if under_espalier else None
        job = launch.Job([python, str(PROGRAM), str(PARAMETERS), str(STEPS)], settings)
        watch = Watch(plan)
        with launch.prepared(installation, plan, Family.OPENMPI, job) as prepared:
            done = subprocess.run(
                prepared.arguments, env=prepared.environment, capture_output=True, text=True, check=False, timeout=300
            )
        seen = watch.observe()
        seconds, loss = SECONDS.search(done.stdout), LOSS.search(done.stdout)
        if done.returncode != 0 or not seconds or not loss:
            raise Failure(f"The program ended with status {done.returncode}:\n{done.stdout}{done.stderr}", status=1)
        return Run(loss.group(), float(seconds.group(1)), seen, files.read())


def show(native: Run, ours: Run, console: Console) -> None:
    console.print(f"{native.loss}   natively")
    console.print(f"{ours.loss}   under Espalier\n")
    if native.loss != ours.loss:
        raise Failure("The results differ.", "This is a bug; please report it.", status=1)
    bound = best_seconds()
    table = output.table("", "Time", "/ bound", "Links used", "CPUs busy", right=("Time", "/ bound", "CPUs busy"))
    for name, one in (("natively", native), ("under Espalier", ours)):
        used = f"{one.seen.used} of {len(one.seen.traffic)} directions"
        table.add_row(
            name, units.seconds_text(one.seconds), f"{one.seconds / bound:.1f}", used, f"{one.seen.cpu_busy:.0%}"
        )
    table.add_row("bound", units.seconds_text(bound), "1.0", "", "")
    console.print(table)
    console.print(f"\nUnder Espalier the program is {native.seconds / ours.seconds:.1f} times as fast.")
    console.print("Bound: each message's bytes over all six links of a host at once; no arithmetic, no latency.\n")
    report.show(ours.reports, console)


def best_seconds() -> float:
    """Six links in each direction bring a broadcast in; of a sum, everything must go out and come in."""
    link = RATE_BITS / 8
    return BYTES / (6 * link) + STEPS * BYTES / (3 * link)


def draw(installation: Installation, plan: Plan, seen: Observation, console: Console) -> None:
    PICTURE.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="espalier-") as temporary:
        machine, loads = Path(temporary) / "machine.toml", Path(temporary) / "loads"
        machine.write_text(plan.machine)
        lines = [f"{near.namespace} {far.namespace} {item.bytes}\n" for (near, far), item in seen.traffic.items()]
        loads.write_text("".join(lines))
        words = ["draw", "allreduce:trinaryx3_fused", "--topology", str(machine), "--loads", str(loads)]
        installation.run_tool([*words, "--format", "svg", "--output", str(PICTURE)])
    console.print(f"The trees, and what each link was measured to carry: {PICTURE.relative_to(ROOT)}")
