# SPDX-License-Identifier: Apache-2.0
"""Benchmarks of ranks that arrive late: what is asked of the programs that measure, and what is made of their answers.
Never how long anything took."""

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from conftest import ROOT, Espalier

from espalier import output, output_files
from espalier.failure import Failure
from espalier.installation import Installation
from espalier.launchers import Launch, Launcher
from espalier_lab.arrival import effect_table, figures, late_program, load_table, product_table, settled, survey
from espalier_lab.arrival import rows as rows_
from espalier_lab.arrival.largest_effect import first_child
from espalier_lab.arrival.late_program import Asked, Late, Pattern
from espalier_lab.arrival.piece import Budget, Calls, Piece, Where
from espalier_lab.arrival.places import Machine
from espalier_lab.arrival.rows import NEVER, EffectRow, LoadRow, ProductRow, Row, merged, of_kind
from espalier_lab.arrival.sparse_product import Matrix, ProductPiece, printed_in, settings_of
from espalier_lab.arrival.variants import in_program
from espalier_lab.arrival.wanted import Wanted
from espalier_lab.commands import arrival
from espalier_lab.experiments.comparison import KIB, MIB
from espalier_lab.experiments.launch import Family

HERE = Where("machine", 8)
PROGRAMS = ("espalier-bench-late-openmpi5", "espalier-bench-network-openmpi5")
WANTED = Wanted(
    benchmarks=["a"],
    families=[Family.OPENMPI],
    collectives=["bcast"],
    sizes=[KIB],
    delays=[0.0, 2.0],
    variants=[],
    budget=Budget(40, 60, 2),
    patterns=2,
    most=0.5,
    matrices=[Matrix(500, 10, 0.2, 0, 0)],
)
PRINTED = """500 x 500 with 25000 nonzeros on 8 ranks
500 rows, each a broadcast of 464 bytes and 100 to 900 multiplications on a rank
seconds 2.500000
mean seconds 2.400000
seconds in broadcasts 1.500000
longest in broadcasts 2.000000
multiplications by rank 900 100 200 900 100 300 500 400
sum 4711
"""


class FakePlace:
    """Starts programs without an MPI."""

    name, ranks = HERE.name, HERE.ranks

    def __init__(self, build: Path) -> None:
        self.installation = Installation(build)
        self.settings: list[Mapping[str, str] | None] = []

    @contextmanager
    def launched(self, family: Family, words: Sequence[str], settings: Mapping[str, str] | None) -> Iterator[Launch]:
        assert family is Family.OPENMPI
        self.settings.append(settings)
        yield Launch(Launcher.UNKNOWN, list(words), {"PATH": "/usr/bin:/bin"})

    def bound(self, collective: str, size: int) -> float:
        return 1e-9 * size if collective == "bcast" else 0.0


def program(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)


@pytest.fixture
def place(tmp_path: Path) -> FakePlace:
    """Where programs answer with times that are made up (tests/support/late_program.py)."""
    for name in PROGRAMS:
        program(tmp_path / "bin" / name, f'exec {sys.executable} {ROOT}/tests/support/late_program.py "$@"')
    return FakePlace(tmp_path)


def silent(_text: str, *, is_step: bool = False) -> None:
    pass


def measured(place: FakePlace, wanted: Wanted, known: Sequence[Row] = ()) -> list[Row]:
    rows = list(known)
    for piece in wanted.pieces(HERE):
        if not piece.is_done(rows):
            rows = merged(rows, piece.measure(place, rows, silent))
    return rows


def by_variant(rows: Sequence[Row], delay: float) -> dict[str, EffectRow]:
    return {row.variant: row for row in of_kind(EffectRow, rows) if row.delay == delay}


def words_of(printed: str) -> str:
    return " ".join(printed.split())


def test_the_first_child_is_the_one_with_half_of_the_ranks_below_it() -> None:
    assert [first_child(ranks) for ranks in (2, 3, 8, 16, 27, 32, 33)] == [1, 2, 4, 8, 16, 16, 32]


