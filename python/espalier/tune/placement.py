# SPDX-License-Identifier: Apache-2.0
"""Which file of the memory the launcher's jobs write: a short job tells it, by what it writes into a directory of its
own."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from espalier import launchers
from espalier.failure import Failure
from espalier.installation import Installation
from espalier.memory import stored
from espalier.memory.contents import Memory
from espalier.tune import bounded_job, program
from espalier.tune.bounded_job import Done
from espalier.tune.clock import Clock
from espalier.tune.interruption import Interruption
from espalier.tune.settings import settings_for

CALLS = 4000
LIMIT_SECONDS = 3.0


@dataclass(frozen=True)
class Placement:
    path: Path  # where its memory is, or will be
    sample: Memory  # what the short job wrote

    @property
    def fingerprint(self) -> str:
        return self.path.stem

    @property
    def ranks(self) -> int:
        return self.sample.ranks

    def memory(self) -> Memory | None:
        """What was learnt of it, if there is anything that jobs would use."""
        file = stored.read(self.path)
        return file.memory if file.memory and file.memory.library == self.sample.library else None


def find(
    installation: Installation, command: Sequence[str], directory: Path, clock: Clock, interruption: Interruption
) -> Placement:
    with place_next_to(directory) as place:
        launch, _ = bounded_job.prepared(installation, command, settings_for(place))
        # By its first calls a job may make too few; then it makes all of them.
        for limit in (min(LIMIT_SECONDS, clock.seconds / 20), 0):
            words = program.words_for("allreduce", 8, "whole", CALLS, limit)
            done = bounded_job.run(launch, words, clock.left, interruption)
            clock.learn(done.seconds, sum(done.calls))
            if interruption.number:
                raise Failure("Interrupted: nothing was measured yet.", status=128 + interruption.number)
            check(installation, launch, done)
            for file in stored.in_directory(place):
                if file.memory:
                    return Placement(directory / file.path.name, file.memory)
    raise Failure(
        f"The first job ended well, but wrote no memory into {directory}.",
        "It takes at least two ranks, and rank 0 must see this directory on its node: "
        "--directory DIR on a file system that nodes share.",
        status=1,
    )


def check(installation: Installation, launch: launchers.Launch, done: Done) -> None:
    if done.is_late:
        raise Failure(
            f"The first job had not ended after {done.seconds:.0f} s, and was ended.\n{done.last_words}".rstrip(),
            "Does the launcher start jobs at all? If it only takes its time: more of it by --minutes.",
            status=1,
        )
    if done.status != 0:
        cores = int(installation.ask_tool(["topo", "--node"])["cores"])
        remedies = launchers.refusals(launch, cores)
        raise Failure(
            f"The first job ended with status {done.status}:\n{done.last_words}".rstrip(),
            "\n".join(remedies) or "The launcher must start a program of this MPI; Espalier adds the program.",
            status=1,
        )


@contextmanager
def place_next_to(directory: Path) -> Iterator[Path]:
    """In the memory's directory: rank 0 may be on another node, which shares that one, but not /tmp."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        temporary = tempfile.TemporaryDirectory(prefix=".tune-", dir=directory)
    except OSError as error:
        raise Failure(f"{directory}: cannot be written: {error.strerror}", "Another place: --directory DIR") from None
    with temporary as name:
        yield Path(name)
