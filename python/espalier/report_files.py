# SPDX-License-Identifier: Apache-2.0
"""Where the library writes the reports of one run, and how they are distinguished from other files there.

A program may be several MPI jobs, one after the other. The first one's report is the file that ESPALIER_REPORT names,
the next ones' have .2, .3 and so on behind the name, and none of them replaces a file that
exists. So others lie next to them: of former runs, and of those that go on at the same time. Each report repeats
ESPALIER_RUN.
"""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from espalier import report
from espalier.failure import Failure

PLACE, RUN = "ESPALIER_REPORT", "ESPALIER_RUN"


@dataclass(frozen=True)
class ReportFiles:
    """`first`: of the first job; None: no report is wanted. `device`: where the texts go in the end, too."""

    first: Path | None
    device: Path | None = None
    run: str = field(default_factory=lambda: uuid.uuid4().hex)

    @property
    def settings(self) -> dict[str, str]:
        return {PLACE: str(self.first or ""), RUN: self.run}

    def read(self) -> list[report.Report]:
        """This run's, one for each MPI job that ended properly."""
        if self.first is None:
            return []
        return [one for path in numbered(self.first) if (one := read_of_run(path, self.run))]

    def pass_on(self, reports: list[report.Report]) -> None:
        """To the device, if that is where the user wants them. Does not wait for who should read from a FIFO."""
        if self.device is None or not reports:
            return
        text = "".join(json.dumps(one.raw) + "\n" for one in reports)
        try:
            descriptor = os.open(self.device, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY)
            os.set_blocking(descriptor, True)
            with os.fdopen(descriptor, "w") as file:
                file.write(text)
        except OSError as error:
            raise Failure(f"{PLACE}={self.device}: the report could not be written there: {error.strerror}") from error


def planned(settings: Mapping[str, str], temporary: Path) -> ReportFiles:
    """Where the settings want the reports; in `temporary` if they say nothing. Refuses what is sure to fail."""
    wanted = settings.get(PLACE)
    if wanted is None:
        return ReportFiles(temporary / "report")
    if not wanted:
        return ReportFiles(None)
    path = Path(wanted).absolute()
    if path.is_dir():
        raise Failure(f"{PLACE}={wanted}: is a directory; allowed: the name of a file")
    if not path.parent.is_dir():
        raise Failure(f"{PLACE}={wanted}: there is no directory {path.parent}")
    if path.exists() and not path.is_file():
        return ReportFiles(temporary / "report", device=path)
    return ReportFiles(path)


def numbered(first: Path) -> list[Path]:
    """`first`, and what has a number behind that name; in the order of jobs."""
    found = {1: first} if first.is_file() else {}
    siblings = first.parent.iterdir() if first.parent.is_dir() else ()  # the program may have removed it
    for path in siblings:
        name, _, number = path.name.rpartition(".")
        if name == first.name and number.isdecimal() and path.is_file():
            found[int(number)] = path
    return [found[number] for number in sorted(found)]


def read_of_run(path: Path, run: str) -> report.Report | None:
    """Nothing if it is another run's, or no report at all. (The library removes one that it could not finish.)"""
    try:
        one = report.read(path)
    except Failure:
        return None
    settings = one.raw.get("settings")
    return one if isinstance(settings, dict) and settings.get(RUN) == run else None
