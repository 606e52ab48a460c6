# SPDX-License-Identifier: Apache-2.0
import json
from pathlib import Path

import pytest
from espalier import report
from espalier.failure import Failure
from rich.console import Console


def row(**changes: object) -> dict[str, object]:
    usual = {
        "collective": "allreduce",
        "bytes_low": 8,
        "bytes_high": 8,
        "algorithm": "recursive_doubling",
        "parameters": "",
        "reason": "forced",
        "calls": 90,
        "seconds_mean": 1.25e-3,
        "seconds_max": 2e-3,
        "bytes": 720,
        "ranks": 4,
    }
    return usual | changes


def written(directory: Path, name: str, *rows: dict[str, object]) -> Path:
    path = directory / name
    path.write_text(json.dumps({"version": "0.1.0", "mpi": "Open MPI 5.0.11", "ranks": 4, "rows": list(rows)}))
    return path


NATIVE = row(algorithm="native", reason="small message", calls=10)


def test_the_headline_counts_own_and_all_calls(tmp_path: Path) -> None:
    one = report.read(written(tmp_path, "report.json", row(), NATIVE))
    assert report.headline(one) == (
        "Espalier 0.1.0 on Open MPI 5.0.11, 4 ranks: 90 of 100 calls (90.0%) ran on its own schedules."
    )


def test_a_program_without_collectives_is_said_to_have_none(tmp_path: Path) -> None:
    assert "made no broadcasts" in report.headline(report.read(written(tmp_path, "report.json")))


def test_the_table_fits_80_columns_and_loses_no_word_of_the_reason(tmp_path: Path) -> None:
    reason = "it does not keep the operands in rank order, and the operation does not commute"
    low, high = 524289, 1048576
    rows = (row(bytes_low=low, bytes_high=high), row(algorithm="native", reason=reason, bytes_low=low, bytes_high=high))
    console = Console(width=80, record=True, file=(tmp_path / "out").open("w"))
    report.show([report.read(written(tmp_path, "report.json", *rows))], console)
    text = console.export_text()
    assert max(map(len, text.splitlines())) <= 80
    words = text.split()
    assert all(word in words for word in reason.split())


def test_what_all_rows_share_is_said_once(tmp_path: Path) -> None:
    rows = [row(parameters="window=4", bytes_low=size, bytes_high=size) for size in (8, 16, 24)]
    console = Console(width=80, record=True, file=(tmp_path / "out").open("w"))
    report.show([report.read(written(tmp_path, "report.json", *rows))], console)
    text = console.export_text()
    assert text.count("forced") == 1
    assert text.count("window=4") == 1


def test_every_job_of_a_run_has_its_report(tmp_path: Path) -> None:
    written(tmp_path, "report.1.json", row())
    written(tmp_path, "report.2.json", NATIVE)
    assert [one.own_calls for one in report.read_all(tmp_path / "report")] == [90, 0]


def test_no_report_is_no_error(tmp_path: Path) -> None:
    assert report.read_all(tmp_path / "report") == []


def test_a_report_that_was_cut_short_is_named(tmp_path: Path) -> None:
    path = written(tmp_path, "report.json", row())
    path.write_text(path.read_text()[:40])
    with pytest.raises(Failure, match=r"report\.json"):
        report.read(path)
