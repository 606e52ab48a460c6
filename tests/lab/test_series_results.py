# SPDX-License-Identifier: Apache-2.0
"""What is made of the rows of series: tables and figures. Needs no network."""

from dataclasses import replace
from xml.etree import ElementTree

import pytest

from espalier.failure import Failure
from espalier_lab.experiments import figure, series_figure, series_table
from espalier_lab.experiments.comparison import KIB, Row


def row(variant: str, seconds: float, place: int = 1, calls: int = 300, each: bool = True) -> Row:
    lab = f"leafspine:4x4 50mbit placement {place}"
    timed = [seconds] * calls if each else []
    return Row(
        lab, "openmpi5", "alltoall", KIB, 16, variant, seconds, seconds, seconds, 1, 0.1, 0.5, calls=calls, each_s=timed
    )


FIXED = [row("fixed:ring", 0.9, calls=30), row("fixed:pairwise", 1.1, calls=30), row("fixed:bruck", 3.0, calls=30)]
ROWS = [row("native", 1.0), row("policy:race", 0.92), row("policy:star", 1.3), *FIXED, row("native", 2.0, place=2)]


def test_a_table_has_a_line_for_each_placement_and_the_time_of_all_calls() -> None:
    (table,) = series_table.tables(ROWS)
    assert table.title == "alltoall, 1 KiB, Open MPI 5, leafspine:4x4 50mbit placement"
    assert table.heading == ["Where", "Calls", "native", "race", "star", "best fixed", "worst fixed"]
    assert table.lines == [
        ["1", "300", "300 s", "276 s -8.0%", "390 s +30.0%", "270 s -10.0% ring", "900 s +200.0% bruck"],
        ["2", "300", "600 s", "-", "-", "-", "-"],
    ]


def test_rows_that_came_later_go_where_they_belong() -> None:
    later = [row("native", 1.0), row("native", 1.0, place=2), row("policy:race", 0.5)]
    (table,) = series_table.tables(later)
    assert [line[3] for line in table.lines] == ["150 s -50.0%", "-"]


def test_it_says_how_often_what_ran_first_was_right() -> None:
    found = [1.0, 1.05, 1.2, 0.0]
    rows = [replace(row("warm:race", 1.0), first_over_best=one) for one in found]
    (line,) = series_table.right_at_once([*rows, row("native", 1.0)])
    assert line == "race, warm: at once what was the best, or within 5% of it, in 2 of 3."


def test_the_table_is_drawn() -> None:
    drawn = series_figure.draw_table("A title & more", ROWS)
    ElementTree.fromstring(drawn)
    for words in ("A title &amp; more", "276 s -8.0%", "270 s -10.0% ring"):
        assert words in drawn


def test_curves_have_a_line_for_each_variant_that_is_not_fixed() -> None:
    drawn = series_figure.draw_curves("", ROWS)
    ElementTree.fromstring(drawn)
    assert drawn.count("<polyline") == 4
    assert drawn.count("300 calls") == 2
    assert "ring" not in drawn


def test_what_cannot_be_drawn_is_refused() -> None:
    with pytest.raises(Failure, match="no times of single calls"):
        series_figure.draw_curves("", [row("native", 1.0, each=False)])
    with pytest.raises(Failure, match="no series"):
        series_figure.draw_table("", [row("native", 1.0, calls=0)])
    with pytest.raises(Failure, match="only series"):
        figure.draw("", ROWS)
