# SPDX-License-Identifier: Apache-2.0
"""Jobs in which something goes wrong (random_faults.py), and how they may end.

Right data, or an error that says what is wrong; within a limit. Where the job fails, the same trouble is made for the
native MPI alone: it may fail as well. What somebody else put into a folder stays there.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import processes
from crowded import environment_of
from mpis import Mpi, by_name
from own_algorithms import own_algorithms
from random_faults import KINDS, ROUNDS, Fault, Place, draw

FOLDER = Path(__file__).resolve().parents[1] / "apps" / "faults"
MPIS = ("openmpi5", "mpich5")
LIMIT_SECONDS = 90
NATIVE_TRIES = 4  # an MPI without memory hangs or aborts, as it comes
WRONG_DATA = "WRONG DATA"
LANE_TIMEOUT = 8
SETTINGS: tuple[dict[str, str], ...] = (
    {},
    {"ESPALIER_BUDGET": "100%"},
    {"ESPALIER_TRANSPORT": "fabric"},
    {"ESPALIER_TRANSPORT": "fabric", "ESPALIER_TOPOLOGY": "machine.toml"},
    {"ESPALIER_ALGORITHM": "own"},
    {"ESPALIER_ALGORITHM": "own", "ESPALIER_TRANSPORT": "fabric"},
)
WEIGHTS = (4, 2, 1, 2, 1, 1)
OVER_MPI = {"ESPALIER_ALGORITHM": "own", "ESPALIER_SHARED_MEMORY": "off"}
SHARE_OVER_MPI = 0.25  # of those that would not use libfabric
NAMES_A_CAUSE = re.compile(
    r"espalier: |Abort\(|MPI_ERR|BAD TERMINATION|MPI_ABORT|PMIX|PRTE|prte|mpiexec|File size limit|UCX|fork|libibverbs|"
    r"cannot (open|allocate)|Too many open files|loading shared libraries|\[[^]]+:\d+\]"
)
CRASHED = re.compile(
    r"terminate called|Segmentation fault|signal: 11|signal 11|EXIT STRING: Seg|signal: 6|KILLED BY SIGNAL: (6|7|11)\b"
)


@dataclass(frozen=True)
class End:
    status: int | None  # None: none within the limit
    text: str

    @property
    def is_right(self) -> bool:
        return self.status == 0 and "\n0 wrong\n" in f"\n{self.text}"


@dataclass(frozen=True)
class Outcome:
    name: str
    is_bad: bool
    text: str = ""


@dataclass(frozen=True)
class Trial:
    """All that a seed says."""

    seed: int

    @property
    def kind(self) -> str:
        return KINDS[self.seed % len(KINDS)]

    @property
    def mpi(self) -> Mpi:
        return by_name(MPIS[self.seed // len(KINDS) % len(MPIS)])

    @cached_property
    def _drawn(self) -> tuple[int, dict[str, str], Fault]:
        chance = random.Random(self.seed)
        ranks = chance.choice([2, 2, 3])
        (settings,) = chance.choices(SETTINGS, WEIGHTS)
        fault = draw(self.kind, chance, ranks)
        if "ESPALIER_TRANSPORT" not in settings and chance.random() < SHARE_OVER_MPI:
            settings = {**settings, **OVER_MPI}
        return ranks, settings, fault

    @property
    def ranks(self) -> int:
        return self._drawn[0]

    @property
    def settings(self) -> dict[str, str]:
        return self._drawn[1]

    @property
    def fault(self) -> Fault:
        return self._drawn[2]

    def __str__(self) -> str:
        settings = " ".join(f"{name.removeprefix('ESPALIER_')}={value}" for name, value in self.settings.items())
        what = f"{self.kind}: {self.fault.text}"
        return f"seed {self.seed}, {self.mpi}, {self.ranks} ranks, {settings or 'defaults'}: {what}"


class Trials:
    """What all trials of a build have in common: programs, and what was learnt before."""

    def __init__(self, build: Path, folder: Path) -> None:
        self._build, self._folder = build, folder
        self._learnt: dict[tuple[str, int], Path] = {}

    def try_out(self, trial: Trial) -> Outcome:
        with self._place(trial) as place:
            trial.fault.spoil(place)
            before = facts_of(place)
            end = self._run(trial, place, self._environment(trial, place))
            lost = lost_of(before, place) if end.status is not None else ""
        if lost:
            return Outcome("file lost", True, f"{lost}\n{end.text}")
        outcome = outcome_of(end, trial.fault)
        if not outcome.is_bad:
            return outcome
        may_be_native = outcome.name != WRONG_DATA
        if may_be_native and any(self._ends_so_natively(trial, end) for _ in range(NATIVE_TRIES)):
            return Outcome("as natively", False)
        return outcome

    def _ends_so_natively(self, trial: Trial, end: End) -> bool:
        with self._place(trial) as place:
            trial.fault.spoil(place)
            native = self._run(trial, place, {})
        return native.status is None if end.status is None else not native.is_right

    @contextlib.contextmanager
    def _place(self, trial: Trial) -> Iterator[Place]:
        learnt = self._learnt_by(trial.mpi, trial.ranks)
        with tempfile.TemporaryDirectory(dir=self._folder) as folder:
            place = Place(Path(folder))
            shutil.copytree(learnt, place.memory)
            make_machine(place)
            yield place

    def _environment(self, trial: Trial, place: Place) -> dict[str, str | Path]:
        here = place.root
        own = own_algorithms(self._build, trial.seed)
        paths = {"ESPALIER_TOPOLOGY", "HOME"}
        drawn = {**trial.settings, **trial.fault.settings}
        environment = {
            **environment_of(trial.mpi, trial.ranks, self._build),
            "ESPALIER_MEMORY": place.memory,
            "ESPALIER_REPORT": place.report,
            "ESPALIER_LANE_TIMEOUT": str(LANE_TIMEOUT),
            **{name: here / str(value) if name in paths else str(value) for name, value in drawn.items()},
            **{f"FAULT_{name}": str(value) for name, value in trial.fault.injected.items()},
        }
        if environment.get("ESPALIER_ALGORITHM") == "own":
            environment["ESPALIER_ALGORITHM"] = own
        environment["LD_PRELOAD"] = f"{environment['LD_PRELOAD']}:{self._injector(trial.mpi)}"
        return environment

    def _learnt_by(self, mpi: Mpi, ranks: int) -> Path:
        """By a job in which nothing is wrong."""
        if (mpi.name, ranks) not in self._learnt:
            place = Place(Path(tempfile.mkdtemp(dir=self._folder)))
            place.memory.mkdir(mode=0o700)
            environment = {**environment_of(mpi, ranks, self._build), "ESPALIER_MEMORY": place.memory}
            program = [str(self._program(mpi)), str(ROUNDS), str(place.root)]
            mpi.run(ranks, program, {**environment, "ESPALIER_BUDGET": "100%"}, timeout_seconds=300)
            assert list(place.memory.glob("*.toml")), "nothing was learnt"
            self._learnt[mpi.name, ranks] = place.memory
        return self._learnt[mpi.name, ranks]

    def _program(self, mpi: Mpi) -> Path:
        program = self._folder / f"working-{mpi}"
        return program if program.exists() else mpi.compile([FOLDER / "working.c"], program)

    def _injector(self, mpi: Mpi) -> Path:
        library = self._folder / f"inject-{mpi}.so"
        flags = ["-shared", "-fPIC", "-Wl,--as-needed", "-ldl"]
        return library if library.exists() else mpi.compile([FOLDER / "inject.c"], library, flags)

    def _run(self, trial: Trial, place: Place, environment: Mapping[str, str | Path]) -> End:
        fault = trial.fault
        program = [*fault.around_program, self._program(trial.mpi), ROUNDS, place.root, *fault.trouble]
        waiting = environment or native_environment_of(trial.mpi, trial.ranks, self._build)
        command = [*fault.around_job, *trial.mpi.command(trial.ranks, list(map(str, program)), waiting)]
        return run_disturbed(command, place, trial)


def native_environment_of(mpi: Mpi, ranks: int, build: Path) -> dict[str, str | Path]:
    """Without Espalier, but waiting as with it."""
    environment = environment_of(mpi, ranks, build)
    kept = [word for word in str(environment["LD_PRELOAD"]).split(":") if "libespalier-patient" in word]
    return {**environment, "LD_PRELOAD": ":".join(kept)}


def make_machine(place: Place) -> None:
    place.machine.write_text(f'[rails]\nnics = 1\nrate = 1e9\nnodes = ["{os.uname().nodename}"]\n')


def run_disturbed(command: list[str], place: Place, trial: Trial) -> End:
    over = threading.Event()

    def disturb() -> None:
        while not (numbers := place.numbers(trial.ranks)):
            if over.wait(0.02):
                return
        trial.fault.disturb(numbers, over)

    with subprocess.Popen(
        command,
        cwd=place.root,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    ) as process:
        thread = threading.Thread(target=disturb)
        thread.start()
        status: int | None = None
        try:
            text, _ = process.communicate(timeout=LIMIT_SECONDS)
            status = process.returncode
        except subprocess.TimeoutExpired:
            stacks = stacks_of(place)
            over.set()
            kill(process, place)
            text = process.communicate()[0] + stacks
        finally:
            over.set()
            thread.join()
    if status is not None and (left := ranks_left(place)):
        kill(process, place)
        return End(None, f"{text}\nStill there after the end: {left}")
    return End(status, text)


def ranks_of(place: Place) -> list[int]:
    lines = processes.command_lines()
    return [number for number, words in lines.items() if str(place.root) in words and "working-" in words[0]]


def ranks_left(place: Place) -> list[int]:
    """Some time after the launcher's end."""
    wait = threading.Event()
    for _ in range(50):
        if not ranks_of(place):
            return []
        wait.wait(0.1)
    return ranks_of(place)


