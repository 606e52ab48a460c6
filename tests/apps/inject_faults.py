# SPDX-License-Identifier: Apache-2.0
"""Jobs in which something goes wrong, as many as one likes: `make faults COUNT=200`.

    PYTHONPATH=tests/support .deps/tools/bin/python tests/apps/inject_faults.py [--count N] [--seed N]

Half of them on each MPI, and equally many of each kind: descriptors, memory, files, clock, signals. Seeds follow one
another; FAULT_SEED=SEED COUNT=1 makes one of them again."""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from fault_trials import MPIS, Outcome, Trial, Trials
from mpis import ROOT, by_name
from random_faults import KINDS


def table(outcomes: Counter[tuple[str, str, str]]) -> str:
    lines = []
    for kind in KINDS:
        for mpi in MPIS:
            counts = {name: count for (a, b, name), count in sorted(outcomes.items()) if (a, b) == (kind, mpi)}
            said = ", ".join(f"{count} {name}" for name, count in counts.items()) or "none"
            lines.append(f"{kind:<12} {mpi:<9} {sum(counts.values()):>4}: {said}")
    return "\n".join(lines)


def report(trial: Trial, outcome: Outcome, number: int, count: int, seconds: float) -> None:
    print(f"{number}/{count}  {trial}: {outcome.name}  ({seconds:.0f} s)", flush=True)
    if outcome.is_bad:
        print(f"{outcome.text[-20000:]}\nAgain: make faults COUNT=1 FAULT_SEED={trial.seed}\n", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description="jobs in which something goes wrong")
    parser.add_argument("--count", type=int, default=200, help="how many jobs (200)")
    parser.add_argument("--seed", type=int, default=int(os.environ.get("FAULT_SEED") or random.randrange(10**6)))
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    options = parser.parse_args()
    if missing := next(filter(None, (by_name(name).missing() for name in MPIS)), None):
        print(missing)
        return 1
    print(f"seed {options.seed} (FAULT_SEED={options.seed} makes the same faults again)", flush=True)
    outcomes: Counter[tuple[str, str, str]] = Counter()
    bad = []
    with tempfile.TemporaryDirectory(prefix="espalier-faults-") as folder:
        trials = Trials(options.build.resolve(), Path(folder))
        for number in range(options.count):
            trial = Trial(options.seed + number)
            begun = time.monotonic()
            outcome = trials.try_out(trial)
            report(trial, outcome, number + 1, options.count, time.monotonic() - begun)
            outcomes[trial.kind, str(trial.mpi), outcome.name] += 1
            if outcome.is_bad:
                bad.append(trial.seed)
    print(f"\n{table(outcomes)}\n\n{options.count} faults, {len(bad)} that should have ended otherwise", *bad)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
