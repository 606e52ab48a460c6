# SPDX-License-Identifier: Apache-2.0
"""Halos over the NICs of a host, and their comparison. Skipped where network namespaces are not allowed."""

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path

import labs
import mpis
import pytest

from espalier.failure import Failure
from espalier_lab.experiments import halos, halos_planned
from espalier_lab.network.spec import Options

pytestmark = pytest.mark.on_any_mpi

TIMEOUT_SECONDS = 120
NICS = 4
BYTES = 256 << 10


@pytest.fixture(autouse=True)
def _namespaces_are_allowed() -> None:
    labs.skip_unless_allowed()


def program(build: Path, mpi: str) -> Path:
    path = build / "bin" / f"espalier-bench-halo-{mpi}5"
    if not path.exists() or mpis.by_name(f"{mpi}5").missing():
        pytest.skip(f"{mpi} 5 is not installed")
    return path


def espalier(build: Path, *words: str | Path) -> None:
    command = [mpis.ROOT / "espalier", "--build", build, "lab", *words]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, timeout=TIMEOUT_SECONDS)
    assert done.returncode == 0, done.stdout + done.stderr


def sent_by_nic(build: Path, mpi: str, variant: str, folder: Path) -> Mapping[str, int]:
    """What the first host sent by each, in bytes."""
    words = ["--pattern", "scale", "--bytes", str(BYTES), "--variants", variant, "--repeats", "1"]
    file = folder / "traffic.json"
    network = ["run", f"rails:3x{NICS}", "--rate", "200mbit", "--mpi", mpi, "--json", file]
    espalier(build, *network, "--", program(build, mpi), *words)
    links = json.loads(file.read_text())["links"]
    return {link["device"]: link["bytes"] for link in links if link["from"] == "n00"}


@pytest.mark.parametrize("mpi", ["openmpi", "mpich"])
def test_messages_go_by_the_nics_that_they_are_given(mpi: str, build: Path, tmp_path: Path) -> None:
    sent = sorted(sent_by_nic(build, mpi, "packer:roundrobin(1)", tmp_path).values())
    assert len(sent) == NICS
    assert sent[-1] > 10 * sent[-2]


@pytest.mark.parametrize("mpi", ["openmpi", "mpich"])
def test_all_nics_have_as_much_to_do(mpi: str, build: Path, tmp_path: Path) -> None:
    sent = sorted(sent_by_nic(build, mpi, "packer:even", tmp_path).values())
    assert sent[-1] < 1.5 * sent[0]


@pytest.mark.parametrize("mpi", ["openmpi", "mpich"])
def test_ranks_of_a_host_send_together(mpi: str, build: Path, tmp_path: Path) -> None:
    program(build, mpi)
    words = ["--pattern", "stencil", "--network", "rails:4x2", "--bytes", "64", "--repeats", "3", "--mpi", mpi]
    espalier(build, "halos", *words, "--variant", "alone,together,espalier", "--results", tmp_path)
    alone, together, chosen = (row.packets for row in halos_planned.read(tmp_path / "halo.json"))
    assert together < alone / 3
    assert chosen < alone / 3


@pytest.mark.parametrize("mpi", ["openmpi", "mpich"])
def test_what_goes_together_is_what_the_mpi_brings(
    mpi: str, build: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "report.json"
    monkeypatch.setenv("ESPALIER_AGGREGATION", "always")
    monkeypatch.setenv("ESPALIER_REPORT", str(file))
    network = ["run", "rails:3x2", "--rate", "200mbit", "--per-host", "3", "--mpi", mpi]
    espalier(build, *network, "--", program(build, mpi).with_name(f"stress-halos-{mpi}5"), "6")
    rows = [row for row in json.loads(file.read_text())["rows"] if row["form"] == "persistent"]
    assert "even+aggregated" in {row["algorithm"] for row in rows}


def test_variants_are_compared(build: Path, tmp_path: Path) -> None:
    program(build, "openmpi")
    words = ["--pattern", "scale", "--network", "rails:8x2", "--bytes", "64KiB", "--repeats", "1", "--mpi", "openmpi"]
    espalier(build, "halos", *words, "--variant", "native:persistent,espalier", "--results", tmp_path)
    rows = halos_planned.read(tmp_path / "halo.json")
    assert [row.variant for row in rows] == ["native:persistent", "espalier"]
    assert {row.bytes for row in rows} == {64 << 10}
    picture = tmp_path / "halos.svg"
    espalier(build, "figure", "halo", "--results", tmp_path, "--svg", picture)
    assert "scale, 64 KiB" in picture.read_text()


def test_packers_that_must_be_set_are_jobs_of_their_own() -> None:
    found = halos.by_setting(
        ["native:blocking", "paired", "packer:even", "blocking:even", "paired:even", "paired:striped"]
    )
    assert found == {
        "auto": ["native:blocking", "paired", "packer:even"],
        "even": ["blocking:even", "paired:even"],
        "striped": ["paired:striped"],
    }
    assert [halos.in_program(name) for name in ("paired", "paired:even", "blocking:even", "packer:even")] == [
        "paired",
        "paired",
        "espalier:neighbour",
        "packer:even",
    ]


def test_a_part_is_checked() -> None:
    planned = halos_planned.exchanges()
    assert halos_planned.Part([], [], [], []).of(planned) == planned
    with pytest.raises(Failure, match="unknown"):
        halos_planned.Part(["scal"], [], [], []).of(planned)
    with pytest.raises(Failure, match="no such pattern on such a network"):
        halos_planned.Part(["stencil"], ["rails:16x4"], [], []).of(planned)


def test_the_bound_is_what_all_nics_of_a_host_take() -> None:
    assert halos_planned.Exchange("rails:8x4", Options(20e6), "scale", ()).host_rate == 10e6
    assert halos_planned.Exchange("rails:8x2", Options(30e6, nic_rates=(40e6, 20e6)), "scale", ()).host_rate == 7.5e6
    rails = halos_planned.Exchange("rails:8x4", Options(20e6), "scale", (), per_host=2)
    size = {"is_alike": False, "messages": [[0, 1, 500], [0, 2, 10], [1, 2, 20], [1, 3, 20], [4, 2, 7]]}
    assert rails.bound_s(rails.traffic(size)) == 57 / 10e6
    assert rails.bound_s(rails.traffic(size | {"is_alike": True})) == 37 / 10e6


def test_the_bound_of_a_torus_is_what_its_fullest_link_takes() -> None:
    torus = halos_planned.Exchange("torus:4x4", Options(20e6), "scale", ())
    size = {"is_alike": False, "messages": [[0, 5, 100], [0, 1, 10], [1, 5, 3], [0, 4, 1000]]}
    assert torus.bound_s(torus.traffic(size)) == 1000 / 2.5e6
    assert torus.bound_s(torus.traffic({"is_alike": False, "messages": size["messages"][:3]})) == 110 / 2.5e6
