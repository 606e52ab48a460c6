# SPDX-License-Identifier: Apache-2.0
"""Studies that are simulated: their rows, and what they ask for. What is played is in tests/simulate."""

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from espalier import output
from espalier.failure import Failure
from espalier.installation import ROOT, Installation
from espalier_lab.simulation import fugaku, rows, scale
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
    torus = scale.Torus((24, 24, 16))
    one = scale.compared(torus, scale.MIB, scale.RING)
    part = torus.ring_part
    block = 120  # 9,216 blocks of whole elements, rounded up
    assert (one.machine, one.bytes, one.algorithm) == (part.name, block * part.nodes, f"ring,segment={block}")
    (whole,) = scale.derived([one.row(1.0)])
    assert (whole.machine, whole.bytes) == (torus.name, scale.MIB)
    assert whole.seconds == pytest.approx((torus.nodes - 1) / (part.nodes - 1))


def test_swing_is_asked_of_powers_of_two_alone() -> None:
    assert [torus.nodes for torus in scale.MACHINES if scale.exists(scale.SWING, torus)] == [512, 2048]


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
    assert "at 0 of 1 points" in said
    assert "27 nodes, 1 MiB: ring takes 2.00 times as long as recursive_doubling" in said


def test_native_counts_for_the_fastest_plain_one_where_all_were_played() -> None:
    (point,) = scale.points_of(at_one_point("", ring=2.0, recursive_doubling=1.0, rabenseifner=3.0))
    assert point.off == 1
    (point,) = scale.points_of(at_one_point("", ring=2.0, trinaryx3_fused=1.0))
    assert point.off is None
