# SPDX-License-Identifier: Apache-2.0
"""Programs that are built with AddressSanitizer, under each MPI, with nothing but Espalier preloaded."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from every_call.coverage import why_passed_on
from every_call.program import make_program
from every_call.programs import C
from mpis import Mpi, checked, matrix
from own_algorithms import own_algorithms

EVERY_MPI = ("openmpi5", "mpich5", "mpich5-abi", "openmpi4", "mpich4")
OVERRUN = "#include <stdlib.h>\nint main(int n, char** v) { char* p = malloc(8); p[7 + n] = 1; free(p); return 0; }\n"


@pytest.mark.parametrize("mpi", matrix(EVERY_MPI))
def test_program_runs_on_own_schedules(mpi: Mpi, build: Path, tmp_path: Path) -> None:
    program = make_program(mpi, replace(C, flags=("-fsanitize=address",)), tmp_path)
    environment = {
        "LD_PRELOAD": build / "lib" / "libespalier.so",
        "ASAN_OPTIONS": "detect_leaks=0",  # the MPI's own would be counted
        "ESPALIER_ALGORITHM": own_algorithms(build),
    }
    own = program.run(tmp_path, environment)
    for function in program.functions:
        assert set(own[function.name]) == {0 if why_passed_on(mpi.name, function) else 1}, function.name


@pytest.mark.parametrize("runtime", ["shared", "static"])
def test_errors_of_the_program_are_still_found(build: Path, tmp_path: Path, runtime: str) -> None:
    source, program = tmp_path / "overrun.c", tmp_path / "overrun"
    source.write_text(OVERRUN)
    flags = ["-fsanitize=address", *(["-static-libasan"] if runtime == "static" else [])]
    checked(["gcc", *flags, "-w", "-o", str(program), str(source)])
    preload = build / "lib" / "libespalier.so"
    done = checked(["env", f"LD_PRELOAD={preload}", "ASAN_OPTIONS=detect_leaks=0", str(program)], check=False)
    assert done.returncode != 0
    assert "heap-buffer-overflow" in done.stderr
