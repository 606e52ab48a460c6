# SPDX-License-Identifier: Apache-2.0
"""Faults drawn from a seed: what goes wrong with descriptors, memory, files, the clock or by signals, and where.

A fault says what is done before a job, to its programs and while it runs; `fault_trials.py` makes the job and judges
it.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

KINDS = ("descriptors", "memory", "files", "clock", "signals")
ROUNDS = 1500  # of the program
LEARNED = 700  # by then most calls are made as they will be
MEBIBYTE = 1 << 20


@dataclass(frozen=True)
class Place:
    """The folder of one trial, and what is in it before the job."""

    root: Path

    @property
    def memory(self) -> Path:
        return self.root / "memory"

    @property
    def machine(self) -> Path:
        return self.root / "machine.toml"

    @property
    def report(self) -> Path:
        return self.root / "report.json"

    def numbers(self, ranks: int) -> list[int]:
        """Of the processes, as soon as all ranks have said theirs."""
        files = [self.root / f"{rank}.pid" for rank in range(ranks)]
        return [int(file.read_text()) for file in files] if all(file.exists() for file in files) else []


def nothing(*_: object) -> None:
    pass


@dataclass(frozen=True)
class Fault:
    kind: str
    text: str
    spoil: Callable[[Place], None] = nothing  # before the start
    around_job: Sequence[str] = ()  # words before the launcher's
    around_program: Sequence[str] = ()
    trouble: Sequence[object] = ()  # of the program (faults/working.c)
    injected: Mapping[str, object] = field(default_factory=dict)  # the injector's (faults/inject.c)
    settings: Mapping[str, object] = field(default_factory=dict)
    disturb: Callable[[Sequence[int], threading.Event], None] = nothing  # the processes, until the job is over
    is_shortage: bool = False  # an error that names it is right, too
    ends_job: bool = False


def draw(kind: str, chance: random.Random, ranks: int) -> Fault:
    return DRAWN[kind](chance, ranks)


def some_rank(chance: random.Random, ranks: int) -> int:
    """-1: all."""
    return chance.randrange(-1, ranks)


def some_round(chance: random.Random) -> int:
    early, late = chance.randrange(LEARNED), chance.randrange(LEARNED, ROUNDS)
    at: int = chance.choice((0, early, late))
    return at


def said(rank: int) -> str:
    return "every rank" if rank < 0 else f"rank {rank}"


# ---- descriptors


def few_descriptors(chance: random.Random, ranks: int) -> Fault:
    if chance.random() < 0.5:
        limit = chance.randrange(12, 90)
        return Fault(
            "descriptors",
            f"{limit} from the start",
            around_program=("prlimit", f"--nofile={limit}:{limit}"),
            is_shortage=True,
        )
    rank, at, limit = some_rank(chance, ranks), some_round(chance), chance.choice([0, 3, 8, 16, 24, 40])
    return Fault(
        "descriptors",
        f"{limit} from round {at} on, {said(rank)}",
        trouble=("nofile", rank, at, limit),
        is_shortage=True,
    )


# ---- memory


def little_memory(chance: random.Random, ranks: int) -> Fault:
    rank = some_rank(chance, ranks)
    if chance.random() < 0.4:
        at, more = some_round(chance), chance.choice([0, 1, 4, 16, 64])
        return Fault(
            "memory",
            f"{more} MiB more from round {at} on, {said(rank)}",
            trouble=("as", rank, at, more),
            is_shortage=True,
        )
    at = chance.choice([chance.randint(1, 150), chance.randint(150, 3000), chance.randint(3000, 20000)])
    every = chance.choice([0, 1, 2, 7, 50, 400])
    again = f", then each {every}th" if every else ""
    return Fault(
        "memory",
        f"allocation {at} fails{again}, {said(rank)}",
        injected={"KIND": "allocation", "RANK": rank, "AT": at, "EVERY": every},
        is_shortage=True,
    )


# ---- files


def cut(path: Path, chance: random.Random) -> None:
    text = path.read_bytes()
    path.write_bytes(text[: chance.randrange(len(text) + 1)])


def garble(path: Path, chance: random.Random) -> None:
    text = bytearray(path.read_bytes())
    for _ in range(1 + len(text) // 20):
        text[chance.randrange(len(text))] = chance.randrange(256)
    path.write_bytes(text)


def replaced(make: Callable[[Path], None]) -> Callable[[Path, random.Random], None]:
    def replace(path: Path, _: random.Random) -> None:
        path.unlink()
        make(path)

    return replace


def make_sparse(path: Path) -> None:
    path.touch()
    os.truncate(path, 1 << 40)


SPOILT: dict[str, Callable[[Path, random.Random], None]] = {
    "truncated": cut,
    "garbled": garble,
    "a directory": replaced(Path.mkdir),
    "a fifo": replaced(os.mkfifo),
    "a link to itself": replaced(lambda path: path.symlink_to(path)),
    "a link to nothing": replaced(lambda path: path.symlink_to("nowhere")),
    "/dev/full": replaced(lambda path: path.symlink_to("/dev/full")),
    "/dev/zero": replaced(lambda path: path.symlink_to("/dev/zero")),
    "a tebibyte of nothing": replaced(make_sparse),
    "unreadable": lambda path, _: path.chmod(0),
}
FILES = ("memory", "list", "lock", "machine", "report")


def spoilt_file(chance: random.Random, _: int) -> Fault:
    which, how = chance.choice(FILES), chance.choice(list(SPOILT))
    seed = chance.randrange(1 << 32)

    def spoil(place: Place) -> None:
        memory = next(place.memory.glob("*.toml"))
        files = {
            "memory": memory,
            "list": memory.with_suffix(".list"),
            "lock": place.memory / ".lock",
            "machine": place.machine,
            "report": place.report,
        }
        path = files[which]
        if not path.exists():
            path.write_text("0123456789abcdef\n")
        SPOILT[how](path, random.Random(seed))

    settings = {"ESPALIER_TOPOLOGY": "machine.toml"} if which == "machine" else {}
    return Fault("files", f"{which}: {how}", spoil=spoil, settings=settings)


# The disk of the memory is a small one, which is full; what was there is copied out of it in the end.
FULL_DISK = """
    cd "$1"
    mv memory kept && mkdir memory && mount -t tmpfs -o size=64k,mode=700 none memory && cp -pr kept/. memory
    cat /dev/zero > memory/filling 2> /dev/null
    shift && "$@"
    status=$?
    rm -r kept && mkdir kept && rm memory/filling && cp -pr memory/. kept
    umount memory && rmdir memory && mv kept memory
    exit $status
