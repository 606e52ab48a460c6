# SPDX-License-Identifier: Apache-2.0
"""What real jobs leave to later ones in a directory, and what these make of it."""

from __future__ import annotations

import json
import subprocess
import tomllib
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from crowded import environment_of
from mpis import Mpi, matrix

RANKS = 2
CALLS = "500"


@pytest.fixture(params=matrix(["openmpi5", "mpich5"]))
def mpi(request: pytest.FixtureRequest) -> Mpi:
    found: Mpi = request.param
    return found


class Jobs:
    """Of one program, with one memory."""

    def __init__(self, mpi: Mpi, build: Path, folder: Path) -> None:
        self.mpi, self.build, self.folder = mpi, build, folder
        self.memory = folder / "memory"
        self.count = 0

    def run(self, settings: Mapping[str, str] | None = None) -> tuple[dict[str, Any], str]:
        """Its report, and what was said on standard error."""
        self.count += 1
        report = self.folder / f"report-{self.count}"
        program = self.build / "bin" / f"stress-bits-{self.mpi}"
        environment = {
            **environment_of(self.mpi, RANKS, self.build),
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


def starts(report: dict[str, Any]) -> set[str]:
    return {context["start"] for context in report["contexts"]}


def reasons(report: dict[str, Any]) -> set[str]:
    return {row["reason"] for row in report["rows"]}


def test_a_later_job_begins_with_what_was_the_fastest(jobs: Jobs) -> None:
    cold, said = jobs.run()
    assert starts(cold) == {"cold"}
    assert "espalier" not in said
    known = tomllib.loads(jobs.only_file().read_text())
    assert known["ranks"] == RANKS
    assert known["nodes"] == 1
    warm, said = jobs.run()
    assert "espalier" not in said
    assert "memory" in starts(warm)
    best = {
        (context["collective"], context["bytes_low"]): context["candidates"][0]["choice"].split(",")[0]
        for context in known["context"]
    }
    remembered = [row for row in warm["rows"] if row["reason"] == "remembered: the fastest"]
    assert remembered
    assert all(row["algorithm"] in best.values() for row in remembered)


def test_what_is_pinned_is_law_and_stays_as_it_is(jobs: Jobs) -> None:
    jobs.run()
    file = jobs.only_file()
    text = file.read_text().replace("\n[[context]]", "pinned = true\n\n[[context]]", 1)
    file.write_text(text)
    report, _ = jobs.run()
    assert file.read_text() == text
    known = {(context["collective"], context["bytes_low"]) for context in tomllib.loads(text)["context"]}
    raced = {(context["collective"], context["bytes"]) for context in report["contexts"]}
    assert "pinned in the memory" in reasons(report)
    assert not known & raced


def test_jobs_at_once_leave_what_each_has_learnt(jobs: Jobs) -> None:
    with ThreadPoolExecutor(3) as pool:
        for _, said in pool.map(lambda _: jobs_run_apart(jobs), range(3)):
            assert "espalier" not in said
    assert tomllib.loads(jobs.only_file().read_text())["context"]


def jobs_run_apart(jobs: Jobs) -> tuple[dict[str, Any], str]:
    apart = Jobs(jobs.mpi, jobs.build, Path(str(jobs.folder)))
    apart.count = id(apart)
    return apart.run()


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
def test_what_cannot_be_used_is_ignored_with_one_line(jobs: Jobs, change: Any, complaint: str) -> None:
    jobs.run()
    file = jobs.only_file()
    file.write_text(change(file.read_text()))
    report, said = jobs.run()
    lines = [line for line in said.splitlines() if line.startswith("espalier: memory: ")]
    at_start = [line for line in lines if line.endswith("It is ignored.")]
    assert (complaint in at_start[0]) if complaint else len(at_start) <= 1
    assert len(at_start) <= 1
    assert report["own"]["calls"] > 0


def test_without_a_memory_nothing_is_written(jobs: Jobs) -> None:
    report, _ = jobs.run({"ESPALIER_MEMORY": ""})
    assert report["contexts"]
    assert not jobs.memory.exists()


def test_a_directory_that_cannot_be_made_is_said_at_the_end(jobs: Jobs) -> None:
    jobs.memory.write_text("a file")
    report, said = jobs.run()
    assert report["contexts"]
    assert f"espalier: memory: {jobs.memory}: it could not be made" in said


def test_decisions_can_be_made_again_from_the_report(jobs: Jobs) -> None:
    jobs.run()
    jobs.run()
    for number in (1, 2):
        tool = jobs.build / "bin" / "espalier-tool"
        done = subprocess.run(
            [tool, "replay", jobs.folder / f"report-{number}", "--json"], capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout
        outcomes = json.loads(done.stdout)["contexts"]
        assert any(outcome["is_race"] and outcome["same"] > 1 for outcome in outcomes)
