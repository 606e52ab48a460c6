# SPDX-License-Identifier: Apache-2.0
"""espalier site, over logs that are made up."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from conftest import Espalier

BCAST: dict[str, Any] = {
    "collective": "bcast",
    "own_calls": 30,
    "own_bytes": 3000,
    "own_seconds": 2.0,
    "native_calls": 10,
    "native_bytes": 1000,
    "native_seconds": 1.0,
    "saved_seconds": 0.5,
    "lost_seconds": 0.25,
}
BARRIER = {**BCAST, "collective": "barrier", "own_calls": 0, "own_seconds": 0, "saved_seconds": 0, "lost_seconds": 0.5}


def log(**changes: Any) -> dict[str, Any]:
    head: dict[str, Any] = {
        "espalier_log": 1,
        "version": "0.1.0",
        "mpi": "M",
        "program": "app",
        "job": "1",
        "user": "eve",
    }
    head |= {"user_id": os.geteuid(), "host": "n1", "ranks": 4, "nodes": 2, "ended": 1_800_000_000}
    return head | {"wall_seconds": 10.0, "failures": 0, "collectives": [BCAST]} | changes


def write(folder: Path, *some: dict[str, Any]) -> Path:
    for number, one in enumerate(some):
        file = folder / "2026" / f"{number % 3}" / f"{number:016x}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(one))
    return folder


def test_logs_are_added_up_by_program_and_collective(espalier: Espalier, tmp_path: Path) -> None:
    write(tmp_path, log(), log(collectives=[BCAST, BARRIER]), log(program="other", ranks=1, failures=3))
    done = espalier("site", tmp_path, "--json", "-")
    assert done.returncode == 0
    sums = json.loads(done.stdout)
    assert (sums["jobs"], sums["users"], sums["failures"]) == (3, 1, 3)
    app, other = sums["programs"]
    assert (app["program"], app["jobs"], app["most_ranks"], app["wall_seconds"]) == ("app", 2, 4, 80.0)
    bcast, barrier = app["collectives"]
    assert (bcast["jobs"], bcast["own_calls"], bcast["bytes"]) == (2, 60, 8000)
    assert (bcast["own_seconds"], bcast["native_seconds"]) == (16.0, 8.0)
    assert (bcast["saved_seconds"], barrier["lost_seconds"]) == (4.0, 2.0)
    assert (other["failures"], other["jobs_with_failures"]) == (3, 1)


@pytest.mark.parametrize("columns", ["80", "100"])
def test_the_table_fits_and_says_what_failed(espalier: Espalier, tmp_path: Path, columns: str) -> None:
    names = [f"program-with-quite-a-long-name-{number}" for number in range(60)]
    write(tmp_path, *[log(program=name, collectives=[BCAST, BARRIER]) for name in names], log(failures=2))
    done = espalier("site", tmp_path, environment={"COLUMNS": columns})
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= int(columns)
    assert any("61 jobs of 61 programs of 1 user" in line for line in lines)
    assert any(line.startswith(("And 82 more", "And 81 more")) for line in lines)
    assert any("app: 2 calls ended with an error, in 1 of 1 job" in line for line in lines)


def test_what_is_no_log_is_counted_and_left_out(espalier: Espalier, tmp_path: Path) -> None:
    write(tmp_path, log())
    (tmp_path / "a.json").write_text("{")
    (tmp_path / "b.json").write_text(json.dumps(log(ranks=0)))
    (tmp_path / "c.json").write_text(json.dumps(log(collectives=[{**BCAST, "own_seconds": "many"}])))
    (tmp_path / "d.json").write_text(" " * 100_000)
    (tmp_path / "e.json").symlink_to(tmp_path / "2026" / "0" / f"{0:016x}.json")
    os.mkfifo(tmp_path / "f.json")
    (tmp_path / "notes.txt").write_text("x")
    done = espalier("site", tmp_path, "--json", "-")
    sums = json.loads(done.stdout)
    assert (sums["jobs"], sums["unreadable"], sums["of_others"]) == (1, 6, 0)
    assert "6 files could not be read as a log" in done.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="takes root, to be two users")
def test_a_log_of_another_user_than_it_says_is_left_out(espalier: Espalier, tmp_path: Path) -> None:
    write(tmp_path, log())
    forged = tmp_path / "forged.json"
    forged.write_text(json.dumps(log()))
    os.chown(forged, 65534, 65534)
    sums = json.loads(espalier("site", tmp_path, "--json", "-").stdout)
    assert (sums["jobs"], sums["of_others"]) == (1, 1)


def test_texts_of_others_do_nothing_to_the_terminal_or_the_page(espalier: Espalier, tmp_path: Path) -> None:
    write(tmp_path, log(program="<script>alert(1)</script>\x1b[31m"))
    page = tmp_path / "page.html"
    done = espalier("site", tmp_path, "--report", page)
    assert "\x1b" not in done.stdout
    text = page.read_text()
    assert "<script" not in text
    assert "&lt;script&gt;" in text
    assert "\x1b" not in text
    assert "Content-Security-Policy" in text
    assert "http" not in text.replace("http-equiv", "").replace("http://www.w3.org", "")


def test_a_page_is_written_and_replaced_and_other_files_are_not(espalier: Espalier, tmp_path: Path) -> None:
    logs = write(tmp_path / "logs", log(), log(collectives=[]))
    page = tmp_path / "page.html"
    assert espalier("site", logs, "--report", page).returncode == 0
    assert espalier("site", logs, "--report", page).returncode == 0
    assert "Time in collectives, by program" in page.read_text()
    page.write_text("mine")
    refused = espalier("site", logs, "--report", page)
    assert refused.returncode == 2
    assert "exists, and is not what this writes" in refused.stderr


def test_a_directory_without_logs_has_none(espalier: Espalier, tmp_path: Path) -> None:
    assert "0 jobs of 0 programs" in espalier("site", tmp_path).stdout
    assert espalier("site", tmp_path / "nowhere").returncode == 2
