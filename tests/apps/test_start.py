# SPDX-License-Identifier: Apache-2.0
"""The start of a job of which some ranks are not under Espalier, or cannot read what the others read."""

from __future__ import annotations

import dataclasses
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from mpis import Mpi, by_name, matrix

PROGRAM = Path(__file__).resolve().parent / "start" / "first_calls.c"
RANKS = 4
EVERY_MPI = ("openmpi5", "mpich5", "mpich5-abi", "openmpi4", "mpich4")
WITH_HYDRA = ("mpich5", "mpich4")
MEBIBYTE = 1 << 20

# Runs the program after `eval $2` on the ranks in $1, and after `eval $3` on the others.
BY_RANK = 'case ",$1," in *",${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-$PMI_ID}},"*) eval "$2";; *) eval "$3";; esac; '
BY_RANK += 'shift 3; exec "$@"'


def run(mpi: Mpi, folder: Path, first: str, ranks: str, there: str, elsewhere: str = "", seconds: float = 120):
    """Standard output and what Espalier said of a job in which some ranks differ."""
    program = mpi.compile([PROGRAM], folder / "first_calls", ["-ldl"])
    wrapper = ["sh", "-c", BY_RANK, "wrapper", ranks, there, elsewhere]
    done = mpi.run(RANKS, [*wrapper, program, first], timeout_seconds=seconds)
    return done.stdout, [line for line in done.stderr.splitlines() if line.startswith("espalier: ")]


def preload(build: Path) -> str:
    return f"export LD_PRELOAD={build / 'lib' / 'libespalier.so'}"


def without_backends(build: Path, folder: Path) -> str:
    (folder / "alone").mkdir()
    return f"export LD_PRELOAD={shutil.copy(build / 'lib' / 'libespalier.so', folder / 'alone')}"


# The other ranks' first call is what a first call of ours might meet.
SITUATIONS: dict[str, tuple[int, str, Callable[[Path, Path], str]]] = {
    "not-preloaded": (0, "wildcard", lambda _build, _folder: "true"),
    "off": (2, "allreduce", lambda build, _folder: preload(build) + " ESPALIER=off"),
    "no-backend": (1, "bcast", without_backends),
}


# Why a rank has nothing to say is the same under each MPI; that it says nothing is found by each one's own means, which
# the next test tries.
@pytest.mark.parametrize("situation", SITUATIONS)
@pytest.mark.parametrize("mpi", matrix(["openmpi5", "mpich5"]))
def test_a_rank_without_espalier_makes_everything_native_and_is_named_once(
    mpi: Mpi, situation: str, build: Path, tmp_path: Path
) -> None:
    rank, first, there = SITUATIONS[situation]
    out, said = run(mpi, tmp_path, first, str(rank), there(build, tmp_path), preload(build))
    assert out == "0 wrong, 0 active\n"
    named = [line for line in said if "is not running under Espalier" in line]
    assert len(named) == 1, said
    assert f"rank {rank} is not" in named[0]
    assert "the same LD_PRELOAD" in named[0]


@pytest.mark.parametrize("mpi", matrix(EVERY_MPI))
def test_most_ranks_may_be_without_espalier(mpi: Mpi, build: Path, tmp_path: Path) -> None:
    out, said = run(mpi, tmp_path, "wildcard", "3", preload(build))
    assert out == "0 wrong, 0 active\n"
    assert len(said) == 1
    assert "rank 1 is not" in said[0]


@pytest.mark.parametrize("mpi", matrix(EVERY_MPI))
def test_off_on_all_ranks_is_silent(mpi: Mpi, build: Path, tmp_path: Path) -> None:
    everywhere = preload(build) + " ESPALIER=off"
    assert run(mpi, tmp_path, "bcast", "", "", everywhere) == ("0 wrong, 0 active\n", [])


@pytest.mark.parametrize("mpi", matrix(EVERY_MPI))
def test_all_ranks_with_espalier_are_active(mpi: Mpi, build: Path, tmp_path: Path) -> None:
    assert run(mpi, tmp_path, "wildcard", "", "", preload(build)) == (f"0 wrong, {RANKS} active\n", [])


# Two launchers' daemons, as on two hosts.
@pytest.mark.parametrize("mpi", matrix(WITH_HYDRA))
def test_ranks_on_another_node_are_found_or_missed_alike(mpi: Mpi, build: Path, tmp_path: Path) -> None:
    two_nodes = dataclasses.replace(mpi, options=(*mpi.options, "-launcher", "fork", "-hosts", "h1:2,h2:2"))
    assert run(two_nodes, tmp_path, "wildcard", "", "", preload(build))[0] == f"0 wrong, {RANKS} active\n"
    out, said = run(two_nodes, tmp_path, "wildcard", "2", "true", preload(build))
    assert out == "0 wrong, 0 active\n"
    assert len(said) == 1
    assert "rank 2 is not" in said[0]


