# SPDX-License-Identifier: Apache-2.0
"""Real MPI over real, shaped links. Skipped where network namespaces are not allowed."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import labs
import mpis
import pytest

from espalier.installation import Installation
from espalier_lab.experiments import waits
from espalier_lab.experiments.comparison import Comparison
from espalier_lab.experiments.launch import Family
from espalier_lab.network import namespaces, rootless, session
from espalier_lab.network.spec import Options

TIMEOUT_SECONDS = 120
Espalier = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def command(build: Path) -> list[str]:
    return [str(mpis.ROOT / "espalier"), "--build", str(build)]


@pytest.fixture
def espalier(command: list[str]) -> Espalier:
    def call(*words: str | Path, check: bool = True) -> "subprocess.CompletedProcess[str]":
        done = subprocess.run(
            [*command, *map(str, words)], capture_output=True, text=True, check=False, timeout=TIMEOUT_SECONDS
        )
        assert not check or done.returncode == 0, done.stdout + done.stderr
        return done

    return call


@pytest.fixture(autouse=True)
def _namespaces_are_allowed() -> None:
    labs.skip_unless_allowed()


def program(build: Path, mpi: str) -> Path:
    path = build / "bin" / f"espalier-bench-network-{mpi}5"
    if not path.exists() or mpis.by_name(f"{mpi}5").missing():
        pytest.skip(f"{mpi} 5 is not installed")
    return path


def transform(build: Path, mpi: str) -> Path:
    path = build / "bin" / f"transform-{mpi}"
    if not path.exists() or mpis.by_name(mpi).missing():
        pytest.skip(f"there is no transform for {mpi}")
    return path


@pytest.mark.parametrize("mpi", ["openmpi", "mpich"])
@pytest.mark.parametrize(
    "network", [["torus:3x3"], ["mesh:3x2"], ["torus:3x3", "--without", "1,1"], ["rails:3x2"], ["leafspine:2x3"]]
)
def test_collectives_are_right_on_every_kind_of_network(
    espalier: Espalier, mpi: str, network: list[str], build: Path
) -> None:
    words = [program(build, mpi), "--bytes", "8,65536", "--repeats", "2", "--variants"]
    for collective, own in (("bcast", "espalier:multilane"), ("allreduce", "espalier:tree")):
        options = [f"native;espalier;{own}", "--collective", collective]
        lab = ["lab", "run", *network, "--rate", "100mbit", "--mpi", mpi]
        done = espalier(*lab, "--", *words, *options)
        rows = json.loads(done.stdout[done.stdout.index("{") :])["rows"]
        assert {row["variant"] for row in rows} == {"native", "espalier", own}


def test_links_carry_what_the_schedule_says(espalier: Espalier, build: Path, tmp_path: Path) -> None:
    """Each of the six trees' links carries a sixth of each message, and nothing else of that size passes there."""
    size, repeats = 1 << 20, 5
    file = tmp_path / "seen.json"
    words = ["--bytes", str(size), "--repeats", str(repeats), "--variants", "espalier", "--collective", "bcast"]
    words += ["--trains", "no"]
    espalier("lab", "run", "torus:3x3x3", "--rate", "50mbit", "--json", file, "--", program(build, "openmpi"), *words)
    links = json.loads(file.read_text())["links"]
    calls = (repeats + 1) // 2 + 1  # of long messages half as many are timed; and one to warm up
    predicted = 6 * 26 * size / 6 * calls  # six trees over 26 other hosts
    carried = sum(link["bytes"] for link in links)
    headers = 1.02  # TCP, IP and Ethernet besides payloads of up to 9000 bytes, acknowledgements, MPI's own
    assert carried / predicted == pytest.approx(headers, abs=0.1)
    assert sum(link["drops"] for link in links) == 0


def test_open_mpi_uses_all_nics_of_a_host(espalier: Espalier, build: Path, tmp_path: Path) -> None:
    """Segments of one message to one peer take the NICs in turn: sent by Espalier, not by the native MPI."""
    size, file = 1 << 20, tmp_path / "seen.json"
    words = ["--bytes", size, "--repeats", "1", "--variants", "espalier:chain,segment=16KiB", "--collective", "bcast"]
    lab = ["lab", "run", "rails:4x2", "--rate", "100mbit", "--json", file]
    espalier(*lab, "--", program(build, "openmpi"), *words)
    sent: dict[str, list[int]] = {}
    for link in json.loads(file.read_text())["links"]:
        if link["from"].startswith("n"):
            sent.setdefault(link["from"], []).append(link["bytes"])
    busy = [nics for nics in sent.values() if sum(nics) > size]
    assert len(busy) >= 3
    assert all(min(nics) > 0.4 * sum(nics) for nics in busy)


