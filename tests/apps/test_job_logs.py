# SPDX-License-Identifier: Apache-2.0
"""The logs of real jobs, of two users and of many at once, and what is printed at the end."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from crowded import complaints
from mpis import ROOT, Mpi, matrix

PROGRAM = Path(__file__).resolve().parent / "start" / "first_calls.c"
RANKS = 3
NOBODY = 65534
AS_NOBODY = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
MANY = 200
AT_ONCE = 40
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="takes root, to be two users")


@pytest.fixture(scope="module", params=matrix(["openmpi5", "mpich5"]))
def mpi(request: pytest.FixtureRequest) -> Mpi:
    found: Mpi = request.param
    return found


@pytest.fixture(scope="module")
def program(mpi: Mpi, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return mpi.compile([PROGRAM], tmp_path_factory.mktemp("program") / "first_calls", ["-ldl"])


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """That other users reach; within it `logs` is for all of them."""
    folder = Path(tempfile.mkdtemp(prefix="espalier-logs-"))
    folder.chmod(0o755)
    (folder / "logs").mkdir()
    (folder / "logs").chmod(0o1777)
    yield folder
    shutil.rmtree(folder)


def logs_in(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(file.read_text()) for file in sorted(folder.rglob("*.json"))]


def run(mpi: Mpi, program: Path, build: Path, settings: Mapping[str, str | Path]) -> list[str]:
    """What Espalier had to say of a job, which must go well."""
    done = mpi.run(RANKS, [program], {"LD_PRELOAD": build / "lib" / "libespalier.so", **settings})
    assert done.stdout == f"0 wrong, {RANKS} active\n"
    return done.stderr.splitlines()


def test_a_job_leaves_one_log_of_what_it_did(mpi: Mpi, program: Path, build: Path, tmp_path: Path) -> None:
    settings = {"ESPALIER_LOG_DIR": f"{tmp_path}/logs/%Y/%user-%job-%program", "SLURM_JOB_ID": "4711"}
    assert complaints("\n".join(run(mpi, program, build, settings))) == []
    (file,) = (tmp_path / "logs").rglob("*.json")
    assert file.stat().st_mode & 0o777 == 0o600
    assert "-4711-first_calls" in file.parent.name
    assert file.stat().st_size < 4096
    log = json.loads(file.read_text())
    assert log["program"] == "first_calls"
    assert log["job"] == "4711"
    assert log["user_id"] == os.geteuid()
    assert (log["ranks"], log["nodes"], log["failures"]) == (RANKS, 1, 0)
    assert 0 < log["wall_seconds"] < 60
    calls = {one["collective"]: one["own_calls"] + one["native_calls"] for one in log["collectives"]}
    assert calls == {"bcast": 20 * RANKS, "allreduce": 20 * RANKS, "reduce": RANKS}
    assert all(one["own_seconds"] + one["native_seconds"] > 0 for one in log["collectives"])


def test_a_log_says_no_more_than_the_site_wants_to_know(mpi: Mpi, program: Path, build: Path, tmp_path: Path) -> None:
    settings = {"ESPALIER_LOG_DIR": f"{tmp_path}/logs", "ESPALIER_LOG_CONTENT": "calls", "ESPALIER_LOG_MODE": "0644"}
    run(mpi, program, build, settings)
    (file,) = (tmp_path / "logs").iterdir()
    assert file.stat().st_mode & 0o777 == 0o644
    log = json.loads(file.read_text())
    assert not {"user", "user_id", "host", "program", "job"} & set(log)


def test_a_log_that_cannot_be_written_costs_one_line_and_not_the_job(
    mpi: Mpi, program: Path, build: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to(tmp_path)
    for place in ("file/%Y", "link/%program", "file"):
        named = f"{tmp_path}/{place}"
        said = complaints("\n".join(run(mpi, program, build, {"ESPALIER_LOG_DIR": named})))
        assert len(said) == (0 if place.startswith("link") else 1), said
    (tmp_path / "first_calls" / "x").mkdir(parents=True, exist_ok=True)
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "first_calls").symlink_to("/etc")
    said = complaints("\n".join(run(mpi, program, build, {"ESPALIER_LOG_DIR": f"{tmp_path}/a/%program"})))
    assert len(said) == 1
    assert "a link; allowed: a directory" in said[0]


def test_statistics_are_printed_without_a_command_around_the_job(mpi: Mpi, program: Path, build: Path) -> None:
    said = run(mpi, program, build, {"ESPALIER_STATS": "1"})
    begin = next(i for i, line in enumerate(said) if line.startswith("espalier: ") and "own schedules" in line)
    table = said[begin:]
    assert f"{RANKS} ranks" in table[0]
    assert table[1].split() == ["Function", "Message", "Calls", "Bytes", "Time", "Wall", "Ran", "as"]
    assert {line.split()[0] for line in table[2:-1]} == {"Allreduce", "Bcast", "Reduce"}
    assert sum(int(line.split()[4]) for line in table[2:-1] if line.startswith("Bcast")) == 20 * RANKS


def alone(command: list[str], environment: dict[str, str]) -> tuple[int, str]:
    """A job of one rank without a launcher."""
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    return done.returncode, done.stderr


@needs_root
@pytest.mark.parametrize("mpich", matrix(["mpich5"]))
def test_many_jobs_of_two_users_at_once_leave_all_their_logs(mpich: Mpi, build: Path, open_folder: Path) -> None:
    library = shutil.copytree(build / "lib", open_folder / "lib", ignore=shutil.ignore_patterns("*.a"))
    program = mpich.compile([PROGRAM], open_folder / "first_calls", ["-ldl"])
    settings = {
        "LD_PRELOAD": str(library / "libespalier.so"),
        "ESPALIER_LOG_DIR": f"{open_folder}/logs/%Y/%m/%d",
        "ESPALIER_MEMORY": "",
        "HOME": "/nonexistent",
    }
    environment = {**os.environ, **settings}

    def job(number: int) -> tuple[int, str]:
        return alone([*(AS_NOBODY if number % 2 else []), str(program)], environment)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        ended = list(pool.map(job, range(MANY)))
    assert [one for one in ended if one != (0, "")] == []
    found = logs_in(open_folder / "logs")
    assert len(found) == MANY
    assert {log["user_id"] for log in found} == {0, NOBODY}
    assert len(list((open_folder / "logs").rglob(".*"))) == 0, "nothing else was left there"
    for file in (open_folder / "logs").rglob("*.json"):
        assert file.stat().st_uid == json.loads(file.read_text())["user_id"]
        assert file.stat().st_mode & 0o777 == 0o600
    done = subprocess.run(
        [ROOT / "espalier", "site", str(open_folder / "logs"), "--json", "-"],
        capture_output=True,
        text=True,
        check=True,
    )
    sums = json.loads(done.stdout)
    assert (sums["jobs"], sums["users"], sums["of_others"], sums["unreadable"]) == (MANY, 2, 0, 0)


@needs_root
@pytest.mark.parametrize("mpich", matrix(["mpich5"]))
def test_another_user_can_neither_redirect_a_log_nor_forge_one(mpich: Mpi, build: Path, open_folder: Path) -> None:
    program = mpich.compile([PROGRAM], open_folder / "first_calls", ["-ldl"])
    logs, target = open_folder / "logs", open_folder / "target"
    target.mkdir()
    (logs / "2026").symlink_to(target)
    os.lchown(logs / "2026", NOBODY, NOBODY)
    settings = {"LD_PRELOAD": str(build / "lib" / "libespalier.so"), "ESPALIER_MEMORY": ""}
    environment = {**os.environ, **settings, "SLURM_JOB_ID": "2026"}
    status, said = alone([str(program)], {**environment, "ESPALIER_LOG_DIR": f"{logs}/%job"})
    assert status == 0
    assert "a link; allowed: a directory" in said
    status, said = alone([str(program)], {**environment, "ESPALIER_LOG_DIR": f"{logs}/2026/x"})
    assert status == 0
    assert "a link of another user" in said
    assert list(target.iterdir()) == []
    alone([str(program)], {**environment, "ESPALIER_LOG_DIR": f"{logs}/ours"})
    (ours,) = (logs / "ours").iterdir()
    forged = shutil.copy(ours, logs / "forged.json")
    os.chown(forged, NOBODY, NOBODY)
    (logs / "link.json").symlink_to(ours)
    os.mkfifo(logs / "pipe.json")
    command = [str(ROOT / "espalier"), "site", str(logs), "--json", "-"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    sums = json.loads(done.stdout)
    assert (sums["jobs"], sums["of_others"], sums["unreadable"]) == (1, 1, 2)