def test_the_program_is_told_who_is_late_and_by_how_much() -> None:
    asked = Asked("bcast", KIB, ["native", "espalier:knomial,segment=0"], 30, 2, Late(4, 0.25, 15))
    assert asked.words == [
        *("--bytes", "1024", "--variants", "native;espalier:knomial,segment=0", "--calls", "30", "--rounds", "2"),
        *("--late", "4", "--delay", "0.250000000", "--change-after", "15"),
    ]
    words = Asked("reduce", KIB, ["native"], 30, 1, Pattern(7, 1e-3)).words
    assert words[4:6] == ["--collective", "reduce"]
    assert words[-4:] == ["--pattern", "7", "--most", "0.001000000"]


def test_variants_are_those_of_the_collective() -> None:
    assert in_program("order", "bcast") == "espalier:knomial,segment=0,arrange=order"
    assert in_program("ideal", "reduce") == "ideal:binomial,segment=0"
    assert in_program("chain", "allreduce") == "espalier:chain"
    assert in_program("espalier", "bcast") == "espalier"
    assert in_program("forced:chain,segment=8192", "bcast") == "forced:chain,segment=8192"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("{", "answered what it should not"),
        ('{"rows": 7}', "'rows' must be a list"),
        ('{"rows": [{"variant": "native", "overall": [-1, 1], "mean": [1, 1]}]}', "out of range"),
        ('{"rows": [{"variant": "native", "overall": [1], "mean": [1]}]}', "did not measure what it was"),
        (
            '{"rows": [{"variant": "other", "overall": [1, 1], "mean": [1, 1]}]}',
            "did not measure what it was",
        ),
    ],
)
def test_an_answer_that_is_none_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(Failure, match=complaint):
        late_program.series_in(text, Asked("bcast", 8, ["native"], 2))


def test_what_counts_is_the_last_half() -> None:
    assert settled.typical([[9, 9, 9, 1, 2, 3]]) == 2
    assert settled.typical([[9, 9, 1, 2], [9, 3, 8]]) == 2.5  # of each round
    assert settled.quartiles([[9, 9, 9, 9, 1, 2, 3, 4]]) == (1.75, 3.25)


def test_near_the_ideal_is_who_stays_there() -> None:
    late, soon = [9, 9, 1, 1, 9, 1, 1, 1], [1.1] * 3
    assert settled.until_near([late], 1) == 1  # the median of 3 calls; one that is slow is no matter
    never = [1, 1, 1, 9, 9, 9, 9, 9]
    assert settled.until_near([never], 1) == NEVER
    assert settled.until_near([soon], 1) == 0
    assert settled.until_near([[1, 1]], 1) == NEVER  # too few to tell
    assert settled.until_near([never, soon, late], 1) == 1  # in the median
    assert settled.until_near([never, never, late], 1) == NEVER


def test_rounds_stand_behind_each_other() -> None:
    assert settled.in_rounds([1, 2, 3, 4, 5, 6], 3) == [[1, 2], [3, 4], [5, 6]]


def test_a_late_rank_is_late_by_multiples_of_what_the_tree_takes(place: FakePlace) -> None:
    rows = measured(place, WANTED)
    found = by_variant(rows, 2)
    kinds = ["native", "forced:tree", "forced:chain", "binomial", "swap", "order", "ideal", "espalier"]
    assert list(found) == kinds
    assert list(by_variant(rows, 0)) == kinds
    assert {row.delay_s for row in found.values()} == {2e-3}
    assert {(row.late, row.calls, row.ranks, row.benchmark) for row in found.values()} == {(4, 80, 8, "a")}
    assert (found["binomial"].overall_s, found["binomial"].mean_s) == (3e-3, 1.5e-3)
    assert (found["order"].overall_s, found["order"].mean_s) == (2e-3, 0.5e-3)
    assert found["ideal"].bound_s == 2e-3
    assert by_variant(rows, 0)["ideal"].bound_s == 1.024e-6
    assert all(settings is not None and settings["ESPALIER_MEMORY"] == "" for settings in place.settings)


def test_rows_say_after_how_many_calls_they_were_as_fast_as_the_ideal(place: FakePlace) -> None:
    found = by_variant(measured(place, WANTED), 2)
    # One of three calls may be slow.
    assert {name: row.until_ideal for name, row in found.items() if name in ("swap", "order", "ideal", "binomial")} == {
        "binomial": NEVER,
        "swap": 8,
        "order": 3,
        "ideal": 0,
    }


