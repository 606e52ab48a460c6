# SPDX-License-Identifier: Apache-2.0
"""First calls on fresh communicators: what is made of pairs. Needs no network."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest
from rich.console import Console

from espalier.failure import Failure
from espalier_lab.experiments import warmup, warmup_rows, warmup_table
from espalier_lab.experiments.launch import Family
from espalier_lab.experiments.warmup_rows import Own, Row, Times


def row(*ratios: float) -> Row:
    one = Row("rails:4x2 100mbit", "mpich5", "alltoall", 65536, 4, 300)
    for ratio in ratios:
        one.add(
            Times(3, 0.2, 1), Times(3 * ratio, 0.3, ratio), Own(0.1, 0.01, "ring, 290 calls; native, 10 calls"), 0.2
        )
    return one


def test_times_are_of_all_calls_of_the_first_and_of_the_last_third() -> None:
    found = warmup_rows.times_of([1.0] * 10 + [0.5] * 20)
    assert (found.all, found.first, found.last) == (20, 10, 5)


def test_a_row_is_slower_if_three_quarters_of_its_pairs_are_by_more_than_1_percent() -> None:
    assert row(1.02, 1.03, 1.02, 1.05, 0.9).is_slower
    assert not row(1.02, 1.03, 1.0, 1.0, 1.4).is_slower
    assert not row(1.01).is_slower


def test_the_table_names_what_was_chosen_and_marks_what_is_slower(capsys: pytest.CaptureFixture[str]) -> None:
    warmup_table.show([row(1.1, 1.1), row(0.9, 0.8)], Console(width=160))
    shown = capsys.readouterr().out
    assert "1.100*" in shown
    assert "ring 2/2" in shown
    assert "Slower: 1 of 2; faster by more than 1%: 1." in shown


def test_rows_are_read_as_they_were_written(tmp_path: Path) -> None:
    file = tmp_path / "warmup.json"
    file.write_text(json.dumps([asdict(row(1.0, 2.0))]))
    assert warmup_rows.read(file) == [row(1.0, 2.0)]
    with pytest.raises(Failure, match="does not exist"):
        warmup_rows.read(tmp_path / "other.json")


def test_what_is_there_at_all_sizes_is_not_measured_again() -> None:
    comparison = warmup.comparisons()[0]
    series = warmup.Series(comparison, Family.MPICH)
    rows = [Row(*warmup.key_of(series, size), 4, 300) for size in comparison.sizes]
    for one in rows:
        one.add(Times(1, 1, 1), Times(1, 1, 1), Own(0, 0, ""), 0)
    assert warmup.pairs_done(series, rows) == 1
    assert warmup.pairs_done(series, rows[1:]) == 0
