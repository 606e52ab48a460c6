# SPDX-License-Identifier: Apache-2.0
"""What measures: a running MPI job that does as it is told, a command at a time (instrument.c)."""

from __future__ import annotations

import json
import os
import select
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import IO, Any, Protocol

from espalier import launchers
from espalier.failure import Failure
from espalier.tune import bounded_job
from espalier.tune.interruption import Interruption

Pair = tuple[int, int]
LOOK_SECONDS = 0.2
GRACE_SECONDS = 30.0  # after which the job ends by itself, also if nobody is there to end it
SHOWN_LINES = 12


class TimeIsUp(Exception):
    """Before all was measured."""


@dataclass(frozen=True)
class Nic:
    name: str
    bytes_per_second: float
    numa_node: int


@dataclass(frozen=True)
class Node:
    host: str
    nics: Sequence[Nic] = ()
    tofu: str = ""  # where it is, if it says so


class Instrument(Protocol):
    """Nodes are known by their numbers in `nodes`."""

    @property
    def nodes(self) -> Sequence[Node]: ...

    def ping(self, count: int, pairs: Sequence[Pair]) -> Sequence[float]:
        """Seconds of a short message in one direction, for each of these disjoint pairs."""

    def flow(self, size: int, chunks: int, flows: Sequence[Pair], synchronous: bool = False) -> Sequence[float]:
        """Seconds until the last message of each flow was there, when all flow at once."""

    def carried(self) -> Sequence[dict[str, int]]:
        """By node: how many bytes each of its interfaces has sent so far."""


@dataclass
class RunningJob:
    """`until`: a time of time.monotonic(), after which nothing is measured any more."""

    process: subprocess.Popen[bytes]
    complaints: IO[bytes]
    until: float
    interruption: Interruption
    nodes: Sequence[Node] = ()
    commands: int = 0
    rest: bytes = field(default=b"", repr=False)

    def begin(self) -> None:
        said = self.answer()
        if said.get("espalier") != "instrument":
            raise Failure("What was started is not Espalier's instrument.", "Is --program made of instrument.c?")
        self.nodes = [node_of(raw) for raw in said["nodes"]]

    def ping(self, count: int, pairs: Sequence[Pair]) -> Sequence[float]:
        return self.numbers(f"ping {count} {words_of(pairs)}", len(pairs))

    def flow(self, size: int, chunks: int, flows: Sequence[Pair], synchronous: bool = False) -> Sequence[float]:
        word = "sync" if synchronous else "flow"
        return self.numbers(f"{word} {size} {chunks} {words_of(flows)}", len(flows))

    def carried(self) -> Sequence[dict[str, int]]:
        return [dict(one) for one in self.ask("carried")["carried"]]

    def numbers(self, command: str, count: int) -> Sequence[float]:
        taken = [float(one) for one in self.ask(command)["taken"]]
        if len(taken) != count:
            raise Failure(f"The instrument answered {len(taken)} numbers instead of {count}.", status=1)
        return taken

    def ask(self, command: str) -> Any:
        assert self.process.stdin is not None
        if self.interruption.number or time.monotonic() > self.until:
            raise TimeIsUp
        try:
            self.process.stdin.write(command.encode() + b"\n")
            self.process.stdin.flush()
        except OSError:
            raise self.ended() from None
        self.commands += 1
        return self.answer()

    def answer(self) -> Any:
        for line in self.lines():
            if line.startswith(b"{"):  # some launchers have words of their own
                try:
                    return json.loads(line)
                except ValueError:
                    continue
        raise self.ended()

    def lines(self) -> Iterator[bytes]:
        """Until the job ends, or its time is over."""
        assert self.process.stdout is not None
        file = self.process.stdout.fileno()
        while True:
            line, newline, rest = self.rest.partition(b"\n")
            if newline:
                self.rest = rest
                yield line
                continue
            if self.interruption.number or time.monotonic() > self.until:
                raise TimeIsUp
            if select.select([file], [], [], LOOK_SECONDS)[0]:
                more = os.read(file, 1 << 16)
                if not more:
                    return
                self.rest += more

    def ended(self) -> Failure:
        self.process.wait()
        lines = [line for line in bounded_job.text_of(self.complaints).splitlines() if line.strip()]
        words = "\n".join(line[:200] for line in lines[-SHOWN_LINES:])
        if not self.nodes:
            return Failure(f"The job ended before it had begun to measure:\n{words}", status=1)
        if not self.commands or (self.commands == 1 and not self.process.returncode):
            return Failure(
                f"The job ended without a command, as its standard input was empty:\n{words}",
                "The launcher must pass its input on to rank 0.",
                status=1,
            )
        return Failure(f"The job ended while it was measuring:\n{words}", status=1)


def words_of(pairs: Sequence[Pair]) -> str:
    return " ".join(f"{a}:{b}" for a, b in pairs)


def node_of(raw: Any) -> Node:
    nics = [Nic(one["name"], float(one["bytes_per_second"]), int(one["numa_node"])) for one in raw.get("nics", [])]
    return Node(raw["host"], nics, raw.get("tofu", ""))


@contextmanager
def running(launch: launchers.Launch, seconds: float, interruption: Interruption) -> Iterator[RunningJob]:
    """The job of this launch, whose last word is the instrument; ended with the context."""
    until = time.monotonic() + seconds
    with tempfile.TemporaryFile() as complaints:
        try:
            process = subprocess.Popen(
                [*launch.arguments, f"{seconds + GRACE_SECONDS:.0f}"],
                env=launch.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=complaints,
                start_new_session=True,
            )
        except OSError as error:
            message = f"{launch.arguments[0]} cannot be started: {error.strerror}"
            raise Failure(message, "Is it in PATH?", status=127) from error
        job = RunningJob(process, complaints, until, interruption)
        try:
            job.begin()
            yield job
            finish(process)
        finally:
            if process.poll() is None:
                bounded_job.end(process)


def finish(process: subprocess.Popen[bytes]) -> None:
    """It is told that this is all; who does not listen is ended by our caller."""
    assert process.stdin is not None
    try:
        process.stdin.write(b"end\n")
        process.stdin.close()
        process.wait(5)
    except (OSError, subprocess.TimeoutExpired):
        pass