@pytest.mark.parametrize("mpi", ["openmpi", "mpich"])
def test_a_study_goes_on_where_it_was_stopped(espalier: Espalier, build: Path, tmp_path: Path, mpi: str) -> None:
    program(build, mpi)
    transform(build, f"{mpi}5")
    words = ["lab", "compare", "choice", "--placement", "2", "--calls", "5", "--mpi", mpi, "--results", tmp_path]
    espalier(*words, "--variant", "native", "--bytes", "1KiB,16KiB")
    first = json.loads((tmp_path / "choice.json").read_text())
    assert [(row["collective"], row["variant"], row["calls"]) for row in first] == [
        ("alltoall", "native", 5),
        ("transform", "native", 5),
    ]
    assert [len(row["each_s"]) for row in first] == [5, 0]
    more = ["--variant", "native,policy:race,fixed:ring", "--bytes", "1KiB,16KiB", "--resume"]
    assert "To measure: 4 of 6" in espalier(*words, *more, "--dry-run").stdout
    espalier(*words, *more)
    rows = json.loads((tmp_path / "choice.json").read_text())
    assert rows[:2] == first
    assert [row["variant"] for row in rows[2:]] == ["policy:race", "fixed:ring"] * 2
    assert rows[2]["chosen"] == "native, 5 calls"
    assert "To measure: 0 of 6" in espalier(*words, *more, "--dry-run").stdout
    for view in ("table", "curves"):
        espalier("lab", "figure", "choice", "--results", tmp_path, "--view", view, "--svg", tmp_path / "it.svg")
        assert "placement 2" in (tmp_path / "it.svg").read_text()


def test_a_described_variant_has_a_description_and_the_others_do_not(
    espalier: Espalier, build: Path, tmp_path: Path
) -> None:
    program(build, "openmpi")
    words = ["--network", "torus:3x3x3", "--collective", "bcast", "--bytes", "64KiB", "--mpi", "openmpi"]
    words += ["--variant", "native,policy:*,described:*"]
    espalier("lab", "compare", "blind", *words, "--calls", "5", "--results", tmp_path)
    rows = json.loads((tmp_path / "blind.json").read_text())
    chosen = {row["variant"]: row["chosen"] for row in rows}
    assert list(chosen) == ["native", "policy:race", "described:race", "described:estimate"]
    # The first call is the MPI's: the ranks have not met yet.
    assert chosen["described:estimate"] == "trinaryx6, 4 calls; native, 1 call"
    assert "trinary" not in chosen["policy:race"]


def test_programs_of_another_open_mpi_run_there_too(espalier: Espalier, build: Path) -> None:
    words = ["--mpi", "openmpi4", "--algorithm", "alltoall:ring", "--", transform(build, "openmpi4"), "16", "2"]
    done = espalier("lab", "run", "leafspine:2x2", *words)
    assert ": right\n" in done.stdout
    assert "Alltoall" in done.stderr
    assert "ring" in done.stderr


def test_real_programs_are_compared_and_go_on_where_they_were_stopped(
    espalier: Espalier, build: Path, tmp_path: Path
) -> None:
    transform(build, "mpich5")
    words = ["lab", "apps", "transform", "--network", "torus:2x2", "--rate", "1gbit", "--mpi", "mpich"]
    words += ["--results", tmp_path]
    espalier(*words, "--repeats", "1")
    first = json.loads((tmp_path / "lab-apps.json").read_text())
    assert [(row["variant"], row["result"], len(row["seconds"])) for row in first] == [
        ("native", "identical", 1),
        ("policy:race", "identical", 1),
        ("warm:race", "identical", 1),
    ]
    done = espalier(*words, "--repeats", "2", "--resume")
    rows = json.loads((tmp_path / "lab-apps.json").read_text())
    assert [row["seconds"][:1] for row in rows] == [row["seconds"] for row in first]
    assert [len(row["seconds"]) for row in rows] == [2, 2, 2]
    assert "transform" in done.stdout