def stacks_of(place: Place) -> str:
    """Where the ranks wait."""
    if shutil.which("gdb") is None:
        return ""
    texts = []
    for number in ranks_of(place):
        words = ["gdb", "-p", str(number), "-batch", "-ex", "thread apply all bt 40"]
        with contextlib.suppress(subprocess.TimeoutExpired):
            done = subprocess.run(words, capture_output=True, text=True, timeout=30, check=False)
            texts.append("\n".join(line for line in done.stdout.splitlines() if line.startswith(("#", "Thread"))))
    return "\n--- stacks\n" + "\n\n".join(texts)


def kill(process: subprocess.Popen[str], place: Place) -> None:
    for number in ranks_of(place):
        with contextlib.suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def outcome_of(end: End, fault: Fault) -> Outcome:
    if end.status is None:
        return Outcome("HANG", True, end.text)
    if re.search(r"\d: \w[\w ]*: -?\d+ instead of", end.text) or re.search(r"^[1-9]\d* wrong", end.text, re.M):
        return Outcome(WRONG_DATA, True, end.text)
    if end.is_right:
        return Outcome("right, and said" if "espalier: " in end.text else "right", False)
    if fault.ends_job:
        return Outcome("ended, as it must", False)
    if CRASHED.search(end.text):
        return Outcome("CRASH", True, end.text)
    if not fault.is_shortage:
        return Outcome("ERROR", True, end.text)
    if not NAMES_A_CAUSE.search(end.text):
        return Outcome("NO CAUSE", True, end.text)
    return Outcome("an error that says why", False, end.text)


