# SPDX-License-Identifier: Apache-2.0
"""The program that measures in a lab, on this machine alone: every result that it gets is right."""

import json
import subprocess
from pathlib import Path

import mpis
import pytest
from espalier import functions


def measured(build: Path, mpi: str, *words: str) -> list[dict[str, object]]:
    family = mpis.by_name(f"{mpi}5")
    program = build / "bin" / f"espalier-bench-network-{mpi}5"
    if not program.exists() or family.missing():
        pytest.skip(f"{mpi} 5 is not installed")
    launcher = [str(family.launcher), *family.options, "-n", "3", str(program), *words]
    run = [str(mpis.ROOT / "espalier"), "--build", str(build), "run", "--", *launcher]
    done = subprocess.run(run, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    rows: list[dict[str, object]] = json.JSONDecoder().raw_decode(done.stdout[done.stdout.index("{") :])[0]["rows"]
    return rows


@pytest.mark.parametrize("mpi", ["openmpi", "mpich"])
@pytest.mark.parametrize("function", functions.COLLECTIVES)
def test_every_function_is_right_alone_and_in_trains(build: Path, mpi: str, function: str) -> None:
    variants = "native;forced:*;espalier;espalier:*"
    words = ("--collective", function, "--bytes", "8,4096", "--variants", variants, "--repeats", "1")
    rows = measured(build, mpi, *words)
    for size in (8, 4096):
        found = {row["variant"] for row in rows if row["bytes"] == size}
        assert {"native", "espalier"} <= found
        assert any(str(variant).startswith("espalier:") for variant in found)
