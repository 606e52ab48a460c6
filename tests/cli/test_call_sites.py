# SPDX-License-Identifier: Apache-2.0
"""The table of call sites: what of a place is known, and to whom."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import mpis
import pytest
from conftest import Espalier

from espalier import call_sites
from espalier.call_sites import Site, Source

SITES = Path(__file__).resolve().parents[1] / "apps" / "tools" / "sites.c"
PROGRAM = """
extern int puts(const char *);
__attribute__((noinline)) static void called(void) { puts("here"); __asm__ volatile(""); }
int main(void) { called(); return 0; }
"""


def site(file: str = "/bin/app", offset: str = "0x12ab", symbol: str = "", function: str = "MPI_Bcast") -> Site:
    return Site(function, file, offset, symbol, ranks=2, calls=4, bytes=8, seconds_mean=1.0, share=0.5)


@pytest.mark.parametrize(
    ("at", "source", "text"),
    [
        (site(), Source(), "app+0x12ab"),
        (site(symbol="run(int)"), Source(), "run, app+0x12ab"),
        (site(symbol="run(int)"), Source("App::run(int)", "app.cpp:7"), "App::run, app.cpp:7"),
        (site(file=""), Source(), "0x12ab, made at run time"),
        (site(function=""), Source(), ""),
    ],
)
def test_a_place_is_told_as_well_as_it_is_known(at: Site, source: Source, text: str) -> None:
    assert call_sites.place_text(at, source) == text


@pytest.mark.parametrize(
    ("function", "name"),
    [
        ("run", "run"),
        ("A::run(int, f(*)(int)) const", "A::run"),
        ("(anonymous namespace)::run()", "(anonymous namespace)::run"),
        ("A::operator()(int)", "A::operator()"),
    ],
)
def test_arguments_are_left_out(function: str, name: str) -> None:
    assert call_sites.without_arguments(function) == name


def test_what_a_symbolizer_does_not_know_stays_open() -> None:
    assert call_sites.source_in("??", "??:0") == Source()
    assert call_sites.source_in("main", "??:?") == Source("main", "")
    assert call_sites.source_in("main", "/a/b.c:12 (discriminator 3)") == Source("main", "b.c:12")


def test_an_offset_that_is_none_is_not_handed_on() -> None:
    assert site(offset="--exec").call_address is None


@pytest.mark.skipif(shutil.which("cc") is None or shutil.which("addr2line") is None, reason="no compiler or addr2line")
@pytest.mark.parametrize("tool", [name for name, *_ in call_sites.SYMBOLIZERS])
def test_each_symbolizer_names_function_and_line(tmp_path: Path, tool: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = shutil.which(tool)
    if path is None:
        pytest.skip(f"no {tool}")
    monkeypatch.setattr(call_sites.shutil, "which", lambda name: path if name == tool else None)
    source = tmp_path / "it.c"
    source.write_text(PROGRAM)
    program = tmp_path / "it"
    subprocess.run(["cc", "-O1", "-g", "-o", program, source], check=True)
    symbols = subprocess.run(["nm", program], capture_output=True, text=True, check=True).stdout
    start = next(int(line.split()[0], 16) for line in symbols.splitlines() if line.endswith(" called"))
    at = site(file=str(program), offset=hex(start + 5))
    assert call_sites.sources_of([at]) == {at: Source("called", "it.c:3")}


def test_run_says_from_where_collectives_were_called(espalier: Espalier, tmp_path: Path) -> None:
    mpi = mpis.by_name("openmpi5")
    if mpi.missing():
        pytest.skip(mpi.missing() or "")
    program = mpi.compile([SITES], tmp_path / "sites")
    done = espalier("run", "--sites", "--", mpi.launcher, *mpi.options, "-n", "2", program)
    assert done.returncode == 0, done.stderr
    assert "By call site" in done.stderr
    if call_sites.symbolizer():
        assert "called_often, sites.c:" in done.stderr
    assert "later" in done.stderr  # a communicator
