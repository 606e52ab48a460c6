# SPDX-License-Identifier: Apache-2.0
"""What real jobs leave to later ones in a directory, and what these make of it."""

from __future__ import annotations

import itertools
import json
import subprocess
import tomllib
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from crowded import environment_of
from mpis import Mpi, matrix

from espalier.drift import history

RANKS = 2
CALLS = "500"


@pytest.fixture(scope="module", params=matrix(["openmpi5", "mpich5"]))
def mpi(request: pytest.FixtureRequest) -> Mpi:
    found: Mpi = request.param
    return found


class Jobs:
    """Of one program, with one memory. This many of them may be at once."""

    def __init__(self, mpi: Mpi, build: Path, folder: Path, at_once: int = 1) -> None:
        self.mpi, self.build, self.folder, self.at_once = mpi, build, folder, at_once
        self.memory = folder / "memory"
        self._count = itertools.count(1)

    def run(self, settings: Mapping[str, str] | None = None) -> tuple[dict[str, Any], str]:
        """Its report, and what was said on standard error."""
        report = self.folder / f"report-{next(self._count)}"
        program = self.build / "bin" / f"stress-bits-{self.mpi}"
        environment = {
            **environment_of(self.mpi, RANKS * self.at_once, self.build),
            "ESPALIER_MEMORY": self.memory,
            "ESPALIER_BUDGET": "100%",
            "ESPALIER_REPORT": report,
            **(settings or {}),
        }
        done = self.mpi.run(RANKS, [program, CALLS], environment, timeout_seconds=300)
        raw: dict[str, Any] = json.loads(report.read_text())
        return raw, done.stderr

    def files(self) -> list[Path]:
        return sorted(self.memory.glob("*.toml"))

    def only_file(self) -> Path:
        (file,) = self.files()
        return file


@pytest.fixture
def jobs(mpi: Mpi, build: Path, tmp_path: Path) -> Jobs:
    return Jobs(mpi, build, tmp_path)


@dataclass(frozen=True)
class Learnt:
    """What a first job left."""

    report: dict[str, Any]
    report_file: Path
    said: str
    file: str  # its name
    text: str

    def put(self, jobs: Jobs, text: str) -> Path:
        """As the memory of `jobs`, but with that text."""
        jobs.memory.mkdir()
        file = jobs.memory / self.file
        file.write_text(text)
        return file


@pytest.fixture(scope="module")
def learnt(mpi: Mpi, build: Path, tmp_path_factory: pytest.TempPathFactory) -> Learnt:
    jobs = Jobs(mpi, build, tmp_path_factory.mktemp("learnt"))
    report, said = jobs.run()
    file = jobs.only_file()
    return Learnt(report, jobs.folder / "report-1", said, file.name, file.read_text())


def starts(report: dict[str, Any]) -> set[str]:
    return {context["start"] for context in report["contexts"]}


def reasons(report: dict[str, Any]) -> set[str]:
    return {row["reason"] for row in report["rows"]}


def test_a_later_job_begins_with_what_was_the_fastest(jobs: Jobs, learnt: Learnt) -> None:
    assert starts(learnt.report) <= {"cold", "other sizes"}
    assert "espalier" not in learnt.said
    known = tomllib.loads(learnt.text)
    assert known["ranks"] == RANKS
    assert known["nodes"] == 1
    file = learnt.put(jobs, learnt.text)
    warm, said = jobs.run()
    assert jobs.only_file() == file
    assert "espalier" not in said
    assert "memory" in starts(warm)
    best = {
        (context["collective"], context["bytes_low"]): context["candidates"][0]["choice"].split(",")[0]
        for context in known["context"]
    }
    remembered = [row for row in warm["rows"] if row["reason"] == "remembered: the fastest"]
    assert remembered
    assert all(row["algorithm"] in best.values() for row in remembered)


def test_each_job_leaves_how_long_its_calls_took(jobs: Jobs, mpi: Mpi) -> None:
    for _ in range(2):
        jobs.run({"ESPALIER_RUN": "these"})
    found = history.in_directory(jobs.memory)
    assert [file.wrong for file in found] == [""] * len(found)
    (of_world,) = [file for file in found if file.jobs[0].ranks == RANKS]
    first, second = of_world.jobs
    assert first.at <= second.at
    assert (first.run, first.program, first.world_ranks) == ("these", f"stress-bits-{mpi}", RANKS)
    assert first.contexts
    assert all(0 < one.median < 10 for times in first.contexts.values() for one in times.values())
    assert second.waited >= 0


ALLREDUCES = """
#include <mpi.h>
int main(int argc, char** argv) {
  static double from[16384], to[16384];
  MPI_Init(&argc, &argv);
  for (int k = 0; k < 600; ++k) MPI_Allreduce(from, to, 16384, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
}
"""


