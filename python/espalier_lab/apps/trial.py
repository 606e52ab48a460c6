# SPDX-License-Identifier: Apache-2.0
"""One program, natively and under Espalier, each in a directory of its own."""

import os
import re
import shlex
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from espalier import job, report
from espalier.failure import Failure
from espalier.installation import ROOT, Installation
from espalier.launchers import Launcher, options_for_one_machine
from espalier.mpis import Mpi
from espalier_lab.apps import results
from espalier_lab.apps.description import App
from espalier_lab.apps.quietly import run_quietly
from espalier_lab.apps.share import Share, share_of

LAUNCHER = "mpirun.openmpi"  # what Debian's programs are linked to
ENVIRONMENTS = ROOT / ".deps"
PLACE = ROOT / "results" / "apps"
TIMEOUT_SECONDS, TIMED_OUT = 600, 124
KEPT_LINES = 20


@dataclass(frozen=True)
class Side:
    """All runs of a program, one direction."""

    seconds: float  # whole runs, or what the program says of its own time
    values: list[results.Values]
    reports: list[report.Report]


@dataclass(frozen=True)
class Trial:
    app: App
    comparison: results.Comparison
    seconds_natively: float
    seconds: float  # under Espalier
    share: Share
    reports: list[report.Report]

    @property
    def complaint(self) -> str:
        """What is not as it should be; empty if all is."""
        if self.comparison.difference:
            return self.comparison.difference
        if self.share.of_calls < self.app.least_share:
            return f"only {self.share.of_calls:.1%} of the calls ran on own schedules"
        return ""

    def as_json(self) -> dict[str, Any]:
        return {
            "app": self.app.name,
            "ranks": self.app.ranks,
            "result": self.comparison.verdict,
            "difference": self.comparison.difference,
            "seconds_natively": self.seconds_natively,
            "seconds": self.seconds,
            "calls": self.share.all.calls,
            "calls_left_out": self.share.left_out,
            "own_share": {
                "calls": self.share.of_calls,
                "seconds": self.share.of_seconds,
                "bytes": self.share.of_bytes,
            },
            "passed_on": [
                {"collective": collective, "reason": reason, "calls": calls}
                for collective, reason, calls in self.share.passed_on
            ],
            "jobs": [one.raw for one in self.reports],
        }


Runner = Callable[[str, Path], job.Outcome]  # of a command as its description has it, in that directory


def carry_out(app: App, installation: Installation, settings: dict[str, str], console: Console) -> Trial:
    def natively(command: str, directory: Path) -> job.Outcome:
        return job.run_natively(words_of(app, command), directory=directory)

    def under_espalier(command: str, directory: Path) -> job.Outcome:
        return job.run(installation, words_of(app, command), settings, capture=True, directory=directory)

    console.print("natively ...", end=" ")
    one = side(app, fresh_directory(app, PLACE / app.name / "natively"), natively)
    console.print(f"{one.seconds:.1f} s, under Espalier ...", end=" ")
    other = side(app, fresh_directory(app, PLACE / app.name / "under-espalier"), under_espalier)
    console.print(f"{other.seconds:.1f} s:", end=" ")
    comparison = results.compared(app.results, one.values, other.values)
    return Trial(app, comparison, one.seconds, other.seconds, share_of(other.reports), other.reports)


def side(app: App, directory: Path, run: Runner) -> Side:
    """In a fresh directory, of whose name messages have the last word."""
    name = directory.name
    for command in app.prepare:
        prepare(app, command, directory)
    started = time.monotonic()
    printed, reports = "", []
    for number, command in enumerate(app.runs):
        outcome = run(command, directory)
        (directory / f"run-{number}.out").write_text(outcome.output, errors="replace")
        if outcome.status != 0:
            raise Failure(f"{app.name}: {command}: {name}: {ending(outcome.status)}\n{last_lines(outcome.output)}")
        printed += outcome.output
        reports += outcome.reports
    seconds = time.monotonic() - started if not app.seconds else own_seconds(app, printed)
    return Side(seconds, values_in(app, printed, directory), reports)


def own_seconds(app: App, printed: str) -> float:
    found: list[str] = re.findall(app.seconds, printed, re.MULTILINE)
    if not found:
        raise Failure(f"{app.name}: it does not say how long it took: {app.seconds}")
    return sum(map(seconds_in, found))


def seconds_in(text: str) -> float:
    """Also as some say it: "1m 9.39"."""
    minutes, _, seconds = text.rpartition("m")
    return 60 * float(minutes or 0) + float(seconds)


def values_in(app: App, printed: str, directory: Path) -> list[results.Values]:
    return [results.values_of(quantity, printed, directory) for quantity in app.results]


def values_of_earlier(app: App, directory: Path) -> list[results.Values] | None:
    """Of what ran there before; None if nothing did."""
    files = [directory / f"run-{number}.out" for number in range(len(app.runs))]
    if not all(file.is_file() for file in files):
        return None
    return values_in(app, "".join(file.read_text(errors="replace") for file in files), directory)


def fresh_directory(app: App, directory: Path) -> Path:
    """With the inputs in it."""
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    for path in app.inputs:
        shutil.copy(path, directory)
    return directory


def prepare(app: App, command: str, directory: Path) -> None:
    done = run_quietly(shlex.split(command), {**app.environment, **search_path(app)}, directory)
    if done.returncode != 0:
        raise Failure(f"{app.name}: {command}: {ending(done.returncode)}\n{last_lines(done.stdout)}")


def search_path(app: App) -> dict[str, str]:
    """With which the compilers and the Python of what was set up are found."""
    own = [str(ENVIRONMENTS / name / "bin") for name in (app.setup, "openmpi")]
    return {"PATH": os.pathsep.join([*own, os.environ.get("PATH", os.defpath)])} if app.setup else {}


def launcher_of(app: App) -> str:
    return str(ENVIRONMENTS / "openmpi" / "bin" / "mpirun") if app.setup else LAUNCHER


def words_of(app: App, command: str, mpi: Mpi | None = None) -> list[str]:
    """What hangs is ended. Without an MPI it is the one that the program is linked to."""
    environment = [f"{name}={value}" for name, value in app.environment.items()]
    kind, launcher = (mpi.launcher, str(mpi.path)) if mpi else (Launcher.OPEN_MPI, launcher_of(app))
    before = ["timeout", "--kill-after=10", str(TIMEOUT_SECONDS), "env", *environment]
    return [*before, launcher, *options_for_one_machine(kind), "-n", str(app.ranks), *shlex.split(command)]


def ending(status: int) -> str:
    return f"not done after {TIMEOUT_SECONDS} s" if status == TIMED_OUT else f"ended with status {status}"


def last_lines(text: str) -> str:
    return "\n".join(text.splitlines()[-KEPT_LINES:])
