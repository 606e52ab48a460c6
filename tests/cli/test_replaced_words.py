# SPDX-License-Identifier: Apache-2.0
import importlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def check_words() -> Iterator[ModuleType]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "tools")
        yield importlib.import_module("check_words")


RULES = r"""# words
keep under way
usual => default
ways? => route
doors? => listener | src/
so many(?! as\b) => this many
"""


def words_in(check_words: ModuleType, text: str, path: str = "src/a.cpp") -> list[str]:
    return [found.word for found in check_words.findings_in(text, path, check_words.rules_in(RULES))]


def test_a_word_is_found_in_prose_and_as_a_part_of_names(check_words: ModuleType) -> None:
    text = "int usual_radix = isUsual; // By which ways.\nclass WayThere {};"
    assert words_in(check_words, text) == ["usual", "Usual", "ways", "Way"]


def test_a_part_of_another_word_is_not_found(check_words: ModuleType) -> None:
    assert words_in(check_words, "always unusual doorstep") == []


def test_phrases_that_are_kept_are_not_found(check_words: ModuleType) -> None:
    assert words_in(check_words, "is_under_way(); // What is under way.") == []
    assert words_in(check_words, "so many as there are, so many") == ["so many"]


def test_a_word_may_be_replaced_in_some_files_alone(check_words: ModuleType) -> None:
    assert words_in(check_words, "a door", "src/a.cpp") == ["door"]
    assert words_in(check_words, "a door", "docs/a.md") == []


def test_a_line_of_no_known_form_is_refused(check_words: ModuleType) -> None:
    with pytest.raises(ValueError, match="neither `keep TEXT`"):
        check_words.rules_in("usual: default")


def test_no_replaced_word_stands_in_the_checkout(check_words: ModuleType) -> None:
    assert check_words.complaints(ROOT) == []
