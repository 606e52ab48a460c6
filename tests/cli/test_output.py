# SPDX-License-Identifier: Apache-2.0
import pytest
from espalier import output


@pytest.mark.parametrize(
    ("count", "text"), [(0, "0 B"), (8, "8 B"), (1023, "1023 B"), (1024, "1 KiB"), (1536, "1.5 KiB"), (2**30, "1 GiB")]
)
def test_sizes_have_units(count: int, text: str) -> None:
    assert output.bytes_text(count) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(None, "-"), (2.5e-7, "250 ns"), (9.996e-7, "1 us"), (1.5e-5, "15 us"), (0.0123, "12.3 ms"), (61.5, "61.5 s")],
)
def test_times_have_three_digits_and_a_unit(seconds: float | None, text: str) -> None:
    assert output.seconds_text(seconds) == text


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [(0, 0, "0 B"), (8, 15, "8 - 16 B"), (512, 1023, "512 B - 1 KiB"), (524288, 1048575, "512 KiB - 1 MiB")],
)
def test_a_size_class_ends_where_the_next_one_begins(low: int, high: int, text: str) -> None:
    assert output.size_class_text(low, high) == text


def test_words_are_plural_unless_there_is_one() -> None:
    assert output.plural(1, "rank") == "1 rank"
    assert output.plural(1200, "rank") == "1,200 ranks"
