# SPDX-License-Identifier: Apache-2.0
"""The library for a real MPI, with address and undefined-behaviour sanitizers in it, under a program without them."""

from pathlib import Path

import mpis
import pytest
from own_schedules import SETTINGS

SOURCE = mpis.ROOT / "tests" / "apps" / "interception" / "collectives.c"
MPI = mpis.by_name("mpich5")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if reason := MPI.missing():
        pytest.skip(reason)
    return MPI.compile([SOURCE], tmp_path_factory.mktemp("asan") / "collectives")


@pytest.mark.parametrize("ranks", [3, 5])
@pytest.mark.parametrize("setting", SETTINGS)
def test_nothing_is_found_while_collectives_run_on_own_schedules(
    build: Path, program: Path, setting: str, ranks: int
) -> None:
    preload = [*map(mpis.library_of_compiler, ("libasan.so", "libubsan.so")), str(build / "lib" / "libespalier.so")]
    environment = {
        "LD_PRELOAD": ":".join(preload),
        "ASAN_OPTIONS": "detect_leaks=0",  # the MPI's own would be counted
        "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
        "ESPALIER_ALGORITHM": setting,
    }
    done = MPI.run(ranks, [program], environment)
    assert done.stdout.count(" 0 wrong") == ranks
    assert done.stderr == ""
