# SPDX-License-Identifier: Apache-2.0
"""The library for a real MPI, with address and undefined-behaviour sanitizers in it, under a program without them."""

from pathlib import Path

import mpis
import pytest

SOURCE = mpis.ROOT / "tests" / "apps" / "interception" / "collectives.c"
SETTINGS = (
    "bcast:chain,segment=512;reduce:in_order;allreduce:ring,segment=256,window=2;barrier:dissemination",
    "bcast:circulant,segment=1KiB;reduce:rabenseifner;allreduce:tree,segment=512;barrier:dissemination",
    "bcast:scatter_allgather;reduce:binary,segment=1KiB;allreduce:rabenseifner;barrier:dissemination",
    "bcast:knomial,radix=3;reduce:chain,segment=512;allreduce:recursive_doubling;barrier:native",
)
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
