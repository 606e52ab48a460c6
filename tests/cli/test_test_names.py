# SPDX-License-Identifier: Apache-2.0
"""The check of how tests are named (tools/check_test_names.py), on made projects."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

GOOD = {
    "tests/a_test.cpp": "TEST(Wheel, turns_when_pushed) {}\nTEST_P(\n    Axle, holds_two_wheels) {}\n",
    "tests/deep/test_b.py": "def test_a_wheel_turns() -> None: ...\ndef helper() -> None: ...\n",
    "src/c.cpp": "TEST(Wheel, Turns) {}\n",
}


def said_of(folder: Path, changes: Mapping[str, str], *options: str) -> list[str]:
    """The complaints about a project, whose tests are the good ones with some changes."""
    for name, text in {**GOOD, **changes}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    check = [sys.executable, str(ROOT / "tools" / "check_test_names.py"), str(folder), *options]
    run = subprocess.run(check, capture_output=True, text=True, check=False)
    assert run.returncode == (1 if run.stdout else 0)
    assert run.stderr == ""
    return run.stdout.splitlines()


def test_sentences_in_snake_case_are_right(tmp_path: Path) -> None:
    assert said_of(tmp_path, {}) == []


def test_a_name_in_camel_case_is_wrong(tmp_path: Path) -> None:
    [said] = said_of(tmp_path, {"tests/x_test.cpp": "\nTEST_F(Wheel,\n       TurnsWhenTheMpiPushes) {}\n"})
    assert said == (
        "tests/x_test.cpp:3: test TurnsWhenTheMpiPushes is not in snake_case; write turns_when_the_mpi_pushes"
    )


def test_a_name_of_two_words_is_wrong_in_both_languages(tmp_path: Path) -> None:
    changes = {"tests/x_test.hpp": "TYPED_TEST(Wheel, turns_round) {}\n", "tests/test_x.py": "def test_turns(): ...\n"}
    said = said_of(tmp_path, changes)
    assert [line.split(" is ")[0] for line in said] == [
        "tests/test_x.py:1: test turns",
        "tests/x_test.hpp:1: test turns_round",
    ]


def test_fix_writes_snake_case_and_leaves_the_rest(tmp_path: Path) -> None:
    source = "TEST(Wheel, HoldsFor30Turns) {}\nTEST(Wheel, TurnsRound) {}\nvoid HoldsFor30Turns();\n"
    said = said_of(tmp_path, {"tests/x_test.cpp": source}, "--fix")
    assert (tmp_path / "tests/x_test.cpp").read_text() == (
        "TEST(Wheel, holds_for_30_turns) {}\nTEST(Wheel, turns_round) {}\nvoid HoldsFor30Turns();\n"
    )
    assert [line.split(" is ")[0] for line in said] == ["tests/x_test.cpp:2: test turns_round"]


def test_fix_makes_no_two_tests_the_same(tmp_path: Path) -> None:
    source = "TEST(Wheel, TurnsTwiceRound) {}\nTEST(Wheel, turns_twice_round) {}\n"
    assert len(said_of(tmp_path, {"tests/x_test.cpp": source}, "--fix")) == 1
    assert (tmp_path / "tests/x_test.cpp").read_text() == source
