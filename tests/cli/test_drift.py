# SPDX-License-Identifier: Apache-2.0
"""Whether a job's collectives are slower than in earlier jobs: alarms where they are, and none where they are not."""

import gzip
import json
import math
import random
import subprocess
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import histories
import pytest
from conftest import ROOT, Espalier
from histories import DAY, MARCH, both, context, job, times

from espalier import report, story
from espalier.drift import found, history, judge, of_run, words
from espalier.drift.found import Drift
from espalier.output import console

Memory = Callable[..., "subprocess.CompletedProcess[str]"]
CHANGED = {"mpi": "Open MPI v6.0", "kernel": "Linux 6.2", "nics": ["ib0 25 Gb/sec"]}
PAIRS = 200
JOBS_DIFFER = 0.2  # the standard deviation of the logarithm, as that of all contexts of a job; of each alone half of it


def drifts(*jobs: dict[str, Any]) -> list[Drift]:
    """Of the last one."""
    *earlier, last = history.jobs_in(histories.text(*jobs))
    return found.in_job(last, earlier)


def test_several_contexts_that_take_seven_times_as_long_are_named_in_the_second_job() -> None:
    first, second = drifts(both(1e-3), both(7e-3, at=MARCH + DAY))
    assert {first.key.collective, second.key.collective} == {"allreduce", "bcast"}
    assert first.times == pytest.approx(7)
    assert (first.jobs, first.last, first.since) == (1, MARCH, MARCH + DAY)


def test_what_changed_is_named() -> None:
    (first, _) = drifts(both(1e-3), both(7e-3, load=40, **CHANGED))
    assert [one.what for one in first.changed] == ["MPI", "kernel", "NICs", "load of rank 0's node"]
    assert (first.changed[2].before, first.changed[2].now) == ("ib0 100 Gb/sec", "ib0 25 Gb/sec")
    assert drifts(both(1e-3), both(7e-3))[0].changed == ()


def test_few_jobs_leave_doubt_about_how_much_jobs_differ() -> None:
    assert not drifts(both(1e-3), both(3e-3))
    assert drifts(*[both(1e-3)] * 3, both(3e-3))
    assert not drifts(*[both(seconds) for seconds in (1e-3, 2e-3, 4e-3, 1.5e-3, 3e-3)], both(5e-3))
    assert not drifts(*[both(1e-3)] * 12, both(1.45e-3))


def test_a_single_context_needs_many_calls_and_more_of_a_shift() -> None:
    baseline = [both(1e-3)] * 6

    def one_slow(factor: float, **more: Any) -> dict[str, Any]:
        slow = context("allreduce", 1 << 20, times(factor * 1e-3, **more))
        return job(slow, context("bcast", 1 << 16, times(2.5e-4)))

    assert drifts(*baseline, one_slow(7))
    assert not drifts(*baseline, one_slow(7, timed=20))
    assert not drifts(*baseline, one_slow(7, spread=0.5))
    assert not drifts(*baseline, one_slow(2))


def test_one_slow_job_among_the_earlier_ones_changes_nothing() -> None:
    assert not drifts(both(1e-3), both(9e-3), both(1e-3), both(1e-3))
    assert drifts(both(1e-3), both(9e-3), both(1e-3), both(9e-3))


def test_what_stays_slow_is_named_until_most_jobs_are_so() -> None:
    slow = [both(7e-3, at=MARCH + day * DAY) for day in range(3, 9)]
    fast = [both(1e-3, at=MARCH + day * DAY) for day in range(3)]
    assert drifts(*fast, *slow[:3])[0].since == MARCH + 3 * DAY
    assert not drifts(*fast, *slow)


def test_a_job_that_waited_for_processors_is_not_blamed_on_the_network() -> None:
    assert drifts(both(1e-3), both(7e-3))
    assert not drifts(both(1e-3), both(7e-3, waited=0.4))
    assert drifts(both(1e-3), both(7e-3, waited=-1))


