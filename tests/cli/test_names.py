# SPDX-License-Identifier: Apache-2.0
"""The check that a name stands for one type (tools/check_names.py), on made projects."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

GOOD = {
    "core/message.hpp": "struct Message {\n  enum class Kind { first };\n  int bytes = 0;\n};\n",
    "core/message.cpp": '#include "core/message.hpp"\n\nMessage make_message() { return Message{.bytes = 1}; }\n',
}


def said_of(folder: Path, changes: Mapping[str, str]) -> list[str]:
    """The complaints about a project, whose sources are the good ones with some changes."""
    for name, text in (GOOD | changes).items():
        path = folder / "src" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    check = [sys.executable, str(ROOT / "tools" / "check_names.py"), str(folder)]
    run = subprocess.run(check, capture_output=True, text=True, check=False)
    assert run.returncode == (1 if run.stdout else 0)
    assert run.stderr == ""
    return run.stdout.splitlines()


def test_types_with_names_of_their_own_are_right(tmp_path: Path) -> None:
    assert said_of(tmp_path, {"engine/run.hpp": "class Run : Base<Message> {};\n"}) == []


@pytest.mark.parametrize(
    "doubled",
    [
        "struct Message {};\n",
        "namespace {\nclass Message final : public Base {};\n}\n",
        "struct Envelope {\n  struct Message { int tag; };\n};\n",
        "enum class Message : int { empty };\n",
        "using Message = int;\n",
        "template <class T>\nusing Message = std::vector<T>;\n",
        "template <class T>\n  requires(sizeof(T) > 1)\nstruct [[nodiscard]] Message {};\n",
        "class Run::Message {};\n",
    ],
)
def test_a_name_of_two_types_is_found_with_both_places(tmp_path: Path, doubled: str) -> None:
    (said,) = said_of(tmp_path, {"engine/run.cpp": doubled})
    assert said.startswith("Message: several types have this name (src/core/message.hpp:1, src/engine/run.cpp:")


@pytest.mark.parametrize(
    "harmless",
    [
        "struct Message;\nclass Run { friend class Message; };\n",
        "using Message = core::Message;\n",
        "void run() {\n  struct Message {};\n}\n",
        '// struct Message {};\nconst char* text = "struct Message {";\n',
        "enum Message make(struct Message* one) { return *one; }\n",
        "struct Message global{};\n",
    ],
)
def test_declarations_and_types_of_functions_count_as_none(tmp_path: Path, harmless: str) -> None:
    assert said_of(tmp_path, {"engine/run.cpp": harmless}) == []


def test_nested_kinds_may_share_their_name_but_no_others(tmp_path: Path) -> None:
    assert said_of(tmp_path, {"engine/run.hpp": "struct Run {\n  enum class Kind { a };\n};\n"}) == []
    (said,) = said_of(tmp_path, {"engine/run.hpp": "enum class Kind { a };\n"})
    assert said.startswith("Kind: several types have this name")