def test_after_a_change_it_is_learnt_again(place: FakePlace) -> None:
    rows = of_kind(EffectRow, measured(place, replace(WANTED, benchmarks=["change"])))
    assert [(row.variant, row.is_changed) for row in rows if not row.is_changed] == [("binomial", False)]
    found = {row.variant: row for row in rows if row.is_changed}
    assert list(found) == ["binomial", "swap", "order", "ideal"]
    order = found["order"]
    assert (order.late, order.late_then, order.change_after, order.calls) == (3, 4, 40, 160)
    assert (order.until_ideal, order.until_ideal_again) == (3, 1)
    assert (found["swap"].until_ideal_mean, found["swap"].until_ideal_mean_again) == (8, 5)
    assert found["binomial"].until_ideal_again == NEVER
    assert found["ideal"].until_ideal_again == 0


def test_calls_that_would_take_too_long_are_fewer_or_none(place: FakePlace) -> None:
    long = replace(WANTED, variants=["binomial"], delays=[0.0, 20.0, 50.0], budget=Budget(100, 0.9))
    rows = of_kind(EffectRow, measured(place, long))
    assert [(row.delay, row.calls) for row in rows] == [(0, 100), (20, 33)]
    assert not long.pieces(HERE)[-1].is_done(rows)
    assert Budget(5, 1).fitting(0.1) == Calls(5)  # no fewer than asked for
    assert Budget(100, 10, 3).fitting(0.1) == Calls(31, 3)
    assert Budget(100, 10, 3).fitting(0.2) == Calls(24, 2)  # rather fewer rounds than too few calls
    assert Budget(100, 10, 3).fitting(0.6).all == 0


def test_only_what_is_missing_is_measured(place: FakePlace) -> None:
    rows = measured(place, replace(WANTED, variants=["binomial", "ideal", "forced"]))
    count = len(place.settings)
    more = measured(place, replace(WANTED, variants=["order", "forced"]), rows)
    assert len(place.settings) == count + 2  # a job for each delay; the unit and the MPI's own are known
    assert by_variant(more, 2)["order"].until_ideal == 3
    assert all(piece.is_done(more) for piece in replace(WANTED, variants=["order", "ideal"]).pieces(HERE))


def test_without_its_unit_a_delay_cannot_be_measured(place: FakePlace) -> None:
    piece = WANTED.pieces(HERE)[-1]
    with pytest.raises(Failure, match="what binomial takes without a delay was not measured"):
        piece.measure(place, [], silent)


def test_random_delays_are_the_same_in_all_patterns_and_variants(place: FakePlace) -> None:
    rows = of_kind(LoadRow, measured(place, replace(WANTED, benchmarks=["b"])))
    assert [(row.pattern, row.variant) for row in rows] == [
        *((0, name) for name in ("native", "binomial", "swap", "order")),
        *((1, name) for name in ("binomial", "swap", "order", "native")),
    ]
    assert {(row.delay_s, row.most, row.bytes) for row in rows} == {(5e-4, 0.5, KIB)}
    assert len(place.settings) == 3  # one trial


def test_the_mpis_own_are_those_that_were_best_and_measured_again(place: FakePlace) -> None:
    assert survey.best_forced(place, Family.OPENMPI, "bcast", KIB, silent) == ["forced:tree", "forced:chain"]


def test_a_program_that_fails_is_quoted(place: FakePlace) -> None:
    piece = replace(WANTED, sizes=[13], variants=["native"]).pieces(HERE)[0]
    with pytest.raises(Failure, match="13 is no size for me"):
        piece.measure(place, [], silent)


def product_pieces(place: FakePlace, text: str) -> list[Piece]:
    program(place.installation.build / "bin" / "sparse_product-openmpi5", text)
    return replace(WANTED, benchmarks=["c"]).pieces(HERE)


def test_a_product_is_made_in_turns_by_each_variant(place: FakePlace, tmp_path: Path) -> None:
    log = tmp_path / "log"
    pieces = product_pieces(place, f'echo "$@" >>{log}\ncat <<end\n{PRINTED}end')
    rows: list[Row] = []
    for piece in pieces:
        assert not piece.is_done(rows)
        rows = merged(rows, piece.measure(place, rows, silent))
        assert piece.is_done(rows)
    assert [row.variant for row in rows] == ["native", "binomial", "swap", "order", "ideal", "espalier"]
    words = "--n 500 --percent 10 --slope 0.2"
    assert log.read_text().splitlines() == [f"{words} --rows 1", *[words] * 6] * 2
    for row in of_kind(ProductRow, rows):
        assert (row.overall_s, row.through_s, row.in_broadcasts_s, row.mean_s) == (2.5, 2.4, 1.5, 3e-3)
        assert (row.bytes, row.calls, row.each_overall_s) == (464, 500, [2.5, 2.5])
    forced = [settings and settings.get("ESPALIER_ALGORITHM") for settings in place.settings]
    tree = "bcast:knomial,segment=0"
    ideal = f"{tree},arrange=0/5/4/7/1/6/2/3"
    first = [None, tree, f"{tree},arrange=swap(16)", f"{tree},arrange=order", ideal, None]
    assert forced == [None, *first, None, *first[1:], first[0]]
    assert settings_of("native") is None


