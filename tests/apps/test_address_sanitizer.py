# SPDX-License-Identifier: Apache-2.0
"""Programs that are built with AddressSanitizer, under each MPI, with nothing but Espalier preloaded."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from mpis import ROOT, Mpi, checked, matrix

PROGRAMS = ROOT / "tests" / "apps" / "interception"
EVERY_MPI = ("openmpi5", "mpich5", "mpich5-abi", "openmpi4", "mpich4")
OWN = "bcast:knomial;reduce:binomial;allreduce:recursive_doubling;barrier:dissemination"
RANKS = 2
OVERRUN = "#include <stdlib.h>\nint main(int n, char** v) { char* p = malloc(8); p[7 + n] = 1; free(p); return 0; }\n"


@pytest.mark.parametrize("mpi", matrix(EVERY_MPI))
def test_program_runs_on_own_schedules(mpi: Mpi, build: Path, tmp_path: Path) -> None:
    program = mpi.compile([PROGRAMS / "collectives.c"], tmp_path / "program", ["-fsanitize=address"])
    report = tmp_path / "report.json"
    environment = {
        "LD_PRELOAD": build / "lib" / "libespalier.so",
        "ASAN_OPTIONS": "detect_leaks=0",  # the MPI's own would be counted
        "ESPALIER_ALGORITHM": OWN,
        "ESPALIER_REPORT": report,
    }
    done = mpi.run(RANKS, [program], environment)
    assert done.stdout.count(": 0 wrong\n") == RANKS
    assert "ASan" not in done.stderr
    algorithms = {row["algorithm"] for row in json.loads(report.read_text())["rows"]}
    assert algorithms == {choice.split(":")[1] for choice in OWN.split(";")}


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
