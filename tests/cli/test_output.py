# SPDX-License-Identifier: Apache-2.0
import io

import pytest
from rich.console import Console

from espalier import output, units


def shown(table: output.Table, width: int) -> list[str]:
    console = Console(width=width, file=io.StringIO(), record=True)
    console.print(table)
    return console.export_text().splitlines()


def test_a_table_fits_the_width_and_breaks_no_word() -> None:
    table = output.table("Name", "Count", "Description", right=("Count",))
    table.add_row("allreduce:trinaryx3_fused", "1,234,567", "up and down as many link-disjoint trees as there are axes")
    for width in (80, 60, 53):
        lines = shown(table, width)
        assert max(map(len, lines)) <= width
        words = " ".join(lines).split()
        assert {"allreduce:trinaryx3_fused", "1,234,567", "link-disjoint"} <= set(words)
        assert lines[2].index("1,234,567") == lines[0].index("Count") - 4


def test_a_table_that_is_too_wide_puts_the_last_column_below_each_row() -> None:
    table = output.table("Ran as", "Why")
    table.add_row("recursive_doubling", "ESPALIER_REPRODUCIBLE=native: its order shows in the bits")
    assert [line.rstrip() for line in shown(table, 42)] == [
        "Ran as",
        "    Why",
        "─" * 18,
        "recursive_doubling",
        "    ESPALIER_REPRODUCIBLE=native: its",
        "    order shows in the bits",
    ]


def test_as_many_columns_go_below_as_have_no_room() -> None:
    table = output.table("Name", "Ran as", "Why")
    table.add_row("a" * 20, "b" * 20, "c" * 20)
    assert [line for line, _ in table.lines(50, "-")][3:] == [f"{'a' * 20}  {'b' * 20}", "    " + "c" * 20]
    assert [line for line, _ in table.lines(30, "-")][3:] == ["a" * 20, "    " + "b" * 20, "    " + "c" * 20]


def test_a_word_longer_than_a_line_stays_whole() -> None:
    table = output.table("MPI", "Launcher")
    table.add_row("Open MPI", "/" + "x" * 100)
    terminal = output.Terminal(width=80, file=io.StringIO())
    terminal.print(table)
    assert "/" + "x" * 100 in terminal.file.getvalue()


def test_control_characters_are_shown_and_not_sent() -> None:
    terminal = output.Terminal(width=80, file=io.StringIO(), markup=False)
    table = output.table("Node\x1b[2J")
    table.add_row("a\nb\x9b\x7f")
    terminal.print("title \x1b]0;x\x07 [bold] \udcff\nnext")
    terminal.print(table)
    text = terminal.file.getvalue()
    assert "title \\x1b]0;x\\x07 [bold] \\xff\nnext\n" in text
    assert "a\\x0ab\\x9b\\x7f" in text
    assert all(letter == "\n" or letter.isprintable() for letter in text)


@pytest.mark.parametrize(
    ("count", "text"), [(0, "0 B"), (8, "8 B"), (1023, "1023 B"), (1024, "1 KiB"), (1536, "1.5 KiB"), (2**30, "1 GiB")]
)
def test_sizes_have_units(count: int, text: str) -> None:
    assert units.bytes_text(count) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(None, "-"), (2.5e-7, "250 ns"), (9.996e-7, "1 us"), (1.5e-5, "15 us"), (0.0123, "12.3 ms"), (61.5, "61.5 s")],
)
def test_times_have_three_digits_and_a_unit(seconds: float | None, text: str) -> None:
    assert units.seconds_text(seconds) == text


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [(0, 0, "0 B"), (8, 15, "8 - 16 B"), (512, 1023, "512 B - 1 KiB"), (524288, 1048575, "512 KiB - 1 MiB")],
)
def test_a_size_class_ends_where_the_next_one_begins(low: int, high: int, text: str) -> None:
    assert units.size_class_text(low, high) == text


def test_words_are_plural_unless_there_is_one() -> None:
    assert units.plural(1, "rank") == "1 rank"
    assert units.plural(1200, "rank") == "1,200 ranks"
