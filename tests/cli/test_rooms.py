# SPDX-License-Identifier: Apache-2.0
"""The check of which rooms of src may include which (tools/check_rooms.py), on made projects."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

TABLE = """\
# Rooms

| Room | What is there | Brings |
|---|---|---|
| `core/` | Words | |
| `shapes/*/` | One kind of shapes | |
| `engine/` | Runs | |
| `mpi/` | With an MPI | `<mpi.h>` `<rdma/>` |
"""

GOOD = {
    "core/types.hpp": "#pragma once\n#include <vector>\n",
    "core/types.cpp": '#include "core/types.hpp"\n',
    "shapes/trees/tree.hpp": '#include "core/types.hpp"\n',
    "shapes/rings/ring.hpp": '#include "core/types.hpp"\n',
    "engine/run.hpp": '#include "shapes/rings/ring.hpp"\n#include "generated.hpp"\n',
    "mpi/call.cpp": '#include <mpi.h>\n#include <rdma/fabric.h>\n#include "engine/run.hpp"\n',
}


def said_of(folder: Path, changes: Mapping[str, str], table: str = TABLE) -> list[str]:
    """The complaints about a project, whose sources are the good ones with some changes."""
    sources = {f"src/{name}": text for name, text in (GOOD | changes).items()}
    for name, text in {"docs/reference/rooms.md": table, **sources}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    check = [sys.executable, str(ROOT / "tools" / "check_rooms.py"), str(folder)]
    run = subprocess.run(check, capture_output=True, text=True, check=False)
    assert run.returncode == (1 if run.stdout else 0)
    assert run.stderr == ""
    return run.stdout.splitlines()


def test_includes_of_the_same_room_and_of_those_before_it_are_right(tmp_path: Path) -> None:
    assert said_of(tmp_path, {}) == []


def test_a_cycle_of_two_rooms_is_found_by_file_and_line_with_what_to_do(tmp_path: Path) -> None:
    (said,) = said_of(tmp_path, {"core/types.cpp": '#include "core/types.hpp"\n\n#include "engine/run.hpp"\n'})
    assert said.startswith('src/core/types.cpp:3: includes "engine/run.hpp", but engine/ does not stand before core/')
    assert "move what is needed into a room before core/" in said


def test_rooms_of_one_line_do_not_look_into_each_other(tmp_path: Path) -> None:
    (said,) = said_of(tmp_path, {"shapes/trees/tree.hpp": '  #  include "shapes/rings/ring.hpp"\n'})
    assert "shapes/rings/ does not stand before shapes/trees/" in said


def test_a_header_is_also_found_next_to_the_file(tmp_path: Path) -> None:
    changes = {"core/inner.hpp": "", "core/types.cpp": '#include "inner.hpp"\n#include "../engine/run.hpp"\n'}
    (said,) = said_of(tmp_path, changes)
    assert "src/core/types.cpp:2:" in said


@pytest.mark.parametrize("header", ["mpi.h", "rdma/fi_rma.h"])
def test_no_room_includes_what_only_a_later_one_knows(tmp_path: Path, header: str) -> None:
    (said,) = said_of(tmp_path, {"engine/run.hpp": f"#include <{header}>\n"})
    assert said.startswith(f"src/engine/run.hpp:1: includes <{header}>, which no room before mpi/ knows")


def test_a_folder_needs_a_line_and_a_line_needs_a_folder(tmp_path: Path) -> None:
    new, stale = said_of(tmp_path, {"attic/old.cpp": ""}, TABLE + "| `cellar/` | Nothing | |\n")
    assert new.startswith("src/attic: no room of docs/reference/rooms.md; give it a line there")
    assert stale.startswith("docs/reference/rooms.md:9: there are no files in src/cellar")


def test_a_room_that_holds_too_much_is_to_be_divided(tmp_path: Path) -> None:
    assert said_of(tmp_path, {f"engine/{number}.cpp": "" for number in range(24)}) == []
    (said,) = said_of(tmp_path, {"engine/24.cpp": ""})
    assert said.startswith("src/engine: 26 files")
