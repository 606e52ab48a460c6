# SPDX-License-Identifier: Apache-2.0
"""What the tree itself says of what all recipes repeat."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def version() -> str:
    (found,) = re.findall(r"^project\(Espalier VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)
    return str(found)


@pytest.fixture(scope="session")
def cmake_version() -> str:
    asked = re.compile(r"^cmake_minimum_required\(VERSION ([\d.]+?)(?:\.{3}|\))", re.MULTILINE)
    (found,) = asked.findall((ROOT / "CMakeLists.txt").read_text())
    return str(found)


@pytest.fixture(scope="session")
def python_packages() -> set[str]:
    """What the command needs on a Python that has tomllib."""
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    return {name for name in listed if "python_version" not in name}