@pytest.mark.parametrize("host", [4, 5])
def test_packets_for_another_leaf_take_the_uplink_of_their_destination(
    espalier: Espalier, build: Path, tmp_path: Path, host: int
) -> None:
    """Ranks are on the hosts of their numbers; 0 and 4 or 5, of the other leaf, exchange a message."""
    size, file = 1 << 20, tmp_path / "seen.json"
    lab = ["lab", "run", "leafspine:2x3", "--uplinks", "2", "--rate", "100mbit", "--native", "--json", file]
    words = ["--bytes", size, "--repeats", "1", "--variants", "native", "--collective", "allreduce"]
    espalier(*lab, "--", program(build, "openmpi"), *words, "--members", f"0,{host}")
    links = json.loads(file.read_text())["links"]
    switched = [link for link in links if not link["from"].startswith("n") and not link["to"].startswith("n")]
    used = {(link["from"], link["to"]) for link in switched if link["bytes"] > size}
    there, back = f"spine{host % 2}", "spine0"
    assert used == {("leaf0", there), (there, "leaf1"), ("leaf1", back), (back, "leaf0")}
    assert sum(link["drops"] for link in links) == 0


def test_packets_along_trees_that_share_no_link_wait_for_no_others(build: Path) -> None:
    program(build, "openmpi")
    line = Comparison("mesh:3", "bcast", (256 << 10,), Options(5e6), ("espalier:packed",), repeats=1, trains=False)
    with session.lab(line.network, line.options) as plan:
        row = waits.measure(Installation(build), plan, Family.OPENMPI, line, lambda *_, **__: None)
    assert (row.ranks, row.links, row.packets_behind_others, row.links_contended) == (3, 4, 0, 0)
    assert row.links_used >= 2
    assert row.packets_delayed > 0  # TCP sends more at once than one packet


def test_a_lab_needs_no_root_where_user_namespaces_are_allowed(command: list[str], build: Path) -> None:
    inside = [*rootless.UNSHARE, "sh", "-c", rootless.SCRIPT, "sh"]
    if subprocess.run([*inside, "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("user namespaces are not allowed here")
    words = ["--bytes", "65536", "--repeats", "1", "--variants", "native;espalier", "--collective", "bcast"]
    done = subprocess.run(
        [*inside, *command, "lab", "run", "torus:3x3", "--", str(program(build, "openmpi")), *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=TIMEOUT_SECONDS,
    )
    assert done.returncode == 0, done.stderr
    assert "trinaryx6" in done.stderr
    assert namespaces.existing() == []


def test_a_killed_lab_is_cleaned_up_by_the_next_one(espalier: Espalier, command: list[str]) -> None:
    first = subprocess.Popen(
        [*command, "lab", "run", "torus:3x3", "--native", "--", "sleep", "60"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 30
    while len(namespaces.existing()) < 10 and time.monotonic() < deadline:
        time.sleep(0.1)
    time.sleep(1)
    os.kill(first.pid, signal.SIGKILL)
    first.wait()
    assert len(namespaces.existing()) == 10
    espalier("lab", "up", "mesh:2x2")
    try:
        assert len(namespaces.existing()) == 5
        assert "mesh:2x2" in espalier("lab", "status").stdout
        assert "already" in espalier("lab", "up", "mesh:2x2", check=False).stderr
    finally:
        espalier("lab", "down")
    assert namespaces.existing() == []
    assert "no lab" in espalier("lab", "status", check=False).stderr


def test_a_description_that_contradicts_the_job_is_refused_and_the_job_goes_on(
    command: list[str], build: Path, tmp_path: Path
) -> None:
    machine = tmp_path / "machine.toml"
    machine.write_text('[mesh]\nextents = [2]\nrate = 1e6\nnodes = ["a", "b"]\n')
    words = ["--bytes", "65536", "--repeats", "1", "--variants", "espalier", "--collective", "bcast"]
    environment = {**os.environ, "ESPALIER_TOPOLOGY": str(machine)}
    done = subprocess.run(
        [*command, "lab", "run", "mesh:2x2", "--", str(program(build, "openmpi")), *words],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=TIMEOUT_SECONDS,
    )
    assert done.returncode == 0, done.stderr
    assert f"{machine} has no node 'n0" in done.stderr
    assert "Continuing without a topology" in done.stderr
