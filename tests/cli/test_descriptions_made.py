# SPDX-License-Identifier: Apache-2.0
"""espalier topo --from and --discover: descriptions that are made, which espalier topo then reads."""

import json
import tomllib
from pathlib import Path

import mpis
import pytest
from conftest import ROOT, Espalier

from espalier.described import ibnetdiscover, places, readers
from espalier.described.lines import LARGEST_BYTES
from espalier.described.machine import Clusters, Graph, Tofu
from espalier.failure import Failure


def switch(number: int, title: str, *ports: str) -> str:
    guid = f"{0xA00 + number:016x}"
    head = f"vendid=0x2c9\ndevid=0xcb20\nswitchguid=0x{guid}({guid})\n"
    head += f'Switch\t36 "S-{guid}"\t\t# "{title}" base port 0 lid 1 lmc 0\n'
    return head + "".join(f"{line}\n" for line in ports) + "\n"


def adapter(number: int, title: str, *ports: str) -> str:
    guid = f"{0x100 + number:016x}"
    return f'caguid=0x{guid}\nCa\t1 "H-{guid}"\t\t# "{title}"\n' + "".join(f"{line}\n" for line in ports) + "\n"


def to_host(port: int, number: int, title: str, speed: str = "4xEDR", peer_port: int = 1) -> str:
    guid = f"{0x100 + number:016x}"
    return f'[{port}]\t"H-{guid}"[{peer_port}]({guid}) \t\t# "{title}" lid 4 {speed}'


def to_switch(port: int, number: int, peer_port: int, speed: str = "4xEDR") -> str:
    return f'[{port}](100) \t"S-{0xA00 + number:016x}"[{peer_port}]\t\t# lid 11 lmc 0 "leaf" lid 1 {speed}'


def between(port: int, number: int, peer_port: int, speed: str = "4xHDR") -> str:
    return f'[{port}]\t"S-{0xA00 + number:016x}"[{peer_port}]\t\t# "a switch" lid 3 {speed}'


HEAD = "#\n# Topology file: generated on Mon Dec 18 12:34:08 2023\n#\n# Initiated from node 0101 port 0101\n\n"
TWO_LEAVES = (
    HEAD
    + switch(1, "leaf1", to_host(1, 1, "n1 HCA-1"), to_host(2, 2, "n2 HCA-1"), between(36, 3, 1))
    + switch(2, "leaf2", to_host(1, 3, "n10 HCA-1"), to_host(2, 4, "n11 HCA-1"), between(36, 3, 2))
    + switch(3, "spine", between(1, 1, 36), between(2, 2, 36))
    + adapter(1, "n1 HCA-1", to_switch(1, 1, 1))
    + adapter(2, "n2 HCA-1", to_switch(1, 1, 2))
    + adapter(3, "n10 HCA-1", to_switch(1, 2, 1))
    + adapter(4, "n11 HCA-1", to_switch(1, 2, 2))
)


