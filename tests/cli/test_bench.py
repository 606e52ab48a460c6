# SPDX-License-Identifier: Apache-2.0
"""Benchmarks on one machine: that all is measured that was asked for, and right. Never how long it took."""

import json
import re
from pathlib import Path

import pytest
from conftest import Espalier

from espalier import functions, output
from espalier.failure import Failure
from espalier.installation import Installation
from espalier_lab import breadth_table
from espalier_lab.breadth_table import Row
from espalier_lab.commands import bench

ROOT = Path(__file__).resolve().parents[2]


def needs(build: Path, mpi: str) -> None:
    if not (build / "bin" / f"espalier-bench-{mpi}").exists():
        pytest.skip(f"no {mpi} to measure")


def test_bench_reports_medians_with_quartiles() -> None:
    one = bench.Measured(8, "ring", [5.0, 1.0, 2.0, 4.0, 3.0], cpu_seconds=1.0)
    assert one.median == 3.0
    assert one.quartiles == (2.0, 4.0)


def test_bench_measures_native_and_own_algorithms(espalier: Espalier, build: Path, tmp_path: Path) -> None:
    needs(build, "openmpi5")
    file = tmp_path / "bench.json"
    words = ("--collective", "allreduce", "--bytes", "8,64KiB", "--variants", "native,ring", "--repeats", "3")
    done = espalier("bench", *words, "--json", file)
    assert done.returncode == 0, done.stderr
    (result,) = json.loads(file.read_text())
    assert [(row["bytes"], row["variant"], len(row["seconds"])) for row in result["rows"]] == [
        (8, "native", 3),
        (8, "ring", 3),
        (65536, "native", 3),
        (65536, "ring", 3),
    ]
    assert "Quartiles" in done.stdout


def test_bench_refuses_a_variant_that_a_collective_does_not_have_before_it_measures_any(
    espalier: Espalier, build: Path
) -> None:
    needs(build, "openmpi5")
    done = espalier("bench", "--collective", "bcast,reduce", "--variants", "chian,segment=8KiB")
    assert done.returncode == 2
    assert "--variants: bcast chian: unknown; did you mean chain?" in done.stderr
    assert espalier("bench", "--collective", "bcast,barrier", "--variants", "native,chain").returncode == 2


def test_bench_refuses_an_mpi_that_was_not_built(espalier: Espalier) -> None:
    done = espalier("bench", "--mpi", "lam")
    assert done.returncode == 2
    assert "openmpi" in done.stderr


