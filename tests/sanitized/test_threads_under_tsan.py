# SPDX-License-Identifier: Apache-2.0
"""Threads of a real MPI program on communicators of their own, program and library with the thread sanitizer."""

import json
from pathlib import Path

import mpis
import pytest

MPI = mpis.by_name("mpich5")


def test_no_race_is_found_between_threads_on_several_communicators(build: Path, tmp_path: Path) -> None:
    if reason := MPI.missing():
        pytest.skip(reason)
    environment = {
        "UCX_MEM_EVENTS": "n",  # the MPI's hooks into malloc run before the sanitizer is ready
        "UCX_MEM_MMAP_HOOK_MODE": "none",
        "LD_PRELOAD": f"{mpis.library_of_compiler('libtsan.so')}:{build / 'lib' / 'libespalier.so'}",
        # The MPI is not compiled with the sanitizer, which therefore does not see what orders its own accesses.
        "TSAN_OPTIONS": f"ignore_noninstrumented_modules=1:report_bugs=1:log_path={tmp_path / 'race'}",
    }
    done = MPI.run(2, [build / "bin" / "stress-threads-mpich5", "20", "60"], environment, timeout_seconds=240)
    facts = json.loads(done.stdout.strip().splitlines()[-1])
    assert facts["failures"] == 0
    assert facts["own"] > facts["calls"] / 2
    assert [path.read_text() for path in tmp_path.glob("race*")] == []