def fabric(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "fabric.txt"
    file.write_text(text)
    return file


def test_hosts_of_infiniband_are_put_together_by_their_switches(espalier: Espalier, tmp_path: Path) -> None:
    written = tmp_path / "machine.toml"
    done = espalier("topo", "--from", "ibnetdiscover", fabric(tmp_path, TWO_LEAVES), "--write", written)
    assert done.returncode == 0, done.stderr
    assert [site["nodes"] for site in tomllib.loads(written.read_text())["site"]] == [["n1", "n2"], ["n10", "n11"]]
    assert "# - leaf1: 2 hosts; its links to other switches carry 100% of what these can send." in written.read_text()
    shown = espalier("topo", written).stdout
    assert "2 sites: 4 nodes" in shown
    assert "1 NIC of 12.5 GB/s" in shown
    answer = json.loads(espalier("topo", "--from", "ibnetdiscover", fabric(tmp_path, TWO_LEAVES), "--json").stdout)
    assert answer["nodes"] == ["n1", "n2", "n10", "n11"]
    assert answer["description"] == written.read_text()


def test_a_host_with_two_adapters_has_two_nics(tmp_path: Path) -> None:
    text = switch(1, "rail1", to_host(1, 1, "a mlx5_0", "2xNDR"), to_host(2, 3, "b mlx5_0", "2xNDR"))
    text += switch(2, "rail2", to_host(1, 2, "a mlx5_1", "2xNDR"), to_host(2, 4, "b mlx5_1", "2xNDR"))
    for number, title, rail, port in ((1, "a mlx5_0", 1, 1), (2, "a mlx5_1", 2, 1), (3, "b mlx5_0", 1, 2)):
        text += adapter(number, title, to_switch(1, rail, port, "2xNDR"))
    text += adapter(4, "b mlx5_1", to_switch(1, 2, 2, "2xNDR"))
    found = ibnetdiscover.description_of(fabric(tmp_path, text), 0).machine
    assert found == Clusters([["a", "b"]], nics=2, rate=25e9)


def test_hosts_that_are_cabled_to_each_other_are_a_graph(tmp_path: Path) -> None:
    text = adapter(1, "a HCA-1", to_host(1, 2, "b HCA-1")) + adapter(2, "b HCA-1", to_host(1, 1, "a HCA-1"))
    found = ibnetdiscover.description_of(fabric(tmp_path, text), 0).machine
    assert isinstance(found, Graph)
    assert [(link.a, link.b, link.rate) for link in found.links] == [("a", "b", 12.5e9)]


def test_adapters_inside_switches_are_no_hosts_and_slow_ports_are_told(tmp_path: Path) -> None:
    text = TWO_LEAVES.replace("4xEDR", "4xFDR", 1).replace(to_switch(1, 1, 1), to_switch(1, 1, 1, "4xFDR")) + adapter(
        9, "Mellanox Technologies Aggregation Node", to_switch(1, 3, 9)
    )
    description = ibnetdiscover.description_of(fabric(tmp_path, text), 0)
    assert description.nodes == ["n1", "n2", "n10", "n11"]
    assert isinstance(description.machine, Clusters)
    assert description.machine.rate == pytest.approx(6.82e9)
    assert any("the slowest rate stands for all" in remark for remark in description.remarks)


WRONG = {
    "cut in a line": (TWO_LEAVES[: TWO_LEAVES.index("n2 HCA-1") - 4], ":11: .*expected: a port, such as"),
    "cut between lines": (TWO_LEAVES[: TWO_LEAVES.index("caguid")], ":10: .*is the output cut off"),
    "another program's": ("Interface eth0\n", ":1: 'Interface eth0': expected: what ibnetdiscover prints"),
    "nothing": ("# only this\n", "has no Switch and no Ca"),
    "a port without a device": (HEAD + to_host(1, 1, "n1 HCA-1") + "\n", ":6: .*a line that begins with Switch"),
    "a device twice": (TWO_LEAVES + switch(1, "leaf1"), "each device once; this one is in line 9, too"),
    "a port twice": (
        switch(1, "leaf1", to_host(1, 1, "n1"), to_host(1, 1, "n1")),
        "each port once; this one is in line 5, too",
    ),
    "an unknown speed": (TWO_LEAVES.replace("4xEDR", "4xQQDR").replace("4xQQDR", "4xZDR", 1), "a speed of these: SDR"),
    "no speed": (TWO_LEAVES.replace(" 4xEDR", ""), "a width and speed at its end.*--rate"),
    "one title for all": (TWO_LEAVES.replace("n2 HCA-1", "n1 HCA-1"), "a title that tells hosts apart"),
    "control characters": (HEAD + "\x1b[2Jgone\n", r":6: '\\x1b\[2Jgone'"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_output_of_ibnetdiscover_is_refused_with_its_line(name: str, tmp_path: Path) -> None:
    text, why = WRONG[name]
    with pytest.raises(Failure, match=why):
        ibnetdiscover.description_of(fabric(tmp_path, text), 0)


def test_older_output_without_speeds_takes_the_rate_that_is_given(tmp_path: Path) -> None:
    found = ibnetdiscover.description_of(fabric(tmp_path, TWO_LEAVES.replace(" 4xEDR", "")), 4e9).machine
    assert isinstance(found, Clusters)
    assert found.rate == 4e9


@pytest.mark.parametrize("seed", range(40))
def test_spoilt_output_is_read_or_refused_and_nothing_else(seed: int, tmp_path: Path) -> None:
    text = bytearray(TWO_LEAVES.encode())
    for step in range(1 + seed % 4):
        at = (seed * 7919 + step * 104729) % len(text)
        text[at : at + seed % 5] = bytes([(seed * 31 + step) % 256])
    file = tmp_path / "fabric.txt"
    file.write_bytes(bytes(text))
    try:
        assert ibnetdiscover.description_of(file, 1e9).nodes
    except Failure as failure:
        said = failure.message
        assert str(file) in said


def test_xnames_make_a_site_of_each_cabinet_or_of_each_chassis(tmp_path: Path) -> None:
    file = tmp_path / "xnames"
    file.write_text("nid3: x1001c0s0b0n0\n# a comment\nnid1: x1000c0s0b0n0\nnid2 x1000c1s7b1n3\n")
    found = places.by_xnames(file, 25e9).machine
    assert found == Clusters([["nid1", "nid2"], ["nid3"]], nics=1, rate=25e9)
    file.write_text("x1000c0s0b0n0\nx1000c1s7b1n3\nx1000c0s1b0n0\n")
    found = places.by_xnames(file, 25e9).machine
    assert found == Clusters([["x1000c0s0b0n0", "x1000c0s1b0n0"], ["x1000c1s7b1n3"]], nics=1, rate=25e9)


def test_places_on_tofu_are_written_as_they_are(espalier: Espalier, tmp_path: Path) -> None:
    file, written = tmp_path / "positions", tmp_path / "machine.toml"
    file.write_text("a01: 3 4 5 0 1 0\na02: (3,4,5,1,1,0)\n")
    assert espalier("topo", "--from", "tofu", file, "--rate", "6.8e9", "--write", written).returncode == 0
    found = places.on_tofu(file, 6.8e9).machine
    assert found == Tofu(6.8e9, {"a01": (3, 4, 5, 0, 1, 0), "a02": (3, 4, 5, 1, 1, 0)})
    assert "1 link of 6800 MB/s" in espalier("topo", written).stdout


@pytest.mark.parametrize(
    ("kind", "text", "why"),
    [
        ("xnames", "nid1: c0-0c0s0n0\n", ":1: .*expected: a node's name and its xname"),
        ("xnames", "a: x1000c0s0b0n0\nb: x1000c0s0b0n0\n", ":2: .*this one is in line 1, too"),
        ("xnames", "a: x1000c0s0b0n0\na: x1000c0s0b0n1\n", ":2: .*a is in line 1, too"),
        ("xnames", "\n", "names no node"),
        ("tofu", "a: 0 0 0 0 3 0\n", ":1: .*b is 0 to 2"),
        ("tofu", "a: 0 0 0 0 1\n", ":1: .*expected"),
        ("tofu", "a: 0 0 0 0 0 99999999999999999999\n", ":1: .*expected"),
    ],
)
def test_wrong_places_are_refused_with_their_line(kind: str, text: str, why: str, tmp_path: Path) -> None:
    file = tmp_path / "places"
    file.write_text(text)
    with pytest.raises(Failure, match=why):
        readers.description_of(kind, file, "1e9")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--from", "xnames", "FILE"], "needs --rate, in bytes per second"),
        (["--from", "xnames", "FILE", "--rate", "fast"], "--rate fast: allowed: bytes per second"),
        (["--from", "xname", "FILE"], "--from xname: unknown; did you mean xnames?"),
        (["--from", "tofu"], "needs a FILE"),
        (["--from", "tofu", "/dev/null"], "there is no such file; allowed: a regular one"),
        (["--from", "tofu", "FILE", "--svg", "x.svg"], "go with --write and --json alone"),
        (["--discover", "--torus", "3x3", "--", "mpirun"], "go with --write and --json alone"),
        (["FILE", "--write", "x.toml"], "--write: goes with --from or --discover"),
        (["FILE", "another"], "one FILE is allowed"),
        (["--discover"], "There is no launcher: how does a job start"),
        (["--discover", "--seconds", "0", "--", "mpirun"], "--seconds 0: allowed"),
        (["--discover", "--", "no-such-launcher"], "no-such-launcher cannot be started"),
        (["--discover", "--program", "FILE", "--", "true"], "is no program"),
        (["--discover", "--program", "/bin/true", "--", "env"], "ended before it had begun to measure"),
    ],
)
def test_what_does_not_go_together_is_refused(words: list[str], why: str, espalier: Espalier, tmp_path: Path) -> None:
    file = tmp_path / "places"
    file.write_text("nid1: x1000c0s0b0n0\n")
    done = espalier("topo", *[str(file) if word == "FILE" else word for word in words])
    assert done.returncode != 0
    assert why in " ".join(done.stderr.split()), done.stderr


def test_a_file_that_is_no_description_is_not_replaced(espalier: Espalier, tmp_path: Path) -> None:
    file, mine = tmp_path / "places", tmp_path / "mine"
    file.write_text("nid1: x1000c0s0b0n0\n")
    mine.write_text("a novel")
    done = espalier("topo", "--from", "xnames", file, "--rate", "1e9", "--write", mine)
    assert "exists, and is not what this writes" in " ".join(done.stderr.split())
    assert mine.read_text() == "a novel"


def test_files_that_are_too_long_are_not_read(tmp_path: Path) -> None:
    file = tmp_path / "long"
    with file.open("wb") as stream:
        stream.truncate(LARGEST_BYTES + 1)
    with pytest.raises(Failure, match="allowed: 67,108,864"):
        places.on_tofu(file, 1e9)


@pytest.mark.parametrize("mpi", mpis.matrix(["openmpi5", "mpich5"]))
def test_on_a_single_node_there_is_no_network_to_find(mpi: mpis.Mpi, espalier: Espalier, tmp_path: Path) -> None:
    """By a real job, whose instrument the MPI's own compiler makes."""
    words = ["--", mpi.launcher, *mpi.options, "-n", "2"]
    done = espalier("topo", "--discover", *words, environment={"XDG_CACHE_HOME": str(tmp_path)})
    assert "The job runs on 1 node; a network shows among 3 or more." in " ".join(done.stderr.split()), done.stderr
    assert len(list((tmp_path / "espalier" / "instruments").iterdir())) == 1


def test_the_instrument_is_plain_mpi_that_compiles_without_warnings(tmp_path: Path) -> None:
    mpi = mpis.by_name("openmpi5")
    if mpi.missing():
        pytest.skip("Open MPI 5 is not installed")
    source = ROOT / "python" / "espalier" / "discover" / "instrument.c"
    mpi.compile([source], tmp_path / "instrument", ["-std=c11", "-D_DEFAULT_SOURCE", "-Wall", "-Wextra", "-Werror"])
