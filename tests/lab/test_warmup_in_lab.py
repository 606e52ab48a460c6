# SPDX-License-Identifier: Apache-2.0
"""First calls on fresh communicators over shaped links: natively and under Espalier, and gone on with."""

import json
import subprocess
from pathlib import Path

import labs
import mpis
import pytest

TIMEOUT_SECONDS = 120


@pytest.mark.parametrize("mpi", ["openmpi", "mpich"])
def test_pairs_are_measured_and_gone_on_with(mpi: str, build: Path, tmp_path: Path) -> None:
    labs.skip_unless_allowed()
    if mpis.by_name(f"{mpi}5").missing():
        pytest.skip(f"{mpi} 5 is not installed")
    words = ["lab", "warmup", "--network", "mesh:2x3", "--mpi", mpi, "--collective", "alltoall", "--bytes", "8,4KiB"]
    words += ["--calls", "12", "--results", str(tmp_path)]
    for pairs in (1, 2):
        done = subprocess.run(
            [str(mpis.ROOT / "espalier"), "--build", str(build), *words, "--pairs", str(pairs), "--resume"],
            capture_output=True,
            text=True,
            check=False,
            timeout=TIMEOUT_SECONDS,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        rows = json.loads((tmp_path / "warmup.json").read_text())
        assert sorted((row["bytes"], row["ranks"], len(row["native_s"])) for row in rows) == [
            (8, 5, pairs),
            (4096, 5, pairs),
        ]
        assert all("12 calls" in text for row in rows for text in row["chosen"])
    assert len(list((tmp_path / "warmup").glob("*.json"))) == 2
