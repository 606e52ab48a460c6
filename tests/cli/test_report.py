# SPDX-License-Identifier: Apache-2.0
import json
from pathlib import Path

import pytest
from rich.console import Console

from espalier import report
from espalier.failure import Failure
from espalier.report_files import ReportFiles, planned


def row(**changes: object) -> dict[str, object]:
    baseline = {
        "collective": "allreduce",
        "form": "blocking",
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
        "share": 0.125,
    }
    return baseline | changes


def written(directory: Path, name: str, *rows: dict[str, object], run: str = "") -> Path:
    path = directory / name
    settings = {"ESPALIER_RUN": run}
    facts = {"version": "0.1.0", "mpi": "Open MPI 5.0.11", "ranks": 4, "wall_seconds": 0.01}
    facts |= {"settings": settings, "rows": list(rows)}
    path.write_text(json.dumps(facts))
    return path


NUMBERS = ["8", "B", "90", "720", "B", "1.25", "ms", "12.5%"]
NATIVE = row(algorithm="native", reason="small message", calls=10)


def test_the_headline_counts_own_and_all_calls(tmp_path: Path) -> None:
    one = report.read(written(tmp_path, "report.json", row(), NATIVE))
    assert report.headline(one) == (
        "Espalier 0.1.0 on Open MPI 5.0.11, 4 ranks: 90 of 100 calls (90.0%) ran on its own schedules."
    )


def test_a_program_without_collectives_is_said_to_have_none(tmp_path: Path) -> None:
    assert "made no collective calls" in report.headline(report.read(written(tmp_path, "report.json")))


def test_the_table_fits_80_columns_and_loses_no_word_of_the_reason(tmp_path: Path) -> None:
    reason = "it does not keep the operands in rank order, and the operation does not commute"
    low, high = 524289, 1048576
    own = row(bytes_low=low, bytes_high=high, parameters="segment=16KiB,window=4", calls=123_456_789, bytes=10**14)
    other = row(parameters="segment=32KiB,window=4", reason="ESPALIER_REPRODUCIBLE=native: its order shows in the bits")
    rows = (own, other, row(algorithm="native", reason=reason, bytes_low=low, bytes_high=high))
    console = Console(width=80, record=True, file=(tmp_path / "out").open("w"))
    report.show([report.read(written(tmp_path, "report.json", *rows))], console)
    text = console.export_text()
    assert max(map(len, text.splitlines())) <= 80
    words = text.split()
    assert all(word in words for word in [*reason.split(), "recursive_doubling", "window=4"])


def test_what_all_rows_share_is_said_once(tmp_path: Path) -> None:
    rows = [row(parameters="window=4", bytes_low=size, bytes_high=size) for size in (8, 16, 24)]
    console = Console(width=80, record=True, file=(tmp_path / "out").open("w"))
    report.show([report.read(written(tmp_path, "report.json", *rows))], console)
    text = console.export_text()
    assert text.count("forced") == 1
    assert text.count("window=4") == 1


def shown(directory: Path, *rows: dict[str, object], width: int = 100) -> str:
    console = Console(width=width, record=True, file=(directory / "out").open("w"))
    report.show([report.read(written(directory, "report.json", *rows))], console)
    return console.export_text()


def test_a_row_has_calls_bytes_time_and_its_part_of_the_wall_time(tmp_path: Path) -> None:
    lines = shown(tmp_path, row(), NATIVE).splitlines()
    assert lines[1].split() == ["Function", "Message", "Calls", "Bytes", "Time", "Wall", "Ran", "as", "Why"]
    assert lines[4].split() == ["Allreduce", *NUMBERS, "recursive_doubling", "forced"]


def test_calls_with_a_request_have_the_name_of_their_function(tmp_path: Path) -> None:
    rows = [row(), row(form="nonblocking"), row(form="persistent")]
    names = [line.split()[0] for line in shown(tmp_path, *rows).splitlines()[3:6]]
    assert names == ["Allreduce", "Allreduce_init", "Iallreduce"]


def test_functions_are_found_by_the_names_that_programs_call_them_by(tmp_path: Path) -> None:
    rows = [row(collective="gather", function="MPI_Gatherv"), row(collective="gather", function="MPI_Igather")]
    names = [line.split()[0] for line in shown(tmp_path, *rows).splitlines()[3:5]]
    assert names == ["Gatherv", "Igather"]


def test_the_name_of_the_mpi_has_no_tabs(tmp_path: Path) -> None:
    path = written(tmp_path, "report.json", row())
    path.write_text(path.read_text().replace("Open MPI 5.0.11", "MPICH Version:\\t4.0.2"))
    assert report.headline(report.read(path)).startswith("Espalier 0.1.0 on MPICH Version: 4.0.2, 4 ranks")


def test_the_end_says_how_much_of_the_wall_time_all_of_it_is(tmp_path: Path) -> None:
    rows = (row(), row(collective="bcast", share=0.25), row(collective="neighbor_allgather", algorithm="native"))
    assert shown(tmp_path, *rows).splitlines()[-1] == (
        "Collectives took 50.0% of the wall time of 10 ms: 37.5% own, 12.5% passed on."
    )


def test_calls_per_rank_are_a_mean_where_calls_are_those_of_all(tmp_path: Path) -> None:
    assert report.read(written(tmp_path, "report.json", row(calls=40, ranks=4))).rows[0].calls_per_rank == 10


def test_every_job_of_a_run_has_its_report_in_their_order(tmp_path: Path) -> None:
    files = ReportFiles(tmp_path / "report")
    for name, calls in (("report", 1), ("report.2", 2), ("report.10", 10)):
        written(tmp_path, name, row(calls=calls), run=files.run)
    assert [one.own_calls for one in files.read()] == [1, 2, 10]


def test_no_report_is_no_error(tmp_path: Path) -> None:
    assert ReportFiles(tmp_path / "report").read() == []
    assert ReportFiles(None).read() == []


def test_files_of_others_are_not_taken_for_reports_of_this_run(tmp_path: Path) -> None:
    files = ReportFiles(tmp_path / "report")
    written(tmp_path, "report", row(), run="another")
    written(tmp_path, "report.3", NATIVE, run=files.run)
    written(tmp_path, "report.old.json", row(), run=files.run)
    written(tmp_path, "report-2", row(), run=files.run)
    (tmp_path / "report.2").write_text("no report")
    (tmp_path / "report.4").mkdir()
    (tmp_path / "report.5").write_bytes(b"\xff")
    assert [one.calls for one in files.read()] == [10]


def test_a_report_goes_where_the_settings_say_unless_that_is_a_device(tmp_path: Path) -> None:
    assert planned({}, tmp_path).first == tmp_path / "report"
    assert planned({"ESPALIER_REPORT": ""}, tmp_path).first is None
    assert planned({"ESPALIER_REPORT": "r.json"}, tmp_path).first == Path.cwd() / "r.json"
    device = planned({"ESPALIER_REPORT": "/dev/null"}, tmp_path)
    assert (device.first, device.device) == (tmp_path / "report", Path("/dev/null"))
    for wrong in (tmp_path, tmp_path / "nowhere" / "report"):
        with pytest.raises(Failure, match=r"director"):
            planned({"ESPALIER_REPORT": str(wrong)}, tmp_path)


def test_a_report_that_was_cut_short_is_named(tmp_path: Path) -> None:
    path = written(tmp_path, "report.json", row())
    path.write_text(path.read_text()[:40])
    with pytest.raises(Failure, match=r"report\.json"):
        report.read(path)
