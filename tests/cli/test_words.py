# SPDX-License-Identifier: Apache-2.0
import pytest

from espalier.failure import Failure
from espalier.words import bytes_of, checked, listed


@pytest.mark.parametrize("given", ["a,b", ["a", "b"], ["a,b"], ["a,", "b"]])
def test_a_list_has_commas_or_is_given_word_by_word(given: str | list[str]) -> None:
    assert listed(given) == ["a", "b"]


def test_nothing_is_an_empty_list() -> None:
    assert listed(None) == listed("") == listed([]) == []


def test_an_unknown_word_is_refused_with_the_one_that_was_meant_or_with_all() -> None:
    assert checked("--collective", ["bcast"], ["bcast", "reduce"]) == ["bcast"]
    with pytest.raises(Failure, match=r"--collective bcats: unknown; did you mean bcast\?"):
        checked("--collective", ["bcast", "bcats"], ["bcast", "reduce"])
    with pytest.raises(Failure, match=r"unknown; allowed: bcast, reduce"):
        checked("--collective", ["zzz"], ["bcast", "reduce"])


def test_sizes_have_the_units_of_settings() -> None:
    assert [bytes_of("--bytes", text) for text in ("0", "8", "64KiB", "1MiB")] == [0, 8, 65536, 1 << 20]
    for wrong in ("64k", "", "-1", "1.5KiB"):
        with pytest.raises(Failure, match="not a size"):
            bytes_of("--bytes", wrong)
