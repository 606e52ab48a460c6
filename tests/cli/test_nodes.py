# SPDX-License-Identifier: Apache-2.0
"""Collectives inside a node: that all is measured that was asked for, and right. Never how long it took."""

import json
import re
from pathlib import Path

import pytest
from conftest import Espalier

from espalier import functions, output
from espalier_lab.nodes import figure, jobs, rows, starts, table
from espalier_lab.nodes.jobs import Job, Plan
from espalier_lab.nodes.rows import Found, Row, Sample

NEAR, FAR = 50e-9, 200e-9


def needs(build: Path, mpi: str) -> None:
    if not (build / "bin" / f"{jobs.PROGRAM}{mpi}").exists():
        pytest.skip(f"no {mpi} to measure")


def found(variant: str, *samples: tuple[float, float], size: int = 8) -> Found:
    return Found("openmpi5", 2, "bcast", size, variant, tuple(Sample(*one) for one in samples), is_crowded=False)


def by_variant(made: list[Row], cores: str) -> dict[str, Row]:
    return {row.variant: row for row in made if row.cores == cores}


@pytest.mark.parametrize("mpi", jobs.MPIS)
def test_every_hand_written_form_is_right_for_every_function(
    espalier: Espalier, build: Path, tmp_path: Path, mpi: str
) -> None:
    """The program compares each result with what the collective's contract says, as it does with the MPI's."""
    needs(build, mpi)
    words = ("--mpi", mpi, "--bytes", "8,1000,5000,70000,300000", "--variants", "limit,native", "--quick")
    done = espalier("nodes", *words, "--repeats", "1", "--results", tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Left out" not in done.stderr
    measured = json.loads((tmp_path / "nodes.json").read_text())
    for function in functions.COLLECTIVES:
        sizes = {row["bytes"] for row in measured if row["collective"] == function and row["variant"] == "limit"}
        assert len(sizes) == (1 if function == "barrier" else 5), function
    forms = {row["form"] for row in measured if row["variant"] == "limit"}
    assert "flags" in forms
    assert max(map(len, done.stdout.splitlines())) <= 80


@pytest.mark.on_any_mpi
@pytest.mark.parametrize("mpi", jobs.MPIS)
def test_all_kinds_are_measured_in_turns(espalier: Espalier, build: Path, tmp_path: Path, mpi: str) -> None:
    needs(build, mpi)
    words = ("--mpi", mpi, "--collective", "allreduce", "--bytes", "8,4KiB", "--quick", "--results", tmp_path)
    done = espalier("nodes", *words, "--json", tmp_path / "rows.json")
    assert done.returncode == 0, done.stderr
    measured = json.loads((tmp_path / "rows.json").read_text())
    assert measured == json.loads((tmp_path / "nodes.json").read_text())
    variants = {row["variant"] for row in measured}
    assert {"limit", "native", "espalier"} <= variants
    for kind in ("limit:", "forced:", "espalier:"):
        assert any(variant.startswith(kind) for variant in variants), kind
    assert (tmp_path / "nodes.svg").exists()
    drawn = espalier("lab", "figure", "nodes", "--results", tmp_path, "--svg", tmp_path / "again.svg")
    assert drawn.returncode == (0 if mpi.endswith("5") else 2), drawn.stderr


def test_more_ranks_than_two_are_measured_without_a_limit(espalier: Espalier, build: Path, tmp_path: Path) -> None:
    needs(build, "openmpi5")
    words = ("--mpi", "openmpi5", "--ranks", "3", "--collective", "bcast", "--bytes", "8", "--quick")
    done = espalier("nodes", *words, "--variants", "limit,native", "--results", tmp_path)
    assert done.returncode == 0, done.stderr
    measured = json.loads((tmp_path / "nodes.json").read_text())
    assert {(row["variant"], row["ranks"]) for row in measured} >= {("native", 3)}
    assert not any(row["variant"].startswith("limit") for row in measured)


def test_samples_are_sorted_by_the_barrier_of_their_job() -> None:
    made = rows.rows_of(
        [
            found("native", (2e-6, NEAR), (9e-6, FAR)),
            found("native", (4e-6, NEAR)),
            found("limit:line", (3e-6, NEAR)),
            found("limit:lines", (1e-6, NEAR), (7e-6, FAR)),
        ]
    )
    near, far = by_variant(made, "near"), by_variant(made, "far")
    assert near["native"].median_s == pytest.approx(3e-6)
    assert near["native"].samples == 2
    assert far["native"].barrier_s == FAR
    assert (near["limit"].form, near["limit"].median_s) == ("lines", 1e-6)
    assert far["limit"].median_s == 7e-6


def test_the_table_compares_what_was_measured_in_the_same_state(capsys: pytest.CaptureFixture[str]) -> None:
    made = rows.rows_of(
        [
            found("limit:line", (1e-6, NEAR), (4e-6, FAR)),
            found("native", (3e-6, NEAR)),
            found("forced:ring", (2e-6, NEAR)),
            found("espalier", (4e-6, NEAR), (6e-6, FAR)),
            found("espalier:chain", (2e-6, NEAR)),
        ]
    )
    table.show(made, output.console())
    lines = {line.split("  ")[0]: line.split() for line in capsys.readouterr().out.splitlines() if line[:3] == "8B "}
    assert lines["8B near"][2:] == ["1us", "2us", "ring", "4us", "4.00", "2.00", "2.00"]
    assert lines["8B far"][2:] == ["4us", "-", "-", "6us", "1.50", "-", "-"]


def test_the_figure_has_a_panel_for_each_collective_of_several_sizes() -> None:
    made = rows.rows_of([found("native", (1e-6, FAR), size=8), found("native", (2e-6, FAR), size=4096)])
    assert "2 ranks, far cores, openmpi5" in figure.figure(made)
    assert not figure.figure(made[:1])


@pytest.mark.parametrize("mpi", jobs.MPIS)
def test_every_function_has_one_job_without_settings_and_names_for_all_others(mpi: str) -> None:
    plan = Plan(tuple(functions.COLLECTIVES), (8,), ranks=2, repeats=1)
    planned = jobs.jobs_of([mpi], plan, turns=1)
    plain = [one for job in planned if job.start.is_plain for one in job.collectives]
    assert sorted(plain) == sorted(functions.COLLECTIVES)
    for job in planned:
        for collective in job.collectives:
            name = job.start.variant(collective, "native")
            assert name == "native" if job.start.is_plain else re.fullmatch(r"forced:\w*", name)


def test_jobs_are_only_of_what_is_wanted() -> None:
    plan = Plan(("barrier",), (8,), ranks=2, repeats=1, variants=("limit", "espalier"))
    (job,) = jobs.jobs_of(["openmpi5"], plan, turns=1)
    assert job.variants == ["limit:*", *starts.OURS]
    assert jobs.jobs_of(["mpich5"], plan, turns=2) == [
        Job("mpich5", starts.starts_of("mpich5")[1], plan, turn) for turn in (1, 2)
    ]


def test_an_unknown_kind_is_refused_before_anything_is_measured(espalier: Espalier, tmp_path: Path) -> None:
    done = espalier("nodes", "--variants", "limits", "--results", tmp_path)
    assert done.returncode == 2
    assert "did you mean limit?" in done.stderr