"""


def bad_folder(chance: random.Random, ranks: int) -> Fault:
    how = chance.choice(["full disk", "no home", "home that is a file", "read-only home", "no longer files"])
    homes = {"no home": "nowhere", "home that is a file": "machine.toml", "read-only home": "/proc"}
    if how == "full disk":
        return Fault("files", how, around_job=("unshare", "--mount", "sh", "-c", FULL_DISK, "sh", "."))
    if how == "no longer files":
        rank, at, bytes_left = some_rank(chance, ranks), some_round(chance), chance.choice([0, 100, 4096])
        return Fault(
            "files",
            f"none longer than {bytes_left} bytes from round {at} on, {said(rank)}",
            trouble=("fsize", rank, at, bytes_left),
            is_shortage=True,  # MPICH makes files of shared memory, too
        )
    settings = {"ESPALIER_MEMORY": "auto", "HOME": homes[how], "XDG_CACHE_HOME": ""}
    return Fault("files", how, settings=settings)


def failing_file(chance: random.Random, ranks: int) -> Fault:
    rank, at, every = some_rank(chance, ranks), chance.randint(1, 60), chance.choice([0, 1, 2, 5])
    again = f", then each {every}th" if every else ""
    return Fault(
        "files",
        f"use {at} of one fails{again}, {said(rank)}",
        injected={"KIND": "file", "RANK": rank, "AT": at, "EVERY": every},
    )


def bad_file(chance: random.Random, ranks: int) -> Fault:
    (make,) = chance.choices([spoilt_file, bad_folder, failing_file], weights=[5, 3, 2])
    return make(chance, ranks)


# ---- clock


def jumping_clock(chance: random.Random, ranks: int) -> Fault:
    rank, at = some_rank(chance, ranks), chance.choice([1, chance.randint(1, 200), chance.randint(200, 20000)])
    step = chance.choice([-1, 1]) * chance.choice([1, 30, 3600, 10**8])
    return Fault(
        "clock",
        f"by {step:+} s at reading {at}, {said(rank)}",
        injected={"KIND": "clock", "RANK": rank, "AT": at, "STEP": step},
    )


# ---- signals


def send(processes: Sequence[int], number: signal.Signals) -> None:
    for process in processes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, number)


def some_signals(chance: random.Random, ranks: int) -> Fault:
    how = chance.choice(["alarms", "storm", "stop", "term", "kill"])
    rank, delay = some_rank(chance, ranks), chance.uniform(0, 0.8)
    if how == "alarms":
        at, microseconds = some_round(chance), chance.choice([100, 1000, 10000])
        return Fault(
            "signals",
            f"SIGALRM each {microseconds} us from round {at} on, {said(rank)}",
            trouble=("alarms", rank, at, microseconds),
        )
    pause = chance.uniform(0.1, 3)

    def disturb(processes: Sequence[int], over: threading.Event) -> None:
        meant = processes if rank < 0 else [processes[rank]]
        if how != "storm":
            over.wait(delay)
        if how == "stop":
            send(meant, signal.SIGSTOP)
            time.sleep(pause)
            send(meant, signal.SIGCONT)
        elif how == "storm":
            while not over.wait(0.001):
                send(meant, signal.SIGUSR1)
        else:
            send(meant, signal.SIGTERM if how == "term" else signal.SIGKILL)

    texts = {
        "storm": "SIGUSR1 all the time",
        "stop": f"stopped for {pause:.1f} s after {delay:.1f} s",
        "term": f"SIGTERM after {delay:.1f} s",
        "kill": f"SIGKILL after {delay:.1f} s",
    }
    return Fault("signals", f"{texts[how]}, {said(rank)}", disturb=disturb, ends_job=how in ("term", "kill"))


DRAWN: Mapping[str, Callable[[random.Random, int], Fault]] = {
    "descriptors": few_descriptors,
    "memory": little_memory,
    "files": bad_file,
    "clock": jumping_clock,
    "signals": some_signals,
}
