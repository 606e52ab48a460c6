# SPDX-License-Identifier: Apache-2.0
"""A launcher's job, from its start to the description of what it ran on."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from espalier.described.text import text_of
from espalier.discover import instrument, program, search
from espalier.discover.instrument import TimeIsUp
from espalier.discover.search import Announce, Found
from espalier.failure import Failure
from espalier.installation import COMMAND
from espalier.launchers import Launch, Launcher
from espalier.tune import interruption

LONGEST_SECONDS = 24 * 3600.0


@dataclass(frozen=True)
class Outcome:
    found: Found
    hosts: Sequence[str]
    seconds: float
    commands: int

    @property
    def text(self) -> str:
        return text_of(self.found.description)

    def as_json(self) -> dict[str, Any]:
        links = [
            {"between": [self.hosts[a], self.hosts[b]], "bytes_per_second": rate}
            for (a, b), rate in self.found.links.items()
        ]
        return {
            "kind": self.found.kind,
            "nodes": list(self.hosts),
            "latency_seconds": self.found.latency_seconds,
            "links": links,
            "remarks": list(self.found.description.remarks),
            "seconds": self.seconds,
            "commands": self.commands,
            "description": self.text,
        }


def discovered(words: Sequence[str], given: Path | None, seconds: float, console: Console) -> Outcome:
    """By a job of this launcher's."""
    if not words:
        raise Failure(
            "There is no launcher: how does a job start?",
            f"For example: {COMMAND} topo --discover -- mpirun -n 16 --hostfile hosts",
        )
    if not 0 < seconds <= LONGEST_SECONDS:
        raise Failure(f"--seconds {seconds:g}: allowed: more than 0, and at most {LONGEST_SECONDS:,.0f} (a day)")
    measures = program.for_launcher(list(words), os.environ, given)
    launch = Launch(Launcher.UNKNOWN, [*words, str(measures)], dict(os.environ))
    with shown(console) as announce:
        return by_launch(launch, seconds, announce)


def by_launch(launch: Launch, seconds: float, announce: Announce) -> Outcome:
    """`launch`: with the instrument as its last word."""
    began, reached = time.monotonic(), ["the start of the job"]

    def say(what: str, share: float) -> None:
        reached[0] = f"{what} ({share:.0%} of them)"
        announce(what, share)

    with interruption.caught() as caught:
        try:
            with instrument.running(launch, seconds, caught) as job:
                found = search.network(job, say)
                hosts = [node.host for node in job.nodes]
                return Outcome(found, hosts, time.monotonic() - began, job.commands)
        except TimeIsUp:
            raise unfinished(seconds, reached[0], caught.number) from None


def unfinished(seconds: float, reached: str, number: int) -> Failure:
    if number:
        return Failure(f"It was interrupted at {reached}; there is no description.", status=128 + number)
    return Failure(
        f"--seconds {seconds:g}: the time was over at {reached}; there is no description.",
        "Give it longer, or take fewer nodes.",
        status=1,
    )


@contextmanager
def shown(console: Console) -> Iterator[Announce]:
    """A bar on a terminal; in a log, a line for each question."""
    columns = TextColumn("{task.description}", markup=False), BarColumn(bar_width=20), TimeElapsedColumn()
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task, last = bar.add_task("the job starts", total=1.0), [""]

        def announce(what: str, share: float) -> None:
            bar.update(task, description=what, completed=share)
            if what != last[0] and not console.is_terminal:
                console.print(f"Measuring {what} ...")
            last[0] = what

        yield announce