# ---- what is in a folder


def facts_of(place: Place) -> dict[Path, tuple[int, bytes]]:
    """Of each file: what it is, and what is in it."""
    facts = {}
    for path in [*place.memory.iterdir(), place.machine, place.report]:
        if path.is_symlink() or path.exists():
            mode = path.lstat().st_mode
            is_plain = path.is_file() and not path.is_symlink() and path.stat().st_size < 1 << 24
            facts[path] = (mode, path.read_bytes() if is_plain else b"")
    return facts


def is_whole(text: bytes) -> bool:
    with contextlib.suppress(tomllib.TOMLDecodeError, UnicodeDecodeError):
        return "format" in tomllib.loads(text.decode())
    return False


def lost_of(before: Mapping[Path, tuple[int, bytes]], place: Place) -> str:
    after = facts_of(place)
    for path, (mode, text) in before.items():
        if path not in after:
            return f"{path.name} is gone"
        if after[path][0] != mode:
            return f"{path.name} is another kind of file: {after[path][0]:o} instead of {mode:o}"
        if path.suffix == ".jobs" and after[path][1].startswith(text):
            continue  # jobs add to it
        may_change = path.suffix == ".list" or path.name == ".lock" or (path.suffix == ".toml" and is_whole(text))
        if after[path][1] != text and not (may_change and (path.suffix != ".toml" or is_whole(after[path][1]))):
            return f"{path.name} is not as it was"
    for report in place.root.glob("report.json*"):
        if report not in before:
            try:
                json.loads(report.read_text())
            except ValueError:
                return f"{report.name} is half a report"
    return ""
