# SPDX-License-Identifier: Apache-2.0
"""What is made of a comparison's rows: a figure, and the estimates next to them. Needs no network."""

import json
from dataclasses import asdict
from pathlib import Path
from xml.etree import ElementTree

import pytest

from espalier.failure import Failure
from espalier.installation import Installation
from espalier_lab.experiments import comparison, estimates, figure
from espalier_lab.experiments.comparison import MIB, Comparison, Row

TORUS = Comparison("torus:3x3x3", "bcast", (MIB,))


def row(variant: str, median: float, size: int = MIB) -> Row:
    return Row(TORUS.lab, "openmpi5", "bcast", size, 27, variant, median, median, median, 3, 0.07, 0.5)


ROWS = [row("native", 1.4), row("forced:chain", 0.5), row("espalier", 0.08), row("espalier:trinaryx3", 0.16)]


def test_a_figure_has_a_bar_for_each_variant_and_says_how_much_longer_it_takes() -> None:
    drawn = figure.draw("A title & more", ROWS)
    ElementTree.fromstring(drawn)
    assert "A title &amp; more" in drawn
    assert drawn.count("<rect") == 1 + 3 + 3  # the ground, the legend, the bars
    assert "(17.5x)" in drawn
    assert "how many times as long as Espalier" in drawn
    assert "(6.2x)" in drawn


def test_small_messages_are_not_drawn() -> None:
    assert figure.draw("", [*ROWS, row("native", 0.1, 8)]) == figure.draw("", ROWS)


def test_results_are_read_as_they_were_written(tmp_path: Path) -> None:
    file = tmp_path / "torus.json"
    file.write_text(json.dumps([asdict(one) for one in ROWS]))
    assert comparison.read(file) == ROWS
    with pytest.raises(Failure, match="does not exist"):
        comparison.read(tmp_path / "rails.json")


def test_estimates_stand_next_to_what_was_done_by_ourselves(build: Path) -> None:
    found = estimates.estimates(Installation(build), [TORUS], ROWS)
    assert [one.variant for one in found] == ["espalier", "espalier:trinaryx3"]
    assert found[0].chosen == "trinaryx6"
    for one in found:
        assert one.error is not None
        assert abs(one.error) < 2  # of the right order
