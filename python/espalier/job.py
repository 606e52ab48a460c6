# SPDX-License-Identifier: Apache-2.0
"""Starting a program under Espalier and collecting its reports. `run`, `demo` and `bench` all go so."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import IO

from espalier import ending, launchers, report, report_files
from espalier.failure import Failure
from espalier.installation import COMMAND, Installation, settings_in
from espalier.older_python import temporary_directory

NOT_FOUND = 127
TOPOLOGY = "ESPALIER_TOPOLOGY"
NO_MEMORY = {"ESPALIER_MEMORY": ""}  # for what is measured, or must be the same every time


@dataclass(frozen=True)
class Outcome:
    launch: launchers.Launch
    status: int
    reports: list[report.Report]
    files: report_files.ReportFiles
    output: str = ""


def check_settings(installation: Installation, settings: Mapping[str, str]) -> None:
    """Refuses what the library would refuse or go on without, before anything is started."""
    if not installation.has_tool:  # then the library refuses them, at MPI_Init
        return
    bare = {name: value for name, value in os.environ.items() if name not in settings_in(os.environ)}
    installation.run_tool(["info", "--check"], {**bare, **settings})


def rooted(settings: Mapping[str, str]) -> dict[str, str]:
    """The description's name holds wherever the launcher starts the ranks."""
    file = settings.get(TOPOLOGY)
    return {**settings, TOPOLOGY: str(Path(file).absolute())} if file else dict(settings)


def run(
    installation: Installation,
    command: Sequence[str],
    settings: Mapping[str, str],
    *,
    capture: bool = False,
    directory: Path | None = None,
) -> Outcome:
    """Runs `command` to its end. `settings` come over the ESPALIER_* variables of our own environment."""
    if not command:
        raise Failure("There is nothing to run.", f"For example: {COMMAND} run -- mpirun -n 4 ./app")
    all_settings = rooted({**settings_in(os.environ), **settings})
    check_settings(installation, all_settings)
    check_can_be_preloaded(installation.preload)
    with temporary_directory("espalier-") as temporary:
        files = report_files.planned(all_settings, Path(temporary))
        launch = launchers.prepare(command, str(installation.preload), {**all_settings, **files.settings}, os.environ)
        status, text = wait_for(launch, capture, directory)
        return Outcome(launch, status, files.read(), files, text)


def check_can_be_preloaded(library: Path) -> None:
    if any(sign in str(library) for sign in " :"):
        raise Failure(
            f"{library}: the system preloads nothing whose path holds a space or a colon.", "Move it elsewhere."
        )


def run_natively(command: Sequence[str], directory: Path | None = None) -> Outcome:
    """Runs `command` without Espalier, for comparison; its output is kept."""
    launch = launchers.Launch(launchers.Launcher.UNKNOWN, list(command), dict(os.environ))
    status, text = wait_for(launch, capture=True, directory=directory)
    return Outcome(launch, status, [], report_files.ReportFiles(None), text)


def wait_for(launch: launchers.Launch, capture: bool, directory: Path | None) -> tuple[int, str]:
    output: int | IO[str] | None = subprocess.PIPE if capture else None
    try:
        process = subprocess.Popen(
            launch.arguments,
            env=launch.environment,
            stdin=subprocess.DEVNULL if capture else None,
            stdout=output,
            stderr=subprocess.STDOUT if capture else None,
            text=True,
            errors="replace",
            cwd=directory,
        )
    except OSError as error:
        raise Failure(
            f"{launch.arguments[0]} cannot be started: {error.strerror}", "Is it in PATH?", status=NOT_FOUND
        ) from error
    with signals_passed_on(process):
        text, _ = process.communicate()
    return launchers.exit_status(process.returncode), text or ""


@contextmanager
def signals_passed_on(process: subprocess.Popen[str]) -> Iterator[None]:
    """A job that is interrupted still ends as it does, and we still say what is known of it."""

    def pass_on(number: int, _: FrameType | None) -> None:
        # The terminal sends its interrupt to the whole foreground group, so to the launcher too.
        if number != signal.SIGINT:
            process.send_signal(number)

    with ending.received_by(pass_on):
        yield
