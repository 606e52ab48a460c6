# SPDX-License-Identifier: Apache-2.0
"""Real programs in the lab: in which order they run, under which MPI, and what is kept of them. Starts none."""

import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from espalier.failure import Failure
from espalier.installation import Installation
from espalier_lab.apps import results
from espalier_lab.experiments import programs, programs_rows
from espalier_lab.experiments.launch import MEASURED, Family
from espalier_lab.experiments.programs_rows import Row, Series
from espalier_lab.network.spec import Options

SERIES = Series("lammps", "torus:2x2", Options(100e6), Family.OPENMPI4, ("native", "policy:race"), 2, Path("lab-apps"))


def test_variants_take_turns_in_going_first() -> None:
    assert list(SERIES.runs_left([])) == [(0, "native"), (0, "policy:race"), (1, "policy:race"), (1, "native")]


def test_only_what_results_do_not_have_is_run() -> None:
    rows: list[Row] = []
    first = Row("lammps", "torus:2x2 100mbit", "openmpi4", 4, "native", results.SAME, [1.5], 3, 2)
    programs_rows.add(rows, first)
    assert list(SERIES.runs_left(rows)) == [(0, "policy:race"), (1, "policy:race"), (1, "native")]
    programs_rows.add(rows, replace(first, seconds=[2.5], result=results.WITHIN))
    assert rows == [replace(first, seconds=[1.5, 2.5], result="within tolerance", contexts=6, right_at_once=4)]


def test_a_program_of_debian_runs_under_its_mpi_and_the_transform_under_each() -> None:
    found = programs_rows.planned(
        ["lammps", "transform"], ["torus:2x2"], Options(), "race", MEASURED, 1, Path("lab-apps")
    )
    assert [(one.program, one.family) for one in found] == [
        ("lammps", Family.OPENMPI4),
        ("transform", Family.OPENMPI),
        ("transform", Family.MPICH),
    ]
    assert all(one.variants == ("native", "policy:race", "warm:race") for one in found)


def test_what_was_set_up_runs_under_open_mpi_5() -> None:
    found = programs_rows.planned(["petsc-requests"], ["torus:2x2"], Options(), "race", MEASURED, 1, Path("lab-apps"))
    assert [one.family for one in found] == [Family.OPENMPI]


def test_with_a_description_there_is_no_memory() -> None:
    place = Path("lab-apps")
    (one,) = programs_rows.planned(["lammps"], ["rails:2x2"], Options(), "race", MEASURED, 1, place, described=True)
    assert one.variants == ("native", "described:race")


def test_a_bad_network_is_refused_before_anything_runs() -> None:
    with pytest.raises(Failure, match="did you mean torus"):
        programs_rows.planned(["lammps"], ["tours:2x2"], Options(), "race", MEASURED, 1, Path("lab-apps"))


def test_where_times_are_compared_runs_are_longer(build: Path) -> None:
    assert programs.app_of("petsc", Installation(build), Family.OPENMPI4).runs == ["/usr/bin/python3 poisson.py 10"]
    assert len(programs.app_of("lammps", Installation(build), Family.OPENMPI4).runs) == 2


def test_results_are_read_as_they_were_written(tmp_path: Path) -> None:
    rows = [Row("lammps", "torus:2x2 100mbit", "openmpi4", 4, "native", "identical", [1.5, 2.5])]
    file = tmp_path / "lab-apps.json"
    file.write_text(json.dumps([asdict(one) for one in rows]))
    assert programs_rows.read(file) == rows
    file.write_text('[{"program": "lammps", "seconds": [1, "two"]}]')
    with pytest.raises(Failure, match="cannot be read"):
        programs_rows.read(file)


def test_examples_run_under_each_mpi(build: Path) -> None:
    planned = programs_rows.planned(["nas-ft"], ["torus:2x2"], Options(), "star", MEASURED, 1, Path("lab-apps"))
    assert [one.family for one in planned] == [Family.OPENMPI, Family.MPICH]
    assert programs.app_of("nas-ft", Installation(build), Family.MPICH).runs[0].endswith("nas_ft-mpich5 W 20")