def without_store(name: str) -> Mpi:
    """Hydra's ranks connect to it by themselves: nobody else can ask it anything."""
    mpi = by_name(name)
    return dataclasses.replace(mpi, options=(*mpi.options, "-pmi-port"))


@pytest.mark.parametrize("mpi", matrix(WITH_HYDRA))
def test_without_a_store_all_ranks_find_each_other(mpi: Mpi, build: Path, tmp_path: Path) -> None:
    out, said = run(without_store(mpi.name), tmp_path, "wildcard", "", "", preload(build))
    assert (out, said) == (f"0 wrong, {RANKS} active\n", [])


@pytest.mark.parametrize("mpi", matrix(["mpich5"]))
def test_without_a_store_ranks_wait_for_those_without_espalier_and_say_so(
    mpi: Mpi, build: Path, tmp_path: Path
) -> None:
    with pytest.raises(AssertionError, match=r"no end after") as waited:
        run(without_store(mpi.name), tmp_path, "allreduce", "2", "true", preload(build), seconds=13)
    assert "waiting in MPI_Init" in str(waited.value)
    assert " wrong, " not in str(waited.value).partition("--- stdout")[2]


def make_large(path: Path) -> None:
    path.touch()
    os.truncate(path, 100 * MEBIBYTE)


SLURM_TOPOLOGIES = {
    "machine.yaml": "---\n- topology: t\n  block:\n    blocks:\n      - block: b0\n        nodes: HOST, other[1-2]\n",
    "machine.conf": "\ufeffBlockName=b0 Nodes=other[1-2]\\\r\n,HOST\r\n",
}


@pytest.mark.parametrize("file", SLURM_TOPOLOGIES)
@pytest.mark.parametrize("mpi", matrix(["openmpi5", "mpich5"]))
def test_a_topology_of_slurms_is_read_on_all_ranks(mpi: Mpi, file: str, build: Path, tmp_path: Path) -> None:
    host = os.uname().nodename.split(".")[0]
    good, bad = tmp_path / "good", tmp_path / "bad"
    for folder, name in ((good, host), (bad, f"no-{host}")):
        folder.mkdir()
        (folder / file).write_bytes(SLURM_TOPOLOGIES[file].replace("HOST", name).encode())
    setting = f"{preload(build)} ESPALIER_TOPOLOGY={file}; cd"
    assert run(mpi, tmp_path, "bcast", "1", *[f"{setting} {good}"] * 2) == (f"0 wrong, {RANKS} active\n", [])
    out, said = run(mpi, tmp_path, "bcast", "1", *[f"{setting} {bad}"] * 2)
    assert out == f"0 wrong, {RANKS} active\n"
    assert len(said) == 1
    assert f"{file} has no node" in said[0]


UNREADABLE: dict[str, tuple[Callable[[Path], None], str]] = {
    "fifo": (os.mkfifo, "a regular file"),
    "device": (lambda path: path.symlink_to("/dev/zero"), "a regular file"),
    "too-large": (make_large, "64 MiB"),
    "directory": (Path.mkdir, "Is a directory"),
    "missing": (lambda _path: None, "No such file"),
}


@pytest.mark.parametrize("kind", UNREADABLE)
@pytest.mark.parametrize("mpi", matrix(["openmpi5", "mpich5"]))
def test_a_topology_that_one_rank_cannot_read_is_done_without(mpi: Mpi, kind: str, build: Path, tmp_path: Path) -> None:
    make, reason = UNREADABLE[kind]
    good, bad = tmp_path / "good", tmp_path / "bad"
    good.mkdir()
    bad.mkdir()
    (good / "machine.toml").write_text(f'[rails]\nnics = 1\nrate = 1e9\nnodes = ["{os.uname().nodename}"]\n')
    make(bad / "machine.toml")
    # The same setting on all ranks; where they stand differs.
    setting = f"{preload(build)} ESPALIER_TOPOLOGY=machine.toml; cd"
    out, said = run(mpi, tmp_path, "bcast", "1", f"{setting} {bad}", f"{setting} {good}")
    assert out == f"0 wrong, {RANKS} active\n"
    assert len(said) == 1
    assert all(word in said[0] for word in ("machine.toml", reason, "rank 1", "Continuing without a topology"))


# Sessions that end before MPI_Init crash it natively, now and then under MPICH 5 and always under Open MPI 5.
@pytest.mark.parametrize("situation", ["open", "two", "late"])
@pytest.mark.parametrize("mpi", matrix(["openmpi5", "mpich5"]))
def test_sessions_before_the_start_keep_no_rank_from_the_others(
    mpi: Mpi, situation: str, build: Path, tmp_path: Path
) -> None:
    program = mpi.compile([PROGRAM.parent / "sessions.c"], tmp_path / "sessions", ["-ldl"])
    environment = {"LD_PRELOAD": build / "lib" / "libespalier.so"}
    done = mpi.run(RANKS, [program, situation], environment, timeout_seconds=60)
    assert done.stdout == f"{RANKS} ranks, {RANKS} active\n"
    assert "espalier: " not in done.stderr
