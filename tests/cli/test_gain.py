# SPDX-License-Identifier: Apache-2.0
"""simulate without algorithms: what Espalier would gain on a described machine, as table, page and picture."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from conftest import Espalier

from espalier.failure import Failure
from espalier_lab.gain import chart, table
from espalier_lab.gain.sizes import NATIVE, Size, sizes_of

TORUS = ("--torus", "3x3x3", "--bytes", "1KiB,1MiB")

CLUSTER = """\
hop_seconds = 2e-6
[rails]
nics = 2
rate = 12.5e9
nodes = "n[01-16]"
[simulation]
name = "two NICs"
fat_tree = { leaves = 4, uplinks = 4, rate = 12.5e9 }
"""


def row(size: int, algorithm: str, seconds: float, **others: Any) -> dict[str, Any]:
    common = {"machine": "m", "collective": "bcast", "ranks": 4, "segment": 65536, "window": 4, "off": 0.0}
    marks = {"chosen": False, "plain": False}
    return {**common, **marks, "bytes": size, "algorithm": algorithm, "seconds": seconds, **others}


def sizes(*rows: dict[str, Any]) -> list[Size]:
    return sizes_of(json.dumps(rows))


def test_the_choice_is_held_against_the_fastest_plain_one() -> None:
    slow, fast = row(8, "linear", 4.0, plain=True), row(8, "knomial", 2.0, plain=True)
    (one,) = sizes(slow, fast, row(8, "packed", 1.0, chosen=True), row(8, "snake", 0.5))
    assert (one.plain.algorithm, one.choice, one.best.algorithm) == ("knomial", "packed", "snake")
    assert (one.gain, one.best_gain, one.is_near_the_best) == (2, 4, False)


def test_what_is_left_to_the_mpi_gains_and_loses_nothing() -> None:
    (one,) = sizes(row(8, "knomial", 2.0, plain=True), row(8, "packed", 1.0))
    assert (one.choice, one.gain) == (NATIVE, 1)


def test_the_best_is_another_one_only_if_it_is_clearly_faster() -> None:
    (one,) = sizes(row(8, "swing", 1.0), row(8, "ring", 1.001, plain=True))
    assert table.cells_of(one)[-1] == ""


def test_what_is_worse_or_uneven_is_said() -> None:
    plain = row(1024, "knomial", 1.0, plain=True, off=0.4)
    said = list(table.sentences(sizes(plain, row(1024, "packed", 1.5, chosen=True))))
    assert said[0].startswith("Nothing would be gained")
    assert "more than 10% slower than the best at 1 KiB" in said[1]
    assert said[2] == "It loses at 1 KiB."
    assert said[3].endswith("may be off: knomial.")


def test_what_is_not_understood_is_refused() -> None:
    with pytest.raises(Failure, match="not understood"):
        sizes_of('[{"machine": "m"}]')


def test_a_barrier_and_a_single_size_are_drawn() -> None:
    (one,) = sizes(row(0, "dissemination", 1e-5, plain=True))
    ElementTree.fromstring(chart.draw([one]))
    ElementTree.fromstring(chart.picture("barrier", [one]))


def test_gains_are_printed_drawn_and_written_as_a_page(espalier: Espalier, tmp_path: Path) -> None:
    page, picture = tmp_path / "gain.html", tmp_path / "gain.svg"
    done = espalier("simulate", "allreduce", *TORUS, "--report", page, "--svg", picture, environment={"COLUMNS": "80"})
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("allreduce on torus 3x3x3, 27 ranks, simulated\n")
    assert "trinaryx3_fused" in done.stdout
    assert "times as fast as a plain MPI at its best, at 1 MiB." in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
    ElementTree.parse(picture)
    text = page.read_text(encoding="utf-8")
    assert text.count("<svg") >= 1
    assert "src=" not in text
    assert "recursive_doubling segment=" in text  # all that was played
    again = espalier("simulate", "allreduce", *TORUS, "--report", page, "--svg", picture)
    assert again.returncode == 0, "its own files are replaced"


def test_a_cluster_with_two_nics_is_played_as_a_job_would_see_it(espalier: Espalier, tmp_path: Path) -> None:
    machine = tmp_path / "my.toml"
    machine.write_text(CLUSTER)
    words = ("simulate", "bcast", "--topology", machine, "--bytes", "4MiB", "--json")
    rows = json.loads(espalier(*words).stdout)
    (chosen,) = (one for one in rows if one["chosen"])
    explained = json.loads(espalier("explain", "bcast", "--topology", machine, "--bytes", "4MiB", "--json").stdout)
    assert chosen["algorithm"] == explained["chosen"]
    assert {"binary", "chain", "knomial", "scatter_allgather"} <= {one["algorithm"] for one in rows if one["plain"]}
    assert "plain" not in json.loads(espalier(*words, "--algorithm", "chain").stdout)[0]


def test_all_prints_a_line_for_each_algorithm(espalier: Espalier) -> None:
    done = espalier("simulate", "bcast", "--torus", "3x3", "--bytes", "64KiB", "--all")
    assert "trinaryx3,segment=" in done.stdout
    assert "plain MPI" not in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("allreduce", "--torus", "3x3", "--bytes", "1MiB..64KiB"), "allowed: from a size above 0 to a larger one"),
        (("allreduse", "--torus", "3x3"), "allreduce"),
        (("allreduce", "--torus", "3x3", "--gain", "--algorithm", "trinaryx3"), "rabenseifner, ring, tree"),
        (("allreduce", "--torus", "3x3", "--all", "--gain"), "--all: goes without"),
        (("allreduce", "--torus", "3x3", "--json", "--svg", "a.svg"), "--json: goes without"),
        (("allreduce", "--torus", "3x3", "--report", "no/such/place.html"), "there is no directory"),
        (("allreduce", "--torus", "3x3", "--report", "pyproject.toml"), "is not what this writes"),
        (("allreduce", "--topology", "no-such.toml"), "no-such.toml"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_misuse_is_refused_with_what_is_allowed(espalier: Espalier, words: tuple[str, ...], said: str) -> None:
    done = espalier("simulate", *words)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("wrong", "right", "said"),
    [("nics = 2", "nics = none", ":3:"), ("leaves = 4", "leaves = 40", "leaves"), ("rate = 12.5e9", "rat = 1", "rat")],
)
def test_errors_of_a_machine_file_are_named(
    espalier: Espalier, tmp_path: Path, wrong: str, right: str, said: str
) -> None:
    machine = tmp_path / "my.toml"
    machine.write_text(CLUSTER.replace(wrong, right, 1))
    done = espalier("simulate", "allreduce", "--topology", machine)
    assert done.returncode == 2
    assert f"{machine}" in done.stderr
    assert said in done.stderr


def test_what_was_played_is_not_lost_where_the_page_cannot_be_written(espalier: Espalier) -> None:
    done = espalier("simulate", "bcast", "--torus", "3x3", "--bytes", "8", "--report", "/proc/gain.html")
    assert done.returncode != 0
    assert "/proc/gain.html" in done.stderr
    assert "plain MPI" in done.stdout or "may not be written" in done.stderr


def test_a_build_without_simgrid_says_what_it_takes(espalier: Espalier, tmp_path: Path) -> None:
    done = espalier("--build", tmp_path, "simulate", "allreduce", "--torus", "3x3")
    assert done.returncode != 0
    assert "libsimgrid-dev" in done.stderr


def test_what_lags_far_behind_is_not_played_at_longer_messages(espalier: Espalier) -> None:
    words = ("simulate", "bcast", "--torus", "6x6", "--algorithm", "linear,knomial,chain", "--gain", "--json")
    rows = json.loads(espalier(*words, "--bytes", "64KiB..512KiB").stdout)
    longest = 512 << 10
    assert max(row["bytes"] for row in rows if row["algorithm"] == "linear") < longest
    assert max(row["bytes"] for row in rows if row["algorithm"] == "chain") == longest


def test_a_cut_that_changes_nothing_is_played_once(espalier: Espalier) -> None:
    words = ("simulate", "allreduce", "--torus", "4x4", "--bytes", "1MiB", "--gain", "--json", "--algorithm", "ring")
    rows = json.loads(espalier(*words).stdout)
    assert len([row for row in rows if row["algorithm"] == "ring" and row["segments"] == 1]) <= 1


def test_sizes_in_a_row_are_said_as_one_span() -> None:
    some = [row(2**k, "ring", 1.0, plain=True) for k in range(6)]
    assert table.spans(sizes(*some), lambda size: size.bytes in (1, 4, 8, 16)) == "1 B, 4 B to 16 B"
