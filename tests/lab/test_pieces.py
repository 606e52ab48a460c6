# SPDX-License-Identifier: Apache-2.0
"""Studies in pieces: which there are, which of them users ask for, and which results have already. Needs no network."""

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from espalier.failure import Failure
from espalier.installation import Installation
from espalier.units import duration_text
from espalier_lab.experiments import bounds, compare, launch, pieces, series_variants, studies, transform, turns
from espalier_lab.experiments.comparison import KIB, MIB, Comparison, Row
from espalier_lab.experiments.launch import MEASURED, Family
from espalier_lab.experiments.part import Part
from espalier_lab.experiments.remaining import Remaining

SERIES = Comparison(
    "leafspine:2x2", "alltoall", (KIB, MIB), variants=("native", "policy:race", "fixed:*"), label="here", series=300
)


def row(variant: str, size: int = KIB, calls: int = 300, mpi: str = "openmpi5") -> Row:
    return Row(SERIES.lab, mpi, "alltoall", size, 4, variant, 0.1, 0.1, 0.1, 1, 0.01, 0.5, calls=calls)


def pieces_of(build: Path, *variants: str) -> list[pieces.Piece]:
    return pieces.pieces_of(Installation(build), [SERIES], [Family.OPENMPI], bounds.bound_of_cluster, variants)


def test_each_variant_at_each_size_is_a_piece(build: Path) -> None:
    found = pieces_of(build)
    of_kib = [one.comparison.variants[0] for one in found if one.comparison.sizes == (KIB,)]
    assert of_kib[:2] == ["native", "policy:race"]
    assert {"fixed:ring", "fixed:bruck"} <= set(of_kib)
    assert len(found) == 2 * len(of_kib)
    assert all(len(one.comparison.variants) == 1 for one in found)


def test_a_comparison_in_turns_is_one_piece(build: Path) -> None:
    one = replace(SERIES, series=0, variants=("native", "forced:*", "espalier"))
    (piece,) = pieces.pieces_of(Installation(build), [one], [Family.MPICH], bounds.bound_of_cluster)
    assert piece.comparison == replace(one, variants=list(one.variants))
    rows = [row("native", mpi="mpich5")]
    assert not piece.is_done(rows)
    assert piece.is_done([*rows, row("native", MIB, mpi="mpich5")])


def test_a_comparison_in_turns_takes_as_long_as_its_calls() -> None:
    one = replace(SERIES, series=0, variants=("native", "forced:*", "espalier"), repeats=5)
    assert [turns.repeated_calls(one, size) for size in (8, 64 * KIB, MIB, 8 * MIB)] == [20, 240, 48, 12]
    assert turns.tried_calls(one) == 11
    assert turns.seconds_in_turns(one, lambda _, size: size / MIB, 0) == pytest.approx(
        (20 * 2.5 + 11 * 6) / KIB + 48 * 2.5 + 11 * 6
    )


def test_variants_are_chosen_by_patterns(build: Path) -> None:
    assert {one.comparison.variants[0] for one in pieces_of(build, "native", "fixed:ring*")} == {
        "native",
        *(f"fixed:ring{end}" for end in ("", "_one_barrier", "_light_barrier", "_mpi_barrier")),
    }
    assert pieces_of(build, "nothing") == []


def test_what_results_have_is_done(build: Path) -> None:
    native = next(one for one in pieces_of(build, "native"))
    assert native.is_done([row("native")])
    for other in (row("native", MIB), row("policy:race"), row("native", mpi="mpich5")):
        assert not native.is_done([other])


def test_there_are_as_many_calls_as_natively_and_a_tenth_of_what_is_fixed() -> None:
    def calls(variant: str, rows: list[Row]) -> tuple[int, bool]:
        one = replace(SERIES, sizes=(KIB,), variants=(variant,))
        found = pieces.with_calls(one, Family.OPENMPI, rows)
        return found.series, found.is_limited

    assert calls("native", [row("native", calls=80)]) == (300, True)
    assert calls("policy:race", []) == (300, True)
    assert calls("policy:race", [row("native", calls=80)]) == (80, False)
    assert calls("fixed:ring", [row("native", calls=80)]) == (8, False)
    assert calls("fixed:ring", [row("native", calls=20)]) == (pieces.FEWEST_CALLS, False)


