# SPDX-License-Identifier: Apache-2.0
"""What the wheel's binaries need of a machine, and show to others: read from the files themselves."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import pytest
from conftest import ROOT, run

LIBRARIES = ["lib/libespalier.so", *(f"lib/libespalier-{mpi}.so" for mpi in ("openmpi", "mpich", "abi"))]
BINARIES = ["bin/espalier-tool", *LIBRARIES]
NEWEST = {"GLIBC": (2, 28), "GCC": (4, 2)}
# Of the C library, but for two: the process's own unwinder, and the name of the MPI that a program has loaded.
ALLOWED = {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1", "ld-linux-x86-64.so.2"}
ALSO = {"lib/libespalier-openmpi.so": {"libmpi.so.40"}}


def needs_of(file: Path) -> set[tuple[str, tuple[int, ...]]]:
    """Families and numbers: ("GLIBC", (2, 14))."""
    section = run(["readelf", "-W", "-V", file]).stdout.partition("Version needs section")[2]
    names = re.findall(r"Name: (\w+?)_([0-9.]+)  ", section)
    return {(family, tuple(map(int, number.split(".")))) for family, number in names}


@pytest.mark.parametrize("name", BINARIES)
def test_no_symbol_is_younger_than_glibc_2_28_and_none_is_of_another_library(unpacked: Path, name: str) -> None:
    needs = needs_of(unpacked / "espalier" / name)
    assert ("GLIBC", (2, 2, 5)) in needs  # what is read is what is there
    assert {family for family, _ in needs} <= set(NEWEST)
    assert [(family, number) for family, number in needs if number[:2] > NEWEST[family]] == []


@pytest.mark.parametrize("name", BINARIES)
def test_only_the_c_library_is_needed(unpacked: Path, name: str) -> None:
    dynamic = run(["readelf", "-W", "-d", unpacked / "espalier" / name]).stdout
    needed = set(re.findall(r"\(NEEDED\).*\[(.+)\]", dynamic))
    assert needed - ALLOWED - {"libgcc_s.so.1"} == ALSO.get(name, set())
    assert "RPATH" not in dynamic
    assert "RUNPATH" not in dynamic


@pytest.mark.parametrize("name", LIBRARIES[1:])
def test_a_backend_unwinds_by_the_processs_own_unwinder(unpacked: Path, name: str) -> None:
    """Another one's contexts would mean nothing to it, when exceptions of the program pass through."""
    symbols = run(["readelf", "-W", "--dyn-syms", unpacked / "espalier" / name]).stdout
    assert re.search(r"UND _Unwind_RaiseException@GCC_3.0", symbols)


@pytest.mark.parametrize("name", LIBRARIES)
def test_only_what_programs_call_is_shown(unpacked: Path, build: Path, name: str) -> None:
    """As in an ordinary build: nothing of the C++ library that is inside."""

    def shown(file: Path) -> set[str]:
        words = [line.split() for line in run(["nm", "-D", "--defined-only", file]).stdout.splitlines()]
        return {word[-1].partition("@")[0] for word in words}

    assert shown(unpacked / "espalier" / name) == shown(build / name)


@pytest.mark.parametrize("name", BINARIES)
def test_it_is_hardened_and_names_no_place(unpacked: Path, name: str) -> None:
    file = unpacked / "espalier" / name
    assert "BIND_NOW" in run(["readelf", "-W", "-d", file]).stdout
    segments = run(["readelf", "-W", "-l", file]).stdout
    assert "GNU_RELRO" in segments
    assert re.search(r"GNU_STACK.* RW ", segments)
    assert str(ROOT).encode() not in file.read_bytes()
    assert ".debug_info" not in run(["readelf", "-W", "-S", file]).stdout


def test_auditwheel_finds_nothing_younger(wheel: Path, tmp_path: Path) -> None:
    """Without the library that needs the program's own MPI: auditwheel would look into whatever MPI is here."""
    copy = tmp_path / wheel.name
    with zipfile.ZipFile(wheel) as whole, zipfile.ZipFile(copy, "w") as part:
        for entry in whole.infolist():
            is_left_out = entry.filename.endswith("/libespalier-openmpi.so")
            part.writestr(entry, b"" if is_left_out else whole.read(entry))
    said = run([ROOT / ".deps/wheel/bin/python", "-m", "auditwheel", "show", copy]).stdout
    assert 'following platform tag: "manylinux_2_28_x86_64"' in re.sub(r"\s+", " ", said), said