# MPICH 4 has a tab in what it says of itself.
@pytest.mark.parametrize("older", matrix(["openmpi4", "mpich4"]))
def test_what_an_older_mpi_calls_itself_is_found_again(older: Mpi, build: Path, tmp_path: Path) -> None:
    source, memory = tmp_path / "allreduces.c", tmp_path / "memory"
    source.write_text(ALLREDUCES)
    program = older.compile([source], tmp_path / "allreduces")
    settings = {"ESPALIER_MEMORY": memory, "ESPALIER_BUDGET": "100%"}
    for _ in range(2):
        done = older.run(RANKS, [program], {**environment_of(older, RANKS, build), **settings}, timeout_seconds=100)
        assert "memory" not in done.stderr
    assert len(list(memory.glob("*.toml"))) == 1


def test_what_is_pinned_is_law_and_stays_as_it_is(jobs: Jobs, learnt: Learnt) -> None:
    text = learnt.text.replace("\n[[context]]", "pinned = true\n\n[[context]]", 1)
    file = learnt.put(jobs, text)
    report, _ = jobs.run()
    assert file.read_text() == text
    known = {(context["collective"], context["bytes_low"]) for context in tomllib.loads(text)["context"]}
    raced = {(context["collective"], context["bytes"]) for context in report["contexts"]}
    assert "pinned in the memory" in reasons(report)
    assert not known & raced


def test_jobs_at_once_leave_what_each_has_learnt(mpi: Mpi, build: Path, tmp_path: Path) -> None:
    jobs = Jobs(mpi, build, tmp_path, at_once=3)
    with ThreadPoolExecutor(jobs.at_once) as pool:
        for _, said in pool.map(lambda _: jobs.run(), range(jobs.at_once)):
            assert "espalier" not in said
    assert tomllib.loads(jobs.only_file().read_text())["context"]


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda text: text[: len(text) // 2], ""),
        (lambda text: text.replace("seconds = ", "seconds = x", 1), "It is ignored"),
        (lambda text: text.replace("format = 1", "format = 7"), "format = 7; allowed: 1. It is ignored"),
        (lambda text: text.replace("library = ", "library = 'x' #"), "it is of version x of Espalier. It is ignored"),
    ],
    ids=["truncated", "damaged", "later format", "other version"],
)
def test_what_cannot_be_used_is_ignored_with_one_line(jobs: Jobs, learnt: Learnt, change: Any, complaint: str) -> None:
    learnt.put(jobs, change(learnt.text))
    report, said = jobs.run()
    lines = [line for line in said.splitlines() if line.startswith("espalier: memory: ")]
    at_start = [line for line in lines if line.endswith("It is ignored.")]
    assert (complaint in at_start[0]) if complaint else len(at_start) <= 1
    assert len(at_start) <= 1
    assert report["own"]["calls"] > 0


def test_what_others_may_write_is_named_once_and_neither_read_nor_written(jobs: Jobs, learnt: Learnt) -> None:
    file = learnt.put(jobs, learnt.text)
    file.chmod(0o666)
    report, said = jobs.run()
    (line,) = [line for line in said.splitlines() if line.startswith("espalier: memory: ")]
    assert f"{file}: of user" in line
    assert "mode 0666; allowed" in line
    assert starts(report) <= {"cold", "other sizes"}
    assert file.read_text() == learnt.text


def test_a_sites_pinned_memory_is_law_next_to_6000_other_files(jobs: Jobs, learnt: Learnt, tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    for number in range(6000):
        (site / f"{number:016x}.toml").touch()
    (site / learnt.file).write_text(learnt.text.replace("\n[[context]]", "pinned = true\n\n[[context]]", 1))
    learnt.put(jobs, learnt.text)
    report, said = jobs.run({"ESPALIER_SITE_MEMORY": str(site)})
    assert "pinned in the memory" in reasons(report)
    assert "espalier" not in said


def test_without_a_memory_nothing_is_written(jobs: Jobs) -> None:
    report, _ = jobs.run({"ESPALIER_MEMORY": ""})
    assert report["contexts"]
    assert not jobs.memory.exists()


def test_a_directory_that_cannot_be_made_is_said_at_the_end(jobs: Jobs) -> None:
    jobs.memory.write_text("a file")
    report, said = jobs.run()
    assert report["contexts"]
    assert f"espalier: memory: {jobs.memory}: Not a directory" in said


def test_decisions_can_be_made_again_from_the_report(jobs: Jobs, learnt: Learnt) -> None:
    learnt.put(jobs, learnt.text)
    jobs.run()
    tool = jobs.build / "bin" / "espalier-tool"
    for report in (learnt.report_file, jobs.folder / "report-1"):
        done = subprocess.run([tool, "replay", report, "--json"], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout
        outcomes = json.loads(done.stdout)["contexts"]
        assert any(outcome["is_race"] and outcome["same"] > 1 for outcome in outcomes)
