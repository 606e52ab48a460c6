# SPDX-License-Identifier: Apache-2.0
"""Networks of a lab, found by a real MPI's messages over links that are shaped."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import labs
import mpis
import pytest

NETWORKS = ["torus:3", "rails:4x2"]
MORE_NETWORKS = ["torus:3x3", "leafspine:2x4", "sites:3+3", "mesh:3x3"]
THOROUGH = bool(os.environ.get("THOROUGH_TESTS"))
TIMEOUT_SECONDS = 400


@pytest.mark.parametrize("network", NETWORKS + MORE_NETWORKS if THOROUGH else NETWORKS)
def test_what_is_found_in_a_lab_is_what_is_there(network: str, build: Path, tmp_path: Path) -> None:
    labs.skip_unless_allowed()
    if mpis.by_name("openmpi5").missing():
        pytest.skip("Open MPI 5 is not installed")
    row = discovered(network, build, tmp_path)
    if row["found_kind"] != row["kind"]:
        row = discovered(network, build, tmp_path)  # others may have kept the processors
    assert row["found_kind"] == row["kind"]
    assert (row["links_right"], row["links_wrong"]) == (row["links"], 0)
    assert (row["pairs_right"], row["found_nics"]) == (1, row["nics"])
    assert row["choices"] == 9
    found = next((tmp_path / "discover").glob("*.toml"))
    assert "ESPALIER_TOPOLOGY" in found.read_text(encoding="utf-8")


def discovered(network: str, build: Path, results: Path) -> dict[str, Any]:
    words = ["lab", "discover", "--network", network, "--mpi", "openmpi", "--results", str(results)]
    done = subprocess.run(
        [str(mpis.ROOT / "espalier"), "--build", str(build), *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=TIMEOUT_SECONDS,
        env={**os.environ, "XDG_CACHE_HOME": str(results)},
    )
    if "too busy" in done.stdout:
        pytest.skip("this machine is too busy to measure")
    assert done.returncode == 0, done.stdout + done.stderr
    (row,) = json.loads((results / "discover.json").read_text(encoding="utf-8"))
    return dict(row)