def test_products_that_differ_are_refused(place: FakePlace, tmp_path: Path) -> None:
    (tmp_path / "head").write_text(PRINTED.replace("sum 4711\n", ""))
    piece = product_pieces(place, f"cat {tmp_path}/head; echo sum $$")[0]
    with pytest.raises(Failure, match="different sums"):
        piece.measure(place, [], silent)


def test_a_product_that_fails_is_quoted(place: FakePlace) -> None:
    with pytest.raises(Failure, match=r"status 3:\nno memory"):
        product_pieces(place, "echo no memory; exit 3")[0].measure(place, [], silent)
    with pytest.raises(Failure, match="did not say how long it took"):
        printed_in("seconds 1.0\n")


def test_options_of_the_product_are_passed_on() -> None:
    assert Matrix(100, 5, 0.6, 20, 0.5).words[-4:] == ["--rows", "20", "--sleep", "0.5"]


def test_more_ranks_than_cores_do_not_poll(build: Path) -> None:
    words = {}
    for family in Family.OPENMPI, Family.MPICH:
        try:
            with Machine(Installation(build), 1000).launched(family, ["program"], {"ESPALIER_MEMORY": ""}) as launch:
                words[family] = " ".join(launch.arguments)
        except Failure:
            pytest.skip(f"no {family}")
    assert "--mca mpi_yield_when_idle 1 -n 1000 program" in words[Family.OPENMPI]
    assert "libespalier-patient.so" in words[Family.MPICH]
    assert "UCX_TLS tcp,self" in words[Family.MPICH]


def test_results_are_read_as_they_were_written(place: FakePlace, tmp_path: Path) -> None:
    benchmarks = ["a", "change", "b", "c"]
    product_pieces(place, f"cat <<end\n{PRINTED}end")
    rows = measured(place, replace(WANTED, benchmarks=benchmarks))
    file = tmp_path / "arrival.json"
    output_files.write_rows(rows, file)
    assert rows_.read(file) == rows
    first = list(asdict(rows[0]))[:9]
    assert first == ["benchmark", "where", "mpi", "collective", "bytes", "delay_s", "variant", "overall_s", "mean_s"]


@pytest.mark.parametrize(
    "text", ["{", "7", "[7]", '[{"benchmark": "z"}]', '[{"benchmark": ["a"]}]', '[{"benchmark": "b"}]']
)
def test_results_that_are_none_are_refused(espalier: Espalier, tmp_path: Path, text: str) -> None:
    (tmp_path / "arrival.json").write_text(text)
    done = espalier("arrival", "--resume", "--dry-run", "--results", tmp_path)
    assert done.returncode == 2
    assert "cannot be read" in words_of(done.stderr)


def lines_of(show: Callable[..., None], rows: Sequence[Row], capsys: pytest.CaptureFixture[str]) -> list[str]:
    show(rows, output.console())
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    return lines


def test_a_table_says_how_much_less_it_takes_to_arrange(place: FakePlace, capsys: pytest.CaptureFixture[str]) -> None:
    rows = of_kind(EffectRow, measured(place, WANTED))
    lines = lines_of(effect_table.show, rows, capsys)
    assert lines[1] == "bcast of 1 KiB, 8 ranks, machine, openmpi5"
    heading = lines[2].split()
    assert heading == ["Delay", "native", "forced", "binomial", "swap", "order", "ideal", "espalier"]
    at = next(index for index, line in enumerate(lines) if line.startswith("    2 "))
    assert [line.split() for line in lines[at : at + 5]] == [
        ["2", "overall", "3ms", "3ms", "3ms", "2ms", "2ms", "2ms", "3ms"],
        ["less", "0%", "0%", "33%", "33%", "33%", "0%"],
        ["mean", "1.5ms", "1.5ms", "1.5ms", "500us", "500us", "500us", "1.5ms"],
        ["less", "0%", "0%", "67%", "67%", "67%", "0%"],
        ["until", "8/8", "3/3", "-/-"],
    ]


