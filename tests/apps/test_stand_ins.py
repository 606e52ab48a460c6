# SPDX-License-Identifier: Apache-2.0
"""Serial stand-ins for an MPI (tests/preload/standin.c), alone under each launcher and next to each real MPI."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from mpis import ROOT, Mpi, checked, matrix

PRELOAD_TESTS = ROOT / "tests" / "preload"
EVERY_MPI = ("openmpi5", "mpich5", "mpich5-abi", "openmpi4", "mpich4")
WITH_MPI4PY = ("openmpi5", "mpich5")
SERIAL_RESULT = "7 7 7 7 3, 5 calls\n"
RANKS = 2


@pytest.fixture(scope="session")
def stand_in(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with libstandin.so, and plugin.so that holds one."""
    folder = tmp_path_factory.mktemp("standin")
    sources = {"libstandin.so": ["standin.c"], "plugin.so": ["standin.c", "plugin.c"]}
    for name, parts in sources.items():
        inputs = [str(PRELOAD_TESTS / part) for part in parts]
        checked(["cc", "-shared", "-fPIC", "-O1", "-w", "-o", str(folder / name), *inputs])
    return folder


@pytest.fixture(params=["on", "off"])
def environment(request: pytest.FixtureRequest, build: Path) -> dict[str, str | Path]:
    switch = {"ESPALIER": "off"} if request.param == "off" else {}
    return {"LD_PRELOAD": build / "lib" / "libespalier.so", **switch}


@pytest.mark.parametrize("mpi", matrix(EVERY_MPI))
@pytest.mark.parametrize("linked", ["alone", "before the MPI"])
def test_stand_in_gets_the_calls_of_a_serial_program(
    mpi: Mpi, linked: str, stand_in: Path, environment: dict[str, str | Path], tmp_path: Path
) -> None:
    program = tmp_path / "serial"
    flags = ["-w", "-Wl,--no-as-needed", f"-L{stand_in}", "-lstandin", f"-Wl,-rpath,{stand_in}"]
    if linked == "alone":
        checked(["cc", "-o", str(program), str(PRELOAD_TESTS / "serial.c"), *flags])
    else:
        mpi.compile([PRELOAD_TESTS / "serial.c"], program, flags)
    done = mpi.run(RANKS, [program], environment)
    assert done.stdout == RANKS * SERIAL_RESULT
    assert "espalier: " not in done.stderr


@pytest.mark.parametrize("mpi", matrix(WITH_MPI4PY, "python"))
@pytest.mark.parametrize("when", ["first", "last"])
def test_stand_in_of_a_plugin_is_left_alone_and_the_mpi_is_served(
    mpi: Mpi, when: str, stand_in: Path, build: Path, tmp_path: Path
) -> None:
    assert mpi.python
    script = ROOT / "tests" / "apps" / "interception" / "next_to_standin.py"
    report = tmp_path / "report.json"
    environment = {"LD_PRELOAD": build / "lib" / "libespalier.so", "ESPALIER_REPORT": report}
    done = mpi.run(RANKS, [mpi.python, script, stand_in / "plugin.so", when], environment)
    assert sorted(done.stdout.splitlines()) == [f"rank {rank}: 0 wrong" for rank in range(RANKS)]
    assert "espalier: " not in done.stderr
    calls = {row["collective"]: row["calls"] for row in json.loads(report.read_text())["rows"]}
    assert calls["barrier"] == 2 * RANKS
