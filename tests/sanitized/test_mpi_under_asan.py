# SPDX-License-Identifier: Apache-2.0
"""The library for a real MPI, with address and undefined-behaviour sanitizers in it, under a program without them."""

from pathlib import Path

import mpis
import pytest
from every_call.program import make_program
from every_call.programs import C
from own_algorithms import TURNS, own_algorithms

SOURCE = mpis.ROOT / "tests" / "apps" / "interception" / "collectives.c"
MPI = mpis.by_name("mpich5")


def environment_of(build: Path, turn: int) -> dict[str, str | Path]:
    preload = [*map(mpis.library_of_compiler, ("libasan.so", "libubsan.so")), str(build / "lib" / "libespalier.so")]
    return {
        "LD_PRELOAD": ":".join(preload),
        "ASAN_OPTIONS": "detect_leaks=0",  # the MPI's own would be counted
        "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
        "ESPALIER_ALGORITHM": own_algorithms(build, turn),
    }


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if reason := MPI.missing():
        pytest.skip(reason)
    return MPI.compile([SOURCE], tmp_path_factory.mktemp("asan") / "collectives")


@pytest.mark.parametrize("ranks", [3, 5])
@pytest.mark.parametrize("turn", TURNS)
def test_nothing_is_found_while_collectives_run_on_own_schedules(
    build: Path, program: Path, turn: int, ranks: int
) -> None:
    done = MPI.run(ranks, [program], environment_of(build, turn))
    assert done.stdout.count(" 0 wrong") == ranks
    assert done.stderr == ""


def test_nothing_is_found_while_every_call_is_made(build: Path, tmp_path: Path) -> None:
    if reason := MPI.missing():
        pytest.skip(reason)
    program = make_program(MPI, C, tmp_path)
    for turn in TURNS:
        own = program.run(tmp_path, environment_of(build, turn))
        assert {runs for each in own.values() for runs in each} == {1}