def test_a_table_says_how_soon_a_change_is_learnt(place: FakePlace, capsys: pytest.CaptureFixture[str]) -> None:
    rows = of_kind(EffectRow, measured(place, replace(WANTED, benchmarks=["change"])))
    lines = lines_of(effect_table.show, rows, capsys)
    assert "bcast of 1 KiB, 8 ranks, machine, openmpi5: the late rank changes" in lines
    assert ["swap", "2", "ms", "500", "us", "8", "/", "8", "5", "/", "5"] in [line.split() for line in lines]


def load_row(variant: str, pattern: int, overall: float, mean: float, most: float = 0.7) -> LoadRow:
    start = ("b", "machine", "openmpi5", "bcast", MIB, 0.01, variant, overall, mean, 8, 100, 1.0)
    return LoadRow(*start, pattern, most)


LOADS = [
    *(load_row("binomial", number, 2.0, 2.0) for number in range(4)),
    *(load_row("order", number, overall, 1.0) for number, overall in enumerate([1.0, 1.96, 2.02, 2.2])),
]


def test_a_table_says_in_how_many_patterns_it_helps(capsys: pytest.CaptureFixture[str]) -> None:
    lines = lines_of(load_table.show, LOADS, capsys)
    assert ["order", "4", "25%", "25%", "0.99", "100%", "0%", "0.50"] in [line.split() for line in lines]
    assert ["Paper", "200", "58%", "6.5%", "-", "90%", "1%", "-"] in [line.split() for line in lines]


def test_a_pattern_that_only_one_has_does_not_count(capsys: pytest.CaptureFixture[str]) -> None:
    lines = lines_of(load_table.show, [*LOADS, load_row("order", 9, 9.0, 9.0)], capsys)
    assert any(line.split()[:2] == ["order", "4"] for line in lines)


def test_a_table_of_products(place: FakePlace, capsys: pytest.CaptureFixture[str]) -> None:
    pieces = product_pieces(place, f"cat <<end\n{PRINTED}end")
    rows = of_kind(ProductRow, pieces[0].measure(place, [], silent))
    lines = lines_of(product_table.show, [replace(rows[0], overall_s=5.0), *rows[1:]], capsys)
    assert ["native", "5", "s", "2.00", "2.4", "s", "1.00", "1.5", "s", "1.00", "0%"] in [
        line.split() for line in lines
    ]


def test_figures_have_a_curve_for_each_variant(place: FakePlace) -> None:
    sizes = [KIB, MIB]
    rows = of_kind(EffectRow, measured(place, replace(WANTED, sizes=sizes)))
    drawn = figures.draw_effect(rows)
    ElementTree.fromstring(drawn)
    assert drawn.count("<polyline") == 7 * 2 * len(sizes)  # overall and mean
    assert figures.draw_effect([row for row in rows if row.delay == 0]) == ""
    drawn = figures.draw_load(LOADS)
    ElementTree.fromstring(drawn)
    assert drawn.count("<polyline") == 2
    assert figures.draw_load([]) == ""


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--benchmark", "d"], "--benchmark d: unknown"),
        (["--where", "labs"], "did you mean lab?"),
        (["--mpi", "openmpi5"], "did you mean openmpi?"),
        (["--collective", "gather"], "allowed: bcast, reduce, allreduce"),
        (["--variant", "ordre"], "--variant ordre: unknown; did you mean order?"),
        (["--bytes", "1k"], "--bytes 1k: not a size"),
        (["--delays", "1,-2"], "--delays -2: allowed: numbers from 0 to 10000"),
        (["--percent", "101"], "--percent 101: allowed: numbers from 0 to 100"),
        (["--slope", "2"], "--slope 2: allowed: numbers from 0 to 1"),
        (["--n", "many"], "--n many: not a number"),
        (["--network", "tours:2x2"], "did you mean torus?"),
        (["--network", "torus:2"], "too few hosts; allowed: 3 or more"),
        (["--rate", "fast"], "--rate fast: not a rate"),
    ],
)
def test_a_wrong_word_is_refused(espalier: Espalier, tmp_path: Path, words: list[str], complaint: str) -> None:
    done = espalier("arrival", *words, "--results", tmp_path / "results")
    assert done.returncode == 2
    assert complaint in words_of(done.stderr)
    assert not (tmp_path / "results").exists()


