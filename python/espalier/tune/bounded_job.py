# SPDX-License-Identifier: Apache-2.0
"""A job that ends in time: by itself, or because it is told to."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from statistics import median
from typing import IO

from espalier import job, launchers
from espalier.failure import Failure
from espalier.installation import Installation, settings_in
from espalier.tune.clock import GRACE_SECONDS
from espalier.tune.interruption import Interruption

LOOK_SECONDS = 0.05
LARGEST_OUTPUT = 16 << 20
SHOWN_LINES = 12


@dataclass(frozen=True)
class Done:
    status: int
    seconds: float
    is_late: bool  # was ended by us
    output: str
    complaints: str

    @property
    def calls(self) -> list[float]:
        """Each one's seconds, by what the program printed; none if it printed nothing that makes sense."""
        at = self.output.find("{")
        try:
            rows = json.loads(self.output[at:])["rows"] if at >= 0 else []
            return [float(one) for row in rows for one in row["each"]]
        except (ValueError, KeyError, TypeError):
            return []

    @property
    def baseline_call(self) -> float:
        """The first ones take longer, and so do some that are tried."""
        return median(self.calls) if self.calls else 0.0

    @property
    def last_words(self) -> str:
        lines = [line for line in (self.complaints + "\n" + self.output).splitlines() if line.strip()]
        return "\n".join(line[:200] for line in lines[-SHOWN_LINES:])


def prepared(
    installation: Installation, command: Sequence[str], settings: Mapping[str, str]
) -> tuple[launchers.Launch, dict[str, str]]:
    """`settings` come over the ESPALIER_* variables of our own environment, and are checked."""
    whole = job.rooted({**settings_in(os.environ), **settings})
    job.check_settings(installation, whole)
    return launchers.prepare(command, str(installation.preload), whole, os.environ), whole


def run(launch: launchers.Launch, words: Sequence[str], seconds: float, interruption: Interruption) -> Done:
    """`words`: the arguments of the program, which is the last word of the launch."""
    began = time.monotonic()
    # Files, not pipes: a rank that outlives its launcher would hold a pipe open.
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as complaints:
        process = started(launch, words, output, complaints)
        try:
            is_late = not waited_for(process, began + seconds, interruption)
        finally:
            if process.poll() is None:
                end(process)
        status = launchers.exit_status(process.returncode)
        return Done(status, time.monotonic() - began, is_late, text_of(output), text_of(complaints))


def started(
    launch: launchers.Launch, words: Sequence[str], output: IO[bytes], complaints: IO[bytes]
) -> subprocess.Popen[bytes]:
    """In a session of its own: the terminal's interrupt is for us, and we end the job."""
    try:
        return subprocess.Popen(
            [*launch.arguments, *words],
            env=launch.environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=complaints,
            start_new_session=True,
        )
    except OSError as error:
        message = f"{launch.arguments[0]} cannot be started: {error.strerror}"
        raise Failure(message, "Is it in PATH?", status=job.NOT_FOUND) from error


def waited_for(process: subprocess.Popen[bytes], until: float, interruption: Interruption) -> bool:
    """Whether it ended by itself."""
    while not interruption.number and time.monotonic() < until:
        with suppress(subprocess.TimeoutExpired):
            process.wait(LOOK_SECONDS)
            return True
    return process.poll() is not None


def end(process: subprocess.Popen[bytes]) -> None:
    """Launchers that are asked to end take their ranks along; who does not listen is killed."""
    for number, patience in ((signal.SIGTERM, GRACE_SECONDS), (signal.SIGKILL, None)):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with suppress(subprocess.TimeoutExpired):
            process.wait(patience)
            return


def text_of(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read(LARGEST_OUTPUT).decode("utf-8", errors="replace")
