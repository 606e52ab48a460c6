# SPDX-License-Identifier: Apache-2.0
"""The check of what is global (tools/check_globals.py), on made projects."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

PAGE = """\
# How a call travels

## What is global

| name | file | whose |
|---|---|---|
| `context` | `mpi/context.cpp` | the library's |
| `requests()` | `mpi/requests.hpp` | the MPI's progress |

## When something goes wrong

| `nothing` | `mpi/none.cpp` | |
"""

GOOD = {
    "mpi/context.cpp": "namespace {\nContext* context = nullptr;\n}\n",
    "mpi/requests.hpp": "inline Requests& requests() {\n  static auto& all = *new Requests;\n  return all;\n}\n",
}


def said_of(folder: Path, source: str, page: str = PAGE) -> list[str]:
    """The complaints about a project with one more source."""
    sources = {f"src/{name}": text for name, text in (GOOD | {"engine/run.cpp": source}).items()}
    for name, text in {"docs/explanation/how-a-call-travels.md": page, **sources}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    check = [sys.executable, str(ROOT / "tools" / "check_globals.py"), str(folder)]
    run = subprocess.run(check, capture_output=True, text=True, check=False)
    assert run.returncode == (1 if run.stdout else 0)
    assert run.stderr == ""
    return run.stdout.splitlines()


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("int runs = 0;\n", "runs"),
        ("namespace {\nthread_local std::vector<Run> runs;\n}\n", "runs"),
        ("constinit std::atomic<int> runs{0};\n", "runs"),
        ("const char* text = nullptr;\n", "text"),
        ("void (*hook)(int) = nullptr;\n", "hook"),
        ("struct Run {\n  static inline int runs = 0;\n};\n", "runs"),
        ("alignas(64) int runs[4] = {};\n", "runs"),
    ],
)
def test_a_variable_of_a_namespace_or_class_is_found_by_name(tmp_path: Path, source: str, name: str) -> None:
    (said,) = said_of(tmp_path, source)
    assert said.startswith("src/engine/run.cpp:")
    assert f"`{name}` is global" in said


def test_a_static_variable_of_a_function_is_found_with_its_function(tmp_path: Path) -> None:
    (said,) = said_of(tmp_path, "int& Run::count(int by) {\n  static std::once_flag once;\n  return by;\n}\n")
    assert "`once` of count() is global" in said


@pytest.mark.parametrize(
    "source",
    [
        "constexpr int most = 3;\nconst std::vector<int> sizes = {1, 2};\nconst char* const text = nullptr;\n",
        "int run(int count);\nextern int runs;\nusing Runs = std::vector<int>;\nclass Run;\nfriend class Runs;\n",
        "struct Run {\n  int count = 0;\n  static int most(int of);\n  static constexpr int least = 1;\n};\n",
        "template <>\nstruct Run<int> : Base<2> {};\ntemplate <class T>\nconcept Runs = requires(T t) { t.run(); };\n",
        "int run() {\n  int count = 0;\n  static const int most = f();\n  return count;\n}\n",
    ],
)
def test_constants_declarations_members_and_locals_are_not_global(tmp_path: Path, source: str) -> None:
    assert said_of(tmp_path, source) == []


def test_what_is_listed_but_gone_is_to_be_taken_out(tmp_path: Path) -> None:
    page = PAGE.replace("| `context` |", "| `context`, `old` |").replace(
        "`mpi/requests.hpp`", "`mpi/requests.hpp`, `mpi/old.cpp`"
    )
    old, file = said_of(tmp_path, "", page)
    assert "`old` stands in the tables" in old
    assert "`mpi/old.cpp` stands in the tables" in file