def test_a_program_that_was_not_built_is_missed_before_anything_is_measured(espalier: Espalier, tmp_path: Path) -> None:
    done = espalier("--build", tmp_path, "arrival", "--benchmark", "a", "--results", tmp_path / "results")
    assert done.returncode == 2
    assert "espalier-bench-late-openmpi5 does not exist" in words_of(done.stderr)
    assert "make build" in done.stderr
    assert not (tmp_path / "results").exists()


def test_a_dry_run_says_what_would_be_measured_and_writes_nothing(espalier: Espalier, tmp_path: Path) -> None:
    words = ("--benchmark", "a,b", "--where", "lab", "--mpi", "mpich", "--bytes", "1KiB", "--patterns", "2")
    done = espalier("arrival", *words, "--delays", "0,8", "--dry-run", "--results", tmp_path / "results")
    assert done.returncode == 0, done.stderr
    assert "torus:4x4 200mbit, mpich, bcast, 1 KiB, delay 8x" in done.stdout
    assert "pattern 1 of delays up to 0.7x" in done.stdout
    assert "To measure: 4; at a guess" in done.stdout
    assert not (tmp_path / "results").exists()


@pytest.mark.on_any_mpi
@pytest.mark.parametrize("mpi", ["openmpi", "mpich"])
def test_late_ranks_are_measured_and_gone_on_with(espalier: Espalier, build: Path, tmp_path: Path, mpi: str) -> None:
    if not (build / "bin" / f"espalier-bench-late-{mpi}5").exists():
        pytest.skip(f"no {mpi} to measure")
    words = ["--benchmark", "a,b", "--where", "machine", "--mpi", mpi, "--ranks", "3", "--calls", "4"]
    words += [
        "--repeats",
        "2",
        "--bytes",
        "1KiB",
        "--delays",
        "0",
        "--patterns",
        "1",
        "--variant",
        "native,binomial,order,ideal",
    ]
    done = espalier("arrival", *words, "--results", tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert max(map(len, done.stdout.splitlines())) <= 80 or "/" in done.stdout
    rows = json.loads((tmp_path / "arrival.json").read_text())
    assert [(row["benchmark"], row["variant"], row["calls"]) for row in rows] == [
        *(("a", name, 8) for name in ("native", "binomial", "order", "ideal")),
        *(("b", name, 4) for name in ("native", "binomial", "order")),
    ]
    assert all(row["overall_s"] >= row["mean_s"] > 0 for row in rows)
    again = espalier("arrival", *words, "--delays", "1", "--resume", "--results", tmp_path)
    assert again.returncode == 0, again.stdout + again.stderr
    more = json.loads((tmp_path / "arrival.json").read_text())
    assert more[: len(rows)] == rows
    assert {row["delay"] for row in more[len(rows) :]} == {1.0}
    assert (tmp_path / "arrival.svg").exists()


def test_a_product_without_its_program_is_refused(espalier: Espalier, tmp_path: Path) -> None:
    done = espalier("--build", tmp_path, "arrival", "--benchmark", "c", "--results", tmp_path)
    assert done.returncode == 2
    assert "sparse_product-openmpi5 does not exist" in words_of(done.stderr)


def test_where_is_measured_is_known_before_a_network_is_up() -> None:
    assert arrival.where_of("machine", 8, "", arrival.spec.Options()) == HERE
    assert arrival.where_of("lab", 8, "torus:3x3", arrival.spec.Options(1e8)) == Where("torus:3x3 100mbit", 9)


def test_each_mpi_is_measured_at_one_go_and_a_round_is_a_piece() -> None:
    wanted = replace(WANTED, families=[Family.OPENMPI, Family.MPICH], benchmarks=["a", "c"])
    pieces = wanted.pieces(HERE)
    assert [piece.family for piece in pieces] == [Family.OPENMPI] * 4 + [Family.MPICH] * 4
    assert [piece.round for piece in pieces if isinstance(piece, ProductPiece)] == [0, 1, 0, 1]
    assert all(piece.weight > 0 for piece in pieces)