def test_jobs_of_other_programs_and_of_other_mpis_do_not_count() -> None:
    assert not drifts(both(1e-3, program="another"), both(7e-3))
    other = [both(1e-3, mpi="MPICH 5")] * 3
    assert drifts(*other, both(7e-3))
    assert not drifts(*[both(7e-3)] * 3, *other, both(7e-3))


# Unchanged jobs, made of what calls really took on two machines.


def recorded() -> list[list[tuple[str, int, dict[str, list[float]]]]]:
    """Of each job that was recorded its contexts: the calls of each algorithm."""
    jobs: dict[str, dict[tuple[str, int], dict[str, list[float]]]] = defaultdict(lambda: defaultdict(dict))
    for machine in ("fugaku", "leonardo"):
        with gzip.open(ROOT / f"bench/selection/machines/{machine}.json.gz", "rt") as file:
            for row in json.load(file):
                calls = [seconds for seconds in row["each_s"] if seconds > 0]
                jobs[row["lab"]][row["collective"], row["bytes"]][row["variant"]] = calls
    return [[(*key, series) for key, series in sorted(contexts.items())] for _, contexts in sorted(jobs.items())]


def played(contexts: list[tuple[str, int, dict[str, list[float]]]], rng: random.Random, slower: float) -> Any:
    """A job of some of their calls, in a row, from anywhere; `slower`: so many times."""
    of_job = rng.gauss(0, JOBS_DIFFER)
    played = []
    for collective, size, series in contexts:
        factor = slower * math.exp(of_job + rng.gauss(0, JOBS_DIFFER / 2))
        parts = []
        for choice, calls in series.items():
            count = min(len(calls), rng.choice([4, 8, 16, 40, 100]))
            start = rng.randrange(len(calls) - count + 1)
            parts.append(histories.sampled(choice, [factor * one for one in calls[start : start + count]]))
        arithmetic = {"arithmetic": "exact"} if "reduce" in collective else {}
        played.append({**context(collective, size, *parts), **arithmetic})
    return job(*played)


@pytest.mark.parametrize("earlier", [1, 3, 12])
def test_unchanged_jobs_raise_no_alarm_and_slow_ones_mostly_do(earlier: int) -> None:
    rng = random.Random(earlier)
    machines = recorded()
    alarms = named = 0
    for _ in range(PAIRS):
        contexts = rng.choice(machines)
        some = rng.sample(contexts, min(len(contexts), rng.choice([1, 2, 4, 8])))
        before = [played(some, rng, 1) for _ in range(earlier)]
        alarms += bool(drifts(*before, played(some, rng, 1)))
        named += bool(drifts(*before, played(some, rng, 7)))
    assert alarms == 0
    assert named > PAIRS / 2


# Where it is shown.


@pytest.fixture
def memory(espalier: Espalier, tmp_path: Path) -> Memory:
    def call(*options: str) -> "subprocess.CompletedProcess[str]":
        return espalier("memory", "drift", *options, "--directory", tmp_path / "memory", environment={"COLUMNS": "120"})

    return call


def test_the_command_lists_what_is_slower_and_what_changed(memory: Memory, tmp_path: Path) -> None:
    assert "Nothing is slower than it was" in memory().stdout
    histories.write(tmp_path / "memory", both(1e-3), both(7e-3, run="r", at=MARCH + DAY, **CHANGED))
    done = memory()
    assert done.returncode == 0, done.stderr
    row = " ".join(next(line for line in done.stdout.splitlines() if "allreduce" in line).split())
    assert row == "app allreduce of 1 - 2 MiB native 8 4 1 ms 7 ms 7x 2026-03-05"
    assert "MPI (Open MPI v5.0.11 -> Open MPI v6.0)" in done.stdout
    raw = json.loads(memory("--json").stdout)
    assert [one["collective"] for one in raw["drift"]] == ["allreduce", "bcast"]
    assert raw["drift"][0]["seconds_before"] == pytest.approx(1e-3)
    assert {one["what"] for one in raw["drift"][0]["changed"]} == {"MPI", "kernel", "NICs"}