def test_no_variant_but_the_described_ones_has_a_description() -> None:
    nothing = {"ESPALIER_TOPOLOGY": ""}
    assert series_variants.settings_of("native") == nothing
    assert series_variants.settings_of("fixed:ring") == nothing
    assert series_variants.settings_of("policy:race") == {"ESPALIER_POLICY": "race", **nothing}
    assert series_variants.settings_of("warm:race") == series_variants.settings_of("policy:race")
    assert series_variants.settings_of("described:estimate") == {"ESPALIER_POLICY": "estimate"}


def test_a_part_of_a_study_has_what_was_asked_for() -> None:
    choice = studies.choice_study().comparisons
    (one,) = Part(placements=[2], collectives=["alltoall"], sizes=[64 * KIB], calls=7, limit_seconds=60).of(choice)
    assert (one.seed, one.sizes, one.series, one.limit_seconds) == (2, [64 * KIB], 7, 60)
    assert Part(calls=10**6).of(choice)[0].series == studies.CHOICE_SERIES
    assert Part().of(choice) == [replace(one, sizes=list(one.sizes)) for one in choice]


@pytest.mark.parametrize(
    ("part", "words"),
    [
        (Part(networks=["leafspine:4x5"]), "--network leafspine:4x5: unknown; did you mean leafspine:4x4"),
        (Part(collectives=["alltaoll"]), "did you mean alltoall"),
        (Part(placements=[9]), "--placement 9: not in this study; allowed: 1, 2, 3, 4, 5"),
        (Part(sizes=[7]), "--bytes 7: not in this study; allowed: 1024, 16384, 65536, 1048576"),
        (Part(collectives=["transform"], sizes=[MIB]), "no such part"),
    ],
)
def test_a_part_that_a_study_does_not_have_is_refused(part: Part, words: str) -> None:
    with pytest.raises(Failure) as failure:
        part.of(studies.choice_study().comparisons)
    assert words in failure.value.message


def test_a_bound_counts_the_uplinks_and_the_nics_that_hosts_have() -> None:
    one = Comparison("leafspine:4x4", "alltoall", (MIB,))
    second = 20e6 / 8
    assert bounds.bound_of_leaves(one)("alltoall", MIB) == pytest.approx(24 * MIB / second)
    assert bounds.bound_of_leaves(one)("transform", MIB) == pytest.approx(2 * 24 * MIB / second)
    assert bounds.bound_of_cluster(replace(one, network="sites:2+2"))("alltoall", MIB) == 3 * MIB / (2 * second)
    assert bounds.bound_of_cluster(replace(one, network="rails:4x3"))("alltoall", MIB) == 3 * MIB / (3 * second)


def test_only_series_have_a_number_of_calls() -> None:
    for part, option in ((Part(calls=3), "--calls 3"), (Part(limit_seconds=3), "--limit 3")):
        with pytest.raises(Failure, match=option):
            part.of(studies.torus_study().comparisons)


def test_the_transform_has_blocks_of_the_size_that_its_row_says() -> None:
    assert transform.points_of(studies.TRANSFORM_BLOCK, 16) == 64
    with pytest.raises(Failure, match="blocks of 1000 bytes"):
        transform.points_of(1000, 16)


def test_what_remains_is_told_from_what_was_done() -> None:
    remaining = Remaining([10, 10, 20, 40])
    assert remaining.seconds == 80
    remaining.took(30)
    assert remaining.seconds == 210
    assert remaining.text == "[2/4, about 4 min left]"
    remaining.leave_out(1)
    assert remaining.seconds == 180
    remaining.took(30)
    assert remaining.seconds == 80
    remaining.took(0)
    assert remaining.seconds == 0


@pytest.mark.parametrize(("seconds", "text"), [(0, "0 s"), (89, "89 s"), (150, "2 min"), (4000, "1 h 7 min")])
def test_durations_are_short_texts(seconds: float, text: str) -> None:
    assert duration_text(seconds) == text


def test_series_are_measured_under_the_mpis_that_the_program_is_built_for(build: Path) -> None:
    assert Family.OPENMPI4 not in MEASURED
    with pytest.raises(Failure, match="--mpi openmpi4: only runs programs; allowed: openmpi, mpich"):
        compare.bench_program.path(Installation(build), Family.OPENMPI4)


def test_what_takes_too_long_is_ended() -> None:
    for seconds, late in ((0.1, True), (10, False)):
        done = subprocess.run(launch.limited(["sleep", "1"], seconds), check=False)
        assert launch.is_late(done.returncode) == late
    assert launch.limited(["sleep", "1"], None) == ["sleep", "1"]
