# SPDX-License-Identifier: Apache-2.0
"""The library as it is built for use, in a program under valgrind's memcheck. An MPI has errors of its own, and so have
the libraries below it: those count in whose call stack a function of Espalier's stands."""

from __future__ import annotations

import shutil
import xml.etree.ElementTree as Xml
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import mpis
import pytest
from every_call.messages import RANKS as RANKS_OF_EVERY_CALL
from every_call.program import make_program
from every_call.programs import C
from own_algorithms import TURNS, own_algorithms

SOURCE = mpis.ROOT / "tests" / "sanitized" / "memcheck.c"
MPI = mpis.by_name("mpich4")
RANKS = 3


def own_functions(stack: Xml.Element) -> list[str]:
    """Espalier's functions in a stack, innermost first."""
    frames = [frame for frame in stack.iter("frame") if "/libespalier" in frame.findtext("obj", "")]
    return [frame.findtext("fn", "?") for frame in frames]


def is_own(error: Xml.Element) -> bool:
    """Not what happens inside the MPI's own MPI_Init, although Espalier calls that."""
    own = [functions[0] for functions in map(own_functions, error.iter("stack")) if functions]
    return any("entry_Init" not in innermost for innermost in own)


# The gaps of datatypes travel with long messages, whatever they hold. Who copies them, by which call, is a race.
CARRIES_GAPS = "Syscall param process_vm_writev(lvec[...]) points to uninitialised byte(s)"


def errors_in(report: Path) -> Iterator[str]:
    for error in Xml.parse(report).iter("error"):
        what = error.findtext("what") or error.findtext("xwhat/text") or ""
        if is_own(error) and what != CARRIES_GAPS:
            frames = [f"  {frame.findtext('fn')} ({frame.findtext('obj')})" for frame in error.iter("frame")]
            yield "\n".join([what, *frames])


@pytest.fixture
def valgrind(tmp_path: Path) -> list[str]:
    if reason := MPI.missing() or (None if shutil.which("valgrind") else "valgrind is not installed"):
        pytest.skip(reason)
    options = ["-q", "--leak-check=full", "--num-callers=40", "--xml=yes", f"--xml-file={tmp_path / 'rank-%p.xml'}"]
    return ["valgrind", *options]


def expect_no_errors(folder: Path, ranks: int) -> None:
    reports = list(folder.glob("rank-*.xml"))
    assert len(reports) == ranks
    assert [error for report in reports for error in errors_in(report)] == []


def test_no_memory_error_and_no_leak_is_found(valgrind: list[str], build: Path, tmp_path: Path) -> None:
    program = MPI.compile([SOURCE], tmp_path / "program", ["-ldl"])
    environment = {"LD_PRELOAD": build / "lib" / "libespalier.so"}
    settings = [own_algorithms(build, turn) for turn in TURNS]
    done = MPI.run(RANKS, [*valgrind, program, *settings], environment, timeout_seconds=240)
    assert done.stdout.count(": 0 wrong\n") == RANKS
    expect_no_errors(tmp_path, RANKS)


def test_nothing_is_found_while_every_call_is_made(valgrind: list[str], build: Path, tmp_path: Path) -> None:
    program = make_program(MPI, C, tmp_path)
    checked = replace(program, command=[*valgrind, *program.command])
    environment = {"LD_PRELOAD": build / "lib" / "libespalier.so", "ESPALIER_ALGORITHM": own_algorithms(build, 1)}
    checked.run(tmp_path, environment)
    expect_no_errors(tmp_path, RANKS_OF_EVERY_CALL)


@pytest.mark.parametrize(
    ("functions", "expected"),
    [
        (["MPIR_Wait", "espalier::entry_Bcast"], True),
        (["espalier::fold"], True),
        (["hwloc_init", "espalier::entry_Init"], False),
        (["espalier::start", "espalier::entry_Init"], True),
        (["MPIR_Wait", "main"], False),
    ],
)
def test_an_error_is_ours_by_its_call_stack(functions: list[str], expected: bool) -> None:
    def frame(name: str) -> str:
        library = "libespalier-mpich.so" if name.startswith("espalier::") else "libmpich.so.12"
        return f"<frame><obj>/usr/lib/{library}</obj><fn>{name}</fn></frame>"

    error = Xml.fromstring(f"<error><stack>{''.join(map(frame, functions))}</stack></error>")
    assert is_own(error) == expected
