# SPDX-License-Identifier: Apache-2.0
"""espalier apps: real programs, natively and with own algorithms forced for everything, or chosen as they run."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from espalier import job, output, output_files, units
from espalier.failure import Failure
from espalier.installation import Installation
from espalier_lab.apps import description, packages, trial
from espalier_lab.apps.description import App
from espalier_lab.apps.trial import Trial


@dataclass
class Record:
    """What became of all programs. The texts say which one and why."""

    trials: list[Trial] = field(default_factory=list)
    not_installed: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)

    @property
    def complaints(self) -> list[str]:
        return [f"{one.app.title}: {one.complaint}" for one in self.trials if one.complaint] + self.failed

    def as_json(self, settings: dict[str, str]) -> dict[str, Any]:
        apps = [one.as_json() for one in self.trials]
        return {"settings": settings, "apps": apps, "not_installed": self.not_installed, "complaints": self.complaints}


def register(app: typer.Typer) -> None:
    app.command("apps")(apps)


def apps(
    context: typer.Context,
    programs: Annotated[
        list[str] | None, typer.Argument(metavar="[PROGRAM]...", help="Folders of apps/; all by default.")
    ] = None,
    install: Annotated[bool, typer.Option("--install", metavar="", help="First install what is missing.")] = False,
    algorithm: Annotated[
        str, typer.Option(metavar="SETTING", help="Force these algorithms instead of one for each collective.")
    ] = "",
    policy: Annotated[str, typer.Option(metavar="NAME", help="Force nothing: choose as this policy does.")] = "",
    json: Annotated[Path | None, typer.Option(metavar="FILE", help="Also write all results to this file.")] = None,
) -> None:
    """Run real programs natively and with own algorithms forced, and compare their results.

    Shows how many of their collective calls ran on Espalier's schedules.

    - ./espalier apps lammps gromacs
    """
    installation: Installation = context.obj
    output_files.check_can_be_written("--json", json, output_files.json_with("apps", "complaints"))
    chosen = description.chosen(programs or [])
    if algorithm or policy:  # which may be one for a few calls only
        chosen = [replace(app, least_share=0.0) for app in chosen]
    settings = settings_for(installation, algorithm, policy)
    console = output.console()
    console.print(" ".join(f"{name}='{value}'" for name, value in settings.items()) + "\n", soft_wrap=True)
    record = Record()
    for number, app in enumerate(chosen, start=1):
        console.print(f"[{number}/{len(chosen)}] {app.title}, {units.plural(app.ranks, 'rank')}: {app.about}")
        if why := why_not_installed(app, install, console):
            console.print(f"not run: {why}\n", soft_wrap=True)
            record.not_installed.append(f"{app.title}: {why}")
        else:
            try_out(app, installation, settings, record, console)
    show(record, console)
    if json:
        output_files.write_json(record.as_json(settings), json)
    if record.complaints:
        raise Failure("\n".join(record.complaints), f"What they wrote is in {trial.PLACE}.", status=1)


def settings_for(installation: Installation, algorithm: str, policy: str) -> dict[str, str]:
    if policy:
        if algorithm:
            raise Failure("--policy and --algorithm exclude each other")
        return {"ESPALIER_POLICY": policy, **job.NO_MEMORY}
    return {"ESPALIER_ALGORITHM": algorithm or own_for_everything(installation), **job.NO_MEMORY}


def own_for_everything(installation: Installation) -> str:
    """Of each collective the first algorithm among those that are right for most calls."""
    best: dict[str, dict[str, Any]] = {}
    for algorithm in installation.ask_tool(["algorithms"])["algorithms"]:
        collective = algorithm["collective"]
        if collective not in best or versatility(algorithm) > versatility(best[collective]):
            best[collective] = algorithm
    return ";".join(f"{collective}:{algorithm['name']}" for collective, algorithm in best.items())


def versatility(algorithm: dict[str, Any]) -> int:
    return int(algorithm["keeps_rank_order"]) + int(algorithm["takes_uneven"])


def why_not_installed(app: App, install: bool, console: Console) -> str:
    """Empty if it is, now."""
    wanted = packages.missing_of(app)
    if not wanted:
        return ""
    if not install:
        return f"not installed: {' '.join(wanted)} (--install does it)"
    console.print(f"installing {' '.join(wanted)} ...")
    return packages.install_all(wanted)


def try_out(app: App, installation: Installation, settings: dict[str, str], record: Record, console: Console) -> None:
    try:
        done = trial.carry_out(app, installation, settings, console)
    except Failure as failure:
        console.print(f"\n{failure.message}\n", soft_wrap=True)
        record.failed.append(failure.message.partition("\n")[0])
        return
    own = f"{done.share.of_calls:.1%} of {units.plural(done.share.all.calls, 'call')}"
    console.print(f"{done.comparison.verdict}; {own} on own schedules\n")
    record.trials.append(done)


def show(record: Record, console: Console) -> None:
    right = ("Ranks", "Calls", "Own", "Of time", "Of bytes")
    table = output.table("Program", "Ranks", "Result", "Calls", "Own", "Of time", "Of bytes", right=right)
    for one in record.trials:
        share = one.share
        shares = [f"{part:.1%}" for part in (share.of_calls, share.of_seconds, share.of_bytes)]
        calls = units.count_text(share.all.calls)
        table.add_row(one.app.name, str(one.app.ranks), one.comparison.verdict, calls, *shares)
    console.print(table)
    console.print(
        "Calls: among two and more ranks of one group, of all ranks together. Own: those that ran on Espalier's "
        "schedules; and their share of the time in calls, and of the bytes."
    )
    show_passed_on([(one.app.name, *what) for one in record.trials for what in one.share.passed_on], console)
    for text in record.not_installed:
        console.print(f"Not run: {text}", soft_wrap=True)


def show_passed_on(rows: Sequence[tuple[str, str, str, int]], console: Console) -> None:
    if not rows:
        return
    console.print("\nPassed on to the MPI:\n")
    table = output.table("Program", "Collective", "Calls", "Why", right=("Calls",))
    for program, collective, reason, calls in rows:
        table.add_row(program, collective, units.count_text(calls), reason)
    console.print(table)
