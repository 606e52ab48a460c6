# SPDX-License-Identifier: Apache-2.0
"""Real programs in pairs: that each pair has both runs, and what is kept of them. Never how long they took."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import mpis as known_mpis
import pytest
from conftest import Espalier

from espalier import mpis, output, output_files
from espalier.installation import Installation
from espalier_lab.apps import description, pair_rows, pair_table, pairs
from espalier_lab.apps.description import App, Pairs
from espalier_lab.apps.pair_rows import Row
from espalier_lab.experiments.collected import Collected

PROGRAM = "mpi4py-training"
ROW = Row("cp2k", "openmpi4", 2, "", "own part", "identical", 20_000, 19_000, 0.5, 0.25, ["1 of bcast: why"])


def training(*, steps: int = 20) -> App:
    app = description.read(PROGRAM)
    assert app.pairs
    return replace(app, pairs=replace(app.pairs, runs=[f"python3 train.py {steps}"]), results=app.results[1:])


def series(app: App, mpi: str, place: Path, **settings: str) -> pairs.Series:
    if missing := known_mpis.by_name(mpi).missing("python"):
        pytest.skip(missing)
    (one,) = (one for one in pairs.other_mpis(app) if one.name == mpi)
    return pairs.series_of(app, one, 2, place, settings)


def run(build: Path, planned: Sequence[pairs.Series], number: int) -> Collected[Row]:
    def announce(text: str, *, is_step: bool = False) -> None:
        pass

    kept: list[int] = []
    done = pairs.run(Installation(build), planned, number, announce, lambda rows: kept.append(len(rows)))
    assert len(kept) >= number
    return done


@pytest.mark.on_any_mpi
@pytest.mark.parametrize("mpi", ["openmpi5", "mpich5"])
def test_each_pair_has_both_runs_and_calls_are_counted(build: Path, tmp_path: Path, mpi: str) -> None:
    done = run(build, [series(training(), mpi, tmp_path)], 2)
    assert done.failures == []
    (row,) = done.rows
    assert (row.program, row.mpi, row.ranks, row.timed) == (PROGRAM, mpi, 2, "own part")
    assert len(row.native_s) == len(row.espalier_s) == len(row.cpu_busy) == 2
    assert all(one > 0 for one in [*row.ratios, *row.cpu_busy, row.in_calls_native_s, row.in_calls_s])
    assert row.calls > 2 * 6 * 20
    assert 0 < row.own_calls <= row.calls
    assert {path.name for path in (tmp_path / PROGRAM / mpi).iterdir()} == {"native", "espalier"}


def test_a_setting_is_tried_in_the_runs_under_espalier(build: Path, tmp_path: Path) -> None:
    (row,) = run(build, [series(training(), "openmpi5", tmp_path, ESPALIER_ALGORITHM="allreduce:native")], 1).rows
    assert row.settings == "ESPALIER_ALGORITHM=allreduce:native"
    assert any(text.endswith("of allreduce: forced") for text in row.passed_on)


def test_what_fails_is_said_and_the_others_go_on(build: Path, tmp_path: Path) -> None:
    broken = replace(training(), name="broken", pairs=Pairs(runs=["python3 none.py"], mpis=["openmpi5"]))
    planned = [series(one, "openmpi5", tmp_path) for one in (broken, training())]
    done = run(build, planned, 1)
    assert [row.program for row in done.rows] == [PROGRAM]
    assert len(done.rows[0].ratios) == 1
    (failure,) = done.failures
    assert "none.py" in failure


def test_programs_run_as_they_say_for_pairs(tmp_path: Path) -> None:
    mpi = mpis.Mpi(mpis.Launcher.HYDRA, "5.0.0", Path("/some/bin/mpirun"))
    one = pairs.series_of(training(steps=7), mpi, 3, tmp_path, {})
    assert (one.app.ranks, one.app.runs) == (3, ["python3 train.py 7"])
    assert one.app.environment["PATH"].startswith("/some/bin:")
    other = pairs.series_of(description.read("petsc-requests"), mpi, 2, tmp_path, {})
    assert other.app.runs == description.read("petsc-requests").long_runs
    assert "PATH" not in other.app.environment


def test_ratios_are_of_the_runs_of_a_pair() -> None:
    row = pair_rows.with_pair(ROW, 2.0, 1.0, 0.9, "identical")
    row = pair_rows.with_pair(row, 4.0, 4.0, 0.8, "within tolerance")
    row = pair_rows.with_pair(row, 1.0, 2.0, 0.7, "identical")
    assert row.ratios == [0.5, 1.0, 2.0]
    assert row.result == "within tolerance"
    assert pair_rows.quartiles(row.ratios) == (0.75, 1.0, 1.5)
    assert pair_rows.quartiles([3.0]) == (3.0, 3.0, 3.0)


def test_the_table_fits(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [ROW, pair_rows.with_pair(replace(ROW, timed="whole jobs"), 20.0, 10.0, 0.97, "identical")]
    pair_table.show(rows, output.console())
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    assert any("20.00 s*" in line and "0.500" in line and "0.97" in line for line in lines)
    assert "Passed on to the MPI by cp2k, openmpi4: 1 of bcast: why" in lines


def test_rows_are_read_as_they_were_written(espalier: Espalier, tmp_path: Path) -> None:
    output_file = tmp_path / "pairs.json"
    output_files.write_rows([ROW], output_file)
    assert pair_rows.read(output_file) == [ROW]
    assert espalier("pairs", "lamps", "--results", tmp_path).returncode == 2
    assert espalier("pairs", "--mpi", "openmpi9", "--results", tmp_path).returncode == 2
