# SPDX-License-Identifier: Apache-2.0
"""Ranks of a node that share memory while something happens to one of them: it is killed, stopped, or has children.

The job goes on right or ends as the native MPI ends it. Nothing is left, nothing hangs, no byte is wrong. FAULT_SEED in
the environment repeats the kills of a run.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from pathlib import Path

import pytest
from drawn import IS_THOROUGH
from mpis import Mpi, matrix
from node_jobs import NodeJobs
from own_algorithms import own_algorithms

MPIS = ("openmpi5", "mpich5", *(("openmpi4", "mpich4") if IS_THOROUGH else ()))
PHASES = ("start", "short", "medium", "long", "nonblocking", "communicators", "end")
# With all four MPIs 200 kills.
KILLS_PER_PHASE = 7 if IS_THOROUGH else 1
KILLS_MORE = 1 if IS_THOROUGH else 0
ROUNDS = 60


def forced(build: Path, turn: int = 0) -> dict[str, str]:
    return {"ESPALIER_ALGORITHM": own_algorithms(build, turn)}


@pytest.mark.parametrize("mpi", matrix(MPIS))
def test_a_rank_that_is_killed_ends_the_job_and_nothing_is_left(mpi: Mpi, jobs: NodeJobs, build: Path) -> None:
    seed = int(os.environ.get("FAULT_SEED", random.SystemRandom().randrange(1 << 32)))
    chance = random.Random(seed)
    outcomes: Counter[str] = Counter()
    for phase in [*PHASES * KILLS_PER_PHASE, *["start"] * KILLS_MORE]:
        ranks = chance.choice([2, 3])
        rank, microseconds = chance.randrange(ranks), int(10 ** chance.uniform(0, 5))
        turn = chance.choice([None, chance.randrange(100)])
        how = "by default" if turn is None else f"forced, turn {turn}"
        what = f"{mpi}, seed {seed}: rank {rank} of {ranks} in {phase} after {microseconds} us, {how}"
        print(what, end=": ", flush=True)
        settings = {} if turn is None else forced(build, turn)
        ended = jobs.run(ranks, ROUNDS, "kill", rank, phase, microseconds, settings=settings)
        outcome = "right, it came too late" if ended.is_right else "ended"
        outcomes[outcome] += 1
        print(outcome)
        assert ended.has_no_wrong_byte(), f"{what}\n{ended.shown}"
        assert ended.is_right or ended.status != 0, f"{what}\n{ended.shown}"
        assert not jobs.left_behind(), what
        jobs.sweep()
    print(f"{mpi}, seed {seed}:", dict(outcomes))
    assert outcomes["ended"] > len(PHASES) // 2


@pytest.mark.on_any_mpi
@pytest.mark.parametrize("is_forced", [False, True] if IS_THOROUGH else [False])
@pytest.mark.parametrize("mpi", matrix(MPIS))
def test_a_rank_that_is_stopped_for_a_while_changes_nothing(
    mpi: Mpi, is_forced: bool, jobs: NodeJobs, build: Path
) -> None:
    microseconds = random.randrange(50_000, 150_000)
    print(mpi, microseconds)
    ended = jobs.run(3, ROUNDS, "stop", 1, microseconds, 5, settings=forced(build) if is_forced else {})
    assert ended.sharing == 3
    assert "espalier: " not in ended.errors


@pytest.mark.parametrize("how", ["_exit", "exit"])
@pytest.mark.parametrize("mpi", matrix(MPIS))
def test_children_between_and_during_calls_change_nothing(how: str, jobs: NodeJobs, build: Path) -> None:
    for settings in ({}, forced(build)):
        ended = jobs.run(3, 12, "fork", 1, how, settings=settings)
        assert ended.sharing == 3
        assert "espalier: " not in ended.errors


@pytest.mark.parametrize("mpi", matrix(MPIS))
def test_two_jobs_at_once_have_nothing_in_common(jobs: NodeJobs, build: Path) -> None:
    first, second = jobs.start(2, ROUNDS // 2, settings=forced(build)), jobs.start(3, ROUNDS // 2)
    assert first.end().sharing == 2
    assert second.end().sharing == 3


@pytest.mark.on_any_mpi
@pytest.mark.parametrize("mpi", matrix(MPIS))
def test_hundreds_of_communicators_share_one_memory(jobs: NodeJobs) -> None:
    assert jobs.run(2, 1, "communicators", 500, "").sharing == 2