def test_bench_offers_mpis_alone(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    for name in ("openmpi5", "mpich4", "kernels", "network-openmpi5", "halo-mpich5", "schedule"):
        (tmp_path / "bin" / f"espalier-bench-{name}").touch()
    installation = Installation(tmp_path)
    assert bench.find_program(installation, "mpich4").name == "espalier-bench-mpich4"
    for wrong in ("kernels", "network-openmpi5", "openmpi"):
        with pytest.raises(Failure, match=f"--mpi {wrong}: .*; allowed: mpich4, openmpi5$"):
            bench.find_program(installation, wrong)


def test_the_functions_are_those_of_the_one_list() -> None:
    text = (ROOT / "src/native/collective_functions.def").read_text()
    listed = re.findall(r"^COLLECTIVE_FUNCTION\((\w+), \w+, (\w+), \w+\)", text, re.MULTILINE)
    assert {name.lower(): collective for name, collective in listed} == functions.COLLECTIVES


@pytest.mark.on_any_mpi
@pytest.mark.parametrize("mpi", ["openmpi5", "mpich5"])
def test_every_function_is_right_by_every_algorithm(espalier: Espalier, build: Path, tmp_path: Path, mpi: str) -> None:
    """Each result is checked, on three ranks, with blocks of one size and of several."""
    needs(build, mpi)
    words = ("--mpi", mpi, "--ranks", "3", "--bytes", "8,1000", "--repeats", "1", "--results", tmp_path)
    done = espalier("breadth", *words)
    assert done.returncode == 0, done.stderr
    rows = json.loads((tmp_path / "breadth.json").read_text())
    for function in functions.BREADTH:
        own = {(row["bytes"], row["variant"]) for row in rows if row["collective"] == function}
        assert {(8, "native"), (1000, "native")} <= own
        assert any(variant.startswith("espalier:") for _, variant in own), function
    assert max(map(len, done.stdout.splitlines())) <= 80


@pytest.mark.parametrize("mpi", ["openmpi5", "mpich5"])
def test_bench_forces_the_mpis_own_algorithms_and_shows_the_best(
    espalier: Espalier, build: Path, tmp_path: Path, mpi: str
) -> None:
    needs(build, mpi)
    file = tmp_path / "bench.json"
    words = ("--collective", "barrier,bcast,reduce,alltoall", "--bytes", "1KiB", "--variants", "native,forced:*")
    done = espalier("bench", "--mpi", mpi, *words, "--repeats", "1", "--json", file)
    assert done.returncode == 0, done.stderr
    for result in json.loads(file.read_text()):
        assert sum(row["variant"].startswith("forced:") for row in result["rows"]) >= 2, result["collective"]
    assert done.stdout.count(" forced:") == 4


def test_bench_says_what_is_left_to_the_mpi(espalier: Espalier, build: Path, tmp_path: Path) -> None:
    """An algorithm for tori, on one machine."""
    needs(build, "openmpi5")
    file = tmp_path / "bench.json"
    words = ("--collective", "bcast", "--bytes", "1KiB", "--variants", "native,trinaryx3", "--repeats", "1")
    done = espalier("bench", "--mpi", "openmpi5", *words, "--json", file)
    assert done.returncode == 0, done.stderr
    assert [len(row["seconds"]) for row in json.loads(file.read_text())[0]["rows"]] == [1, 0]
    assert re.search("trinaryx3 +left to the MPI", done.stdout)


def row(variant: str, seconds: float) -> Row:
    return Row("one machine", "openmpi5", "scan", 65536, 2, variant, seconds, seconds, seconds, 3, None, 1.0)


def test_what_is_ours_stands_next_to_native_and_the_best_forced(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [row("native", 2e-6), row("forced:linear", 1e-6), row("forced:ring", 4e-6)]
    breadth_table.show([*rows, row("espalier:chain", 3e-6), row("espalier:tree", 5e-6)], output.console())
    lines = {line.strip().partition("  ")[0]: line.split()[-1] for line in capsys.readouterr().out.splitlines() if line}
    assert lines["native"] == "2us"
    assert lines["best forced"] == "0.50"
    assert lines["Espalier's best"] == "1.50"
    assert lines["tree"] == "2.50"
    assert lines["scan"] == "3.00"  # against the best of both


def test_bounds_are_of_what_a_call_is_about() -> None:
    assert functions.written("alltoallv", 1000, 4) == (4000, 4)
    assert functions.written("gather", 1000, 4) == (4000, 1)
    assert functions.written("reduce_scatter", 1000, 4) == (250, 4)
    assert functions.crossing("allgather", 1000, 4) == 3000
    assert functions.crossing("reduce_scatter_block", 1000, 4) == 750
    assert functions.crossing("allreduce", 1000, 4) == 1500
    assert functions.crossing("exscan", 1000, 4) == 1000


def test_policies_are_played_against_each_other(espalier: Espalier, tmp_path: Path) -> None:
    done = espalier("selection", "--instances", "2", "--calls", "100", "--results", tmp_path)
    assert done.returncode == 0, done.stderr
    rows = json.loads((tmp_path / "selection.json").read_text())
    assert {row["policy"] for row in rows} == {"native", "estimate", "star", "adcl", "intel", "race", "race-alone"}
    assert {row["calls"] for row in rows} == {100}
    assert "After 100 calls" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


def series(variant: str, seconds: list[float]) -> dict[str, object]:
    context = {"lab": "a lab", "mpi": "mpich", "collective": "alltoall", "bytes": 1024}
    return {**context, "variant": variant, "each_s": seconds}


def test_policies_are_played_on_recorded_timings(espalier: Espalier, tmp_path: Path) -> None:
    rows = [series("native", [2e-3] * 30), series("fixed:ring", [1e-3] * 25), series("fixed:bruck", [4e-3] * 30)]
    (tmp_path / "study.json").write_text(json.dumps([*rows, series("policy:race", [])]))
    options = ["--instances", "1", "--calls", "100", "--results", tmp_path, "--recorded", tmp_path / "study.json"]
    done = espalier("selection", *options)
    assert done.returncode == 0, done.stderr
    assert "as they were recorded" in " ".join(done.stdout.split())
    found = json.loads((tmp_path / "selection-machines.json").read_text())
    assert {row["policy"]: round(row["over_oracle"], 2) for row in found}["native"] == 1
    assert {(row["capped"], row["counted_by"]) for row in found} == {
        (capped, by) for capped in (True, False) for by in ("job", "candidate")
    }


@pytest.mark.parametrize(
    ("rows", "complaint"),
    [
        ("[]", "no series of native calls"),
        ("{", "allowed: the results of a study in the lab"),
        ('[{"lab": 1}]', "allowed: the results of a study in the lab"),
        ("7", "allowed: the results of a study in the lab"),
    ],
)
def test_what_is_no_recording_is_refused(espalier: Espalier, tmp_path: Path, rows: str, complaint: str) -> None:
    (tmp_path / "study.json").write_text(rows)
    done = espalier("selection", "--recorded", tmp_path / "study.json", "--results", tmp_path)
    assert done.returncode == 2
    assert complaint in " ".join(done.stderr.split())


def test_a_place_for_results_that_cannot_be_is_refused_before_the_work(espalier: Espalier, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = espalier("selection", "--instances", "1000000", "--results", tmp_path / "file")
    assert done.returncode == 2
    assert "the directory could not be made" in " ".join(done.stderr.split())


def test_a_dry_run_of_the_lab_writes_nothing(espalier: Espalier, tmp_path: Path) -> None:
    done = espalier("lab", "compare", "torus", "--dry-run", "--results", tmp_path / "results")
    assert done.returncode == 0, done.stderr
    assert "To measure" in done.stdout
    assert not (tmp_path / "results").exists()