def test_what_is_slow_can_be_accepted(memory: Memory, tmp_path: Path) -> None:
    file = histories.write(tmp_path / "memory", both(1e-3), both(7e-3))
    assert f"Forgotten: {file}" in memory("--accept").stdout
    assert not file.exists()
    assert histories.write(tmp_path / "memory", both(1e-3), both(1e-3)).exists()
    memory("--accept")
    assert file.exists()


@pytest.mark.parametrize(
    ("spoilt", "why"),
    [
        ("x\n", "line 1: Expecting value"),
        ("[]\n", "line 1: no object"),
        (histories.text(both(1e-3), both(1e-3, nics=3)), "line 2: 'nics' must be a list of texts"),
        (histories.text(both(1e-3, waited="x")), "line 1: 'waited' must be a number of at least -1"),
        (histories.text(job(context("cast", 8))), "line 1: there is no collective 'cast'"),
        (histories.text(job(context("bcast", 8, times(-1)))), "line 1: 'low' must be a number of at least 0"),
    ],
)
def test_a_file_that_is_wrong_is_named(memory: Memory, tmp_path: Path, spoilt: str, why: str) -> None:
    histories.write(tmp_path / "memory").write_text(spoilt)
    done = memory()
    assert done.returncode == 1
    assert why in " ".join(done.stderr.split())


def report_of(tmp_path: Path, ranks: int = 8) -> report.Report:
    settings = {"ESPALIER_MEMORY": str(tmp_path / "memory")}
    raw = {"version": "0.1.0", "mpi": "Open MPI v5", "ranks": ranks, "wall_seconds": 1.0, "settings": settings}
    return report.of({**raw, "rows": [], "contexts": []})


def test_a_report_has_the_drift_of_its_job(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    histories.write(tmp_path / "memory", both(1e-3), both(7e-3, run="mine", at=MARCH + DAY, **CHANGED))
    mine, other = report_of(tmp_path), report_of(tmp_path, ranks=2)
    of_run.add([other, mine], "another's")
    assert "drift" not in mine.raw
    of_run.add([other, mine], "mine")
    assert "drift" not in other.raw
    assert len(mine.raw["drift"]) == 2
    of_run.show([other, mine], console())
    (line,) = capsys.readouterr().out.splitlines()
    assert "Slower than before: allreduce of 1 - 2 MiB among 8 ranks on 4 nodes takes 7 times as long as in " in line
    assert "the job of 2026-03-04 (7 ms, not 1 ms; native); 1 more context too." in line
    assert "Changed since: MPI (Open MPI v5.0.11 -> Open MPI v6.0), kernel" in line


def test_the_story_has_it_too(tmp_path: Path) -> None:
    histories.write(tmp_path / "memory", both(1e-3), both(7e-3, run="mine", host="<b>n2"))
    one = report_of(tmp_path)
    assert "Slower than before" not in story.page("app", [one])
    of_run.add([one], "mine")
    page = story.page("app", [one])
    assert "Slower than before" in page
    assert "n1 -&gt; &lt;b&gt;n2" in page


def test_a_report_without_a_memory_has_none(tmp_path: Path) -> None:
    one = report_of(tmp_path / "nowhere")
    of_run.add([one], "mine")
    assert words.told_in(one.raw) == []


def test_a_directory_that_others_may_write_is_not_believed(tmp_path: Path) -> None:
    histories.write(tmp_path / "memory", both(1e-3), both(7e-3, run="mine"))
    (tmp_path / "memory").chmod(0o777)
    one = report_of(tmp_path)
    of_run.add([one], "mine")
    assert "drift" not in one.raw


def test_without_earlier_jobs_there_is_no_alarm() -> None:
    (last,) = history.jobs_in(histories.text(both(1e-3)))
    assert judge.slower_contexts(last, []) == []
