# SPDX-License-Identifier: Apache-2.0
"""Studies that are simulated: their rows, and what they ask for. What is played is in tests/simulate."""

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from espalier import output
from espalier.failure import Failure
from espalier.installation import ROOT, Installation
from espalier_lab.simulation import fugaku, rows, scale, scale_calls
from espalier_lab.simulation.program import play
from espalier_lab.simulation.rows import Row, Wanted

ROW = Row("K 48x6x32", "allreduce", 1024, "ring", 0.5, None, "paper 1, figure 10")


def test_rows_are_read_as_they_were_written(tmp_path: Path) -> None:
    file = tmp_path / "simulation-any.json"
    some = [ROW, replace(ROW, reference_s=0.25)]
    rows.write(some, file)
    assert rows.read(file) == some


def test_a_file_of_other_rows_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "simulation-any.json"
    file.write_text('[{"machine": "K"}]')
    with pytest.raises(Failure, match="not a row"):
        rows.read(file)


def test_fugakus_machine_files_have_one_set_of_constants() -> None:
    found = []
    for torus in (fugaku.FITTED, *fugaku.HELD):
        text = (ROOT / "src" / "simulate" / "machines" / f"fugaku-{torus}.toml").read_text()
        machine = tomllib.loads(text)
        del machine["tofu"]["box"], machine["tofu"]["nodes"], machine["simulation"]["name"]
        found.append(machine)
    assert all(machine == found[0] for machine in found)


def test_trinaryx_was_forced_to_longer_segments_for_longer_messages() -> None:
    sizes = (128 << 10, 1 << 20, 8 << 20)
    assert [fugaku.forced_segment("reduce", size) for size in sizes] == [4 << 10, 16 << 10, 64 << 10]
    assert [fugaku.forced_segment("bcast", size) for size in sizes] == [4 << 10, 16 << 10, 16 << 10]


def test_a_call_is_played() -> None:
    there = ("--torus", "3x3")
    call = Wanted("torus 3x3", there, "allreduce", 65536, "trinaryx3_fused,segment=8KiB", "lab")
    assert play(Installation(ROOT / "build"), call).seconds > 0


def test_a_large_ring_is_as_many_steps_of_a_small_one() -> None:
    torus = scale_calls.Torus((24, 24, 16))
    one = scale_calls.compared(torus, scale.MIB, scale_calls.RING)
    part = torus.ring_part
    block = 120  # 9,216 blocks of whole elements, rounded up
    assert (one.machine, one.bytes, one.algorithm) == (part.name, block * part.nodes, f"ring,segment={block}")
    (whole,) = scale_calls.derived([one.row(1.0)])
    assert (whole.machine, whole.bytes) == (torus.name, scale.MIB)
    assert whole.seconds == pytest.approx((torus.nodes - 1) / (part.nodes - 1))


def test_what_meets_on_links_is_played_among_few_nodes_and_estimated_everywhere() -> None:
    wanted = [one for one in scale_calls.wanted(Installation(ROOT / "build")) if "doubling" in one.algorithm]
    played = {(one.machine, one.bytes) for one in wanted if one.source == scale_calls.SOURCE}
    estimated = {(one.machine, one.bytes) for one in wanted if one.source == scale_calls.ESTIMATED}
    assert estimated == {(torus.name, size) for torus in scale_calls.MACHINES for size in scale_calls.SIZES}
    assert ("torus 16x16x8", scale.GIB) in played
    assert {one for one in played if one[0] == "torus 24x24x16"} == {("torus 24x24x16", scale.KIB)}
    assert not any(machine == "torus 48x54x32" for machine, _ in played)


def test_swing_is_asked_of_powers_of_two_alone() -> None:
    wanted = [one for one in scale_calls.wanted(Installation(ROOT / "build")) if one.algorithm.startswith("swing")]
    assert {one.machine for one in wanted} == {"torus 8x8x8", "torus 16x16x8"}


def test_an_estimate_by_a_few_ranks_is_near_what_is_played() -> None:
    installation = Installation(ROOT / "build")
    there = scale_calls.MACHINES[1]
    assert there.nodes > scale.MOST_ESTIMATED_WHOLE
    algorithm = scale_calls.whole(scale_calls.RABENSEIFNER, scale.KIB)
    both = [scale_calls.call(there, scale.KIB, algorithm, source) for source in (scale.SOURCE, scale.ESTIMATED)]
    played, estimated = (scale_calls.play(installation, one).seconds for one in both)
    assert estimated == pytest.approx(played, rel=0.3)


def test_estimates_of_whole_calls_are_compared_with_the_same_calls_alone() -> None:
    there = scale_calls.MACHINES[1]
    estimated = scale_calls.call(there, scale.KIB, "swing,segment=1024", scale.ESTIMATED).row(1.2)
    played = scale_calls.call(there, scale.KIB, "swing,segment=1024", scale.SOURCE).row(1.0)
    cut = scale_calls.call(there, scale.KIB, "swing,segment=512", scale.CHOSEN).row(9.0)
    assert scale.estimates_off([estimated, played, cut]).startswith("1 such calls were played, too: +20% to +20%")
    assert scale.estimates_off([estimated, cut]) == "None of these calls was played."


def at_one_point(choice: str, **seconds: float) -> list[Row]:
    return [
        Row(
            scale.MACHINES[0].name,
            "allreduce",
            scale.MIB,
            name,
            took,
            None,
            scale.CHOSEN if name == choice else scale.SOURCE,
        )
        for name, took in seconds.items()
    ]


def test_choices_are_held_against_the_best(capsys: pytest.CaptureFixture[str]) -> None:
    rows_there = at_one_point("ring", ring=2.0, recursive_doubling=1.0, rabenseifner=3.0, trinaryx3_fused=4.0)
    scale.show(rows_there, output.console())
    said = capsys.readouterr().out
    assert "at 0 of 1 points at which all was played" in said
    assert "27 nodes, 1 MiB: ring takes 2.00 times as long as recursive_doubling" in said


def test_native_counts_for_the_fastest_plain_one_where_all_are_known() -> None:
    (point,) = scale.points_of(
        at_one_point("", ring=2.0, recursive_doubling=1.0, rabenseifner=3.0, trinaryx3_fused=4.0)
    )
    assert point.off == 1
    assert list(scale.points_of(at_one_point("", ring=2.0, trinaryx3_fused=1.0))) == []


def test_what_was_played_goes_before_estimates_which_are_marked(capsys: pytest.CaptureFixture[str]) -> None:
    rows_there = at_one_point("", ring=2.0, recursive_doubling=1.0, trinaryx3_fused=4.0)
    estimates = {"recursive_doubling": 1.1, "rabenseifner": 3.0}
    rows_there += [replace(row, source=scale.ESTIMATED) for row in at_one_point("", **estimates)]
    (point,) = scale.points_of(rows_there)
    assert point.seconds["recursive_doubling"] == 1.0
    assert (point.text_of("recursive_doubling")[0], point.text_of("rabenseifner")[0]) == ("1", "~")
    scale.show(rows_there, output.console())
    assert "at 1 of 1 points with estimates" in " ".join(capsys.readouterr().out.split())
