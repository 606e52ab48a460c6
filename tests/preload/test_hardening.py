# SPDX-License-Identifier: Apache-2.0
"""What is loaded into other people's programs, and the tool that reads their files, are hardened against attacks."""

from __future__ import annotations

import platform
import re
from pathlib import Path

import pytest
from mpis import checked

FILES = (
    "lib/libespalier.so",
    *(f"lib/libespalier-{mpi}.so" for mpi in ("openmpi", "mpich", "abi")),
    "bin/espalier-tool",
)


@pytest.fixture(params=FILES)
def file(request: pytest.FixtureRequest, build: Path) -> Path:
    path: Path = build / request.param
    if not path.exists():
        pytest.skip(f"{path.name} was not built: its MPI was not there then")
    return path


def readelf(option: str, file: Path) -> str:
    return checked(["readelf", "-W", option, str(file)]).stdout


def test_tables_of_functions_are_read_only_once_it_is_loaded(file: Path) -> None:
    assert "GNU_RELRO" in readelf("-l", file)
    assert re.search(r"FLAGS_1.*\bNOW\b", readelf("-d", file))


def test_nothing_is_both_writable_and_executable(file: Path) -> None:
    segments = re.findall(r"^  (\w+) +(?:0x\w+ +){5}([RWE ]{3}) ", readelf("-l", file), re.MULTILINE)
    assert "GNU_STACK" in dict(segments)
    assert [name for name, flags in segments if "W" in flags and "E" in flags] == []
    assert "TEXTREL" not in readelf("-d", file)


def test_it_can_be_loaded_anywhere(file: Path) -> None:
    assert re.search(r"Type:\s+DYN", readelf("-h", file))


def test_overruns_of_the_stack_and_of_c_buffers_are_noticed(file: Path) -> None:
    functions = set(re.findall(r" UND (\w+)", readelf("--dyn-syms", file)))
    assert "__stack_chk_fail" in functions
    assert any(re.fullmatch(r"__\w+_chk", name) for name in functions)


@pytest.mark.skipif(platform.machine() != "x86_64", reason="another processor has other instructions for it")
def test_functions_begin_with_a_mark_that_indirect_jumps_must_meet(file: Path) -> None:
    code = checked(["objdump", "-d", "--no-show-raw-insn", "-j", ".text", str(file)]).stdout
    firsts = dict(re.findall(r"^\w+ <(\w+)>:\n +\w+:\s+(\w+)", code, re.MULTILINE))
    reachable = {name: first for name, first in firsts.items() if re.fullmatch(r"P?MPI_\w+|espalier_\w+|main", name)}
    assert reachable
    assert set(reachable.values()) == {"endbr64"}
