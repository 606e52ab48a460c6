# SPDX-License-Identifier: Apache-2.0
"""The two Python packages: the second one uses the first one, which goes without it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from espalier.commands import COMMANDS, LAB

ROOT = Path(__file__).resolve().parents[2]


def said_of(folder: Path, **files: str) -> list[str]:
    """The complaints about a project with such files, `a__b` being a/b.py."""
    for name, text in {"espalier____init__": "", "espalier_lab____init__": "", **files}.items():
        package, _, module = name.partition("__")
        path = folder / "python" / package / f"{module}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    check = [sys.executable, str(ROOT / "tools" / "check_packages.py"), str(folder)]
    run = subprocess.run(check, capture_output=True, text=True, check=False)
    assert run.returncode == (1 if run.stdout else 0)
    assert run.stderr == ""
    return run.stdout.splitlines()


def test_the_second_package_imports_the_first(tmp_path: Path) -> None:
    assert said_of(tmp_path, espalier__run="import os\n", espalier_lab__compare="from espalier import run\n") == []


@pytest.mark.parametrize(
    "line", ["import espalier_lab.compare", "from espalier_lab import compare", "from espalier_lab.compare import row"]
)
def test_an_import_in_reverse_is_found_by_file_and_line_also_within_a_function(tmp_path: Path, line: str) -> None:
    (said,) = said_of(tmp_path, espalier__run=f"def run() -> None:\n    {line}\n")
    assert said.startswith("python/espalier/run.py:2: imports espalier_lab")


def test_a_file_that_is_too_long_is_to_be_divided(tmp_path: Path) -> None:
    assert said_of(tmp_path, espalier__run="\n" * 250) == []
    (said,) = said_of(tmp_path, espalier__run="\n" * 251)
    assert said.startswith("python/espalier/run.py: 251 lines")


def test_a_package_needs_a_place(tmp_path: Path) -> None:
    (said,) = said_of(tmp_path, attic__old="")
    assert said.startswith("python/attic: is no package")


@pytest.fixture
def alone(tmp_path: Path) -> Path:
    """A folder with the first package alone."""
    shutil.copytree(ROOT / "python" / "espalier", tmp_path / "espalier", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def espalier(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(folder), "COLUMNS": "120"}
    command = [sys.executable, "-m", "espalier", *words]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_the_first_package_goes_without_the_second(alone: Path) -> None:
    done = espalier(alone, "run", "--help")
    assert done.returncode == 0
    assert "MPI program" in done.stdout


def test_a_command_of_a_package_that_is_missing_says_so_whatever_its_arguments_are(alone: Path) -> None:
    done = espalier(alone, "lab", "compare", "torus", "--resume")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("espalier: lab: is a command of the Python package espalier_lab, which is not")


def test_help_lists_what_is_missing(alone: Path) -> None:
    shown = espalier(alone, "--help").stdout
    assert shown.count("Needs the package espalier_lab") == list(COMMANDS.values()).count(LAB)
