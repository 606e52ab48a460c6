# SPDX-License-Identifier: Apache-2.0
"""Studies that are simulated: their rows, and what they ask for. What is played is in tests/simulate."""

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from espalier.failure import Failure
from espalier.installation import ROOT, Installation
from espalier_lab.simulation import fugaku, rows
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
