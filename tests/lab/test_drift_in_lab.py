# SPDX-License-Identifier: Apache-2.0
"""Links of a lab that become slower between two jobs: the second one names the calls that take longer. It takes a
machine with processors to spare, so it runs with THOROUGH_TESTS alone."""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import labs
import mpis
import pytest
from drawn import IS_THOROUGH

from espalier.drift import history
from espalier_lab.network import namespaces, session
from espalier_lab.network.plan import Plan
from espalier_lab.network.spec import Options

pytestmark = pytest.mark.skipif(not IS_THOROUGH, reason="runs with THOROUGH_TESTS alone")

TIMEOUT_SECONDS = 180
NETWORK, RATE_BITS, SLOWER = "rails:4x1", 100e6, 8
MOST_WAITED = 0.05  # for a processor: what takes longer may have that cause
CALLS = ["--series", "60", "--bytes", "65536,262144", "--variants", "espalier", "--numbers", "whole"]


@pytest.fixture
def plan() -> Iterator[Plan]:
    labs.skip_unless_allowed()
    namespaces.require_root()
    made = session.bring_up(NETWORK, Options(RATE_BITS), stays=True)
    yield made
    with session.locked():
        session.take_away()


def slow_down(plan: Plan) -> None:
    """All links; their description is not changed."""
    shape = namespaces.shape(RATE_BITS / SLOWER, plan.mtu)
    for namespace, devices in namespaces.shaped_devices(plan).items():
        namespaces.batch("tc", [f"qdisc replace dev {device} {shape}" for device, _ in devices], namespace)


@pytest.mark.parametrize("mpi", ["openmpi", "mpich"])
def test_links_that_became_slow_are_named_by_the_next_job(plan: Plan, mpi: str, build: Path, tmp_path: Path) -> None:
    if mpis.by_name(f"{mpi}5").missing():
        pytest.skip(f"{mpi} 5 is not installed")
    memory = tmp_path / "memory"
    environment = {**os.environ, "ESPALIER_MEMORY": str(memory), "COLUMNS": "160"}

    def espalier(*words: str) -> "subprocess.CompletedProcess[str]":
        command = [str(mpis.ROOT / "espalier"), "--build", str(build), *words]
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=TIMEOUT_SECONDS, env=environment
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done

    def job() -> str:
        program = str(build / "bin" / f"espalier-bench-network-{mpi}5")
        return espalier("lab", "exec", "--mpi", mpi, "--", program, "--collective", "allreduce", *CALLS).stderr

    assert "Slower than before" not in job()
    slow_down(plan)
    said = job()
    (of_all,) = history.in_directory(memory)
    assert len(of_all.jobs) == 2
    if of_all.jobs[-1].waited > MOST_WAITED:
        pytest.skip("this machine is too busy to measure")
    assert "Slower than before: allreduce" in said
    listed = json.loads(espalier("memory", "drift", "--directory", str(memory), "--json").stdout)["drift"]
    assert {one["collective"] for one in listed} == {"allreduce"}
