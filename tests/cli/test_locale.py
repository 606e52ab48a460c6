# SPDX-License-Identifier: Apache-2.0
"""Programs that call setlocale(), where numbers have decimal commas."""

import json
import shutil
import socket
import subprocess
from pathlib import Path

import mpis
import pytest
from conftest import Espalier

COMMA = Path(__file__).parent / "comma.c"
GERMAN = "de_DE.UTF-8"

MACHINE = """
hop_seconds = 2.5e-6
[rails]
nics = 1
rate = 1.25e9
nodes = ["{host}"]
"""


@pytest.fixture(scope="module")
def german(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a locale with decimal commas, which this machine need not have."""
    if not shutil.which("localedef") or not Path("/usr/share/i18n/locales/de_DE").exists():
        pytest.skip("no localedef, or nothing that it could make a locale of (package locales)")
    folder = tmp_path_factory.mktemp("locales")
    subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", folder / GERMAN], check=True, capture_output=True)
    return {"LOCPATH": str(folder), "LC_ALL": GERMAN}


@pytest.mark.parametrize("mpi", mpis.matrix(["openmpi5", "mpich5", "openmpi4", "mpich4"]))
def test_a_locale_with_decimal_commas_spoils_neither_the_report_nor_the_description_of_the_machine(
    espalier: Espalier, mpi: mpis.Mpi, german: dict[str, str], tmp_path: Path
) -> None:
    program = mpi.compile([COMMA], tmp_path / "comma")
    machine, file = tmp_path / "machine.toml", tmp_path / "report.json"
    machine.write_text(MACHINE.format(host=socket.gethostname()))
    words = ["run", "--json", file, "--set", f"topology={machine}", "--", mpi.launcher, *mpi.options, "-n", "2"]
    done = espalier(*words, program, environment=german)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "1,5\n"
    assert "espalier:" not in done.stderr
    (job,) = json.loads(file.read_text())["jobs"]
    assert all(row["seconds_max"] >= row["seconds_min"] > 0 for row in job["rows"])
