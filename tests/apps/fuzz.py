# SPDX-License-Identifier: Apache-2.0
"""Random collective calls under Espalier against the native MPI, for as long as one likes: `make fuzz CALLS=200000`.

    PYTHONPATH=tests/support .deps/tools/bin/python tests/apps/fuzz.py [--calls N] [--seed N] [--mpi NAME]...

Half of the calls are made on each MPI, on 1 to 8 ranks in turn, with forced algorithms and then with none. Then follow
exchanges with neighbours over libfabric, five times as many calls of which another algorithm makes each, and
communicators, of which little memory may be left."""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from crowded import environment_of, facts_in
from differential import Differential
from mpis import ROOT, Mpi, by_name

MPIS = ("openmpi5", "mpich5")
RANKS = (3, 2, 5, 4, 8, 1, 7, 6)
CALLS_PER_RUN = 5000
# So that few calls are enough to begin, and to seek what is fastest.
SOON = {"ESPALIER_BUDGET": "100%", "ESPALIER_FIRST_CALLS": "5"}
MEBIBYTE = 1 << 20
MOST_GROWTH = 8 * MEBIBYTE


@dataclass
class Figures:
    """Of all runs under one MPI."""

    functions: Counter[str] = field(default_factory=Counter)
    algorithms: Counter[str] = field(default_factory=Counter)
    calls: int = 0
    own: int = 0
    seconds: float = 0

    def add(self, facts: dict[str, object], seconds: float) -> None:
        for counted in ("functions", "algorithms"):
            getattr(self, counted).update(facts[counted])
        for number in ("calls", "own"):
            setattr(self, number, getattr(self, number) + facts[number])
        self.seconds += seconds

    def print(self, mpi: Mpi) -> None:
        print(f"\n{mpi}: {self.calls:,} calls in {self.seconds:.0f} s, {self.own:,} on algorithms of our own")
        for title, counted in (("function", self.functions), ("algorithm", self.algorithms)):
            print(f"  {title}s: " + ", ".join(f"{name} {count:,}" for name, count in sorted(counted.items())))


def fuzz(mpi: Mpi, build: Path, calls: int, seed: int) -> bool:
    """Whether nothing was found."""
    program = Differential(mpi, build)
    figures = Figures()
    run = 0
    while figures.calls < calls:
        ranks = RANKS[run % len(RANKS)]
        arguments = ["--seed", seed + run, "--calls", min(CALLS_PER_RUN, calls - figures.calls)]
        carried = {"ESPALIER_SHARED_MEMORY": "off"} if (run + run // len(RANKS)) % 2 else {}
        is_by_default = run // len(RANKS) % 2 == 1
        if is_by_default:
            arguments += ["--by-default", "yes"]
        start = time.monotonic()
        result = program.run(ranks, *arguments, settings={**(SOON if is_by_default else {}), **carried})
        if result.failed:
            print(f"{mpi}, {ranks} ranks, seed {seed + run}: FAILED\n{program.describe(ranks, arguments, result)}")
            return False
        figures.add(result.facts, time.monotonic() - start)
        run += 1
        print(f"{mpi}: {figures.calls:,} of {calls:,} calls, {ranks} ranks, {figures.seconds:.0f} s", flush=True)
    figures.print(mpi)
    return True


def exchanges_are_right(mpi: Mpi, build: Path, rounds: int, seed: int) -> bool:
    """Whether neighbours get what the MPI's own exchanges bring, on 1 to 8 ranks over libfabric, packed evenly and as
    is fastest in turn; the program compares, see stress/halos.cpp."""
    for run, ranks in enumerate(RANKS):
        settings = {"ESPALIER_TRANSPORT": "fabric", **({"ESPALIER_PACKER": "fastest"} if run % 2 else {})}
        command = [str(build / "bin" / f"stress-halos-{mpi}"), str(rounds), str(seed + run)]
        done = mpi.run(ranks, command, {**environment_of(mpi, ranks, build), **settings}, 3600, check=False)
        facts = facts_in(done.stdout) if done.returncode == 0 else {}
        if facts.get("failures") != 0:
            print(f"{mpi}, exchanges on {ranks} ranks, seed {seed + run}: FAILED\n{done.stderr[-4000:]}")
            return False
        print(f"{mpi}: {rounds:,} rounds of exchanges with neighbours, {ranks} ranks", flush=True)
    return True


def grows(mpi: Mpi, build: Path, name: str, *arguments: int) -> bool:
    """Whether a process of that program keeps memory."""
    command = [build / "bin" / f"stress-{name}-{mpi}", *map(str, arguments)]
    done = mpi.run(3, command, environment_of(mpi, 3, build), 3600)
    facts = facts_in(done.stdout)
    print(f"{mpi}: {name} {' '.join(map(str, arguments))}: grown by {facts['growth_bytes'] / MEBIBYTE:.1f} MiB")
    return bool(facts["growth_bytes"] > MOST_GROWTH)


def main() -> int:
    parser = argparse.ArgumentParser(description="random collective calls under Espalier against the native MPI")
    parser.add_argument("--calls", type=int, default=200_000, help="on all MPIs together (200000)")
    parser.add_argument("--seed", type=int, default=int(os.environ.get("FUZZ_SEED") or random.randrange(10**6)))
    parser.add_argument("--mpi", action="append", choices=MPIS, help="those named only (all)")
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    options = parser.parse_args()
    mpis = [by_name(name) for name in options.mpi or MPIS]
    print(f"seed {options.seed} (FUZZ_SEED={options.seed} makes the same calls again)")
    good = True
    for mpi in mpis:
        if missing := mpi.missing():
            print(f"{mpi}: {missing}")
            return 1
        calls = options.calls // len(mpis)
        good = fuzz(mpi, options.build, calls, options.seed) and good
        good = exchanges_are_right(mpi, options.build, max(options.calls // 2000, 4), options.seed) and good
        good = not grows(mpi, options.build, "turns", 5 * options.calls) and good
        good = not grows(mpi, options.build, "communicators", max(options.calls // 40, 1000), 100) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
