# SPDX-License-Identifier: Apache-2.0
"""Recipes agree with the tree: versions, what is built with what, and what the command needs."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGING = ROOT / "packaging"
OLDEST_TYPER = "0.12"
TOOL_NEEDS = {"cli11", "hwloc", "nlohmann-json"}


def text(name: str) -> str:
    return (PACKAGING / name).read_text()


def easyconfig() -> dict[str, Any]:
    """Its values, but for those that are put together."""
    (file,) = (PACKAGING / "easybuild").glob("*.eb")
    assigned = [one for one in ast.parse(file.read_text()).body if isinstance(one, ast.Assign)]
    values = {}
    for one in assigned:
        assert isinstance(one.targets[0], ast.Name)
        values[one.targets[0].id] = ast.literal_eval(one.value)
    return {**values, "file": file.name}


def spack_calls(function: str) -> list[str]:
    """The first arguments of all calls of a directive."""
    tree = ast.parse(text("spack/packages/espalier/package.py"))
    calls = [one for one in ast.walk(tree) if isinstance(one, ast.Call) and isinstance(one.func, ast.Name)]
    return [ast.literal_eval(one.args[0]) for one in calls if getattr(one.func, "id", "") == function]


def debian_field(name: str) -> set[str]:
    (listed,) = re.findall(rf"^{name}:\n((?: .*\n)+)", text("debian/control"), re.MULTILINE)
    return {one.strip() for one in listed.split(",") if one.strip()}


def names(listed: set[str] | list[str]) -> set[str]:
    return {re.split(r"[@ (:><|]", one.lower().replace("_", "-"))[0] for one in listed}


def conda_section(name: str) -> set[str]:
    (listed,) = re.findall(rf"^  {name}:\n((?:    .*\n)+)", text("conda/recipe.yaml"), re.MULTILINE)
    return set(re.findall(r"^    - (.*)$", listed, re.MULTILINE))


def test_every_recipe_is_of_this_version(version: str) -> None:
    assert text("debian/changelog").startswith(f"espalier ({version}-")
    assert easyconfig()["version"] == version
    assert easyconfig()["file"].startswith(f"espalier-{version}-")
    assert spack_calls("version") == [version]
    assert f'version: "{version}"' in text("conda/recipe.yaml")
    assert f"espalier-{version}.tar.gz" in text("README.md")


def test_every_recipe_asks_for_a_cmake_that_is_new_enough(cmake_version: str) -> None:
    assert f"cmake (>= {cmake_version})" in debian_field("Build-Depends")
    assert f"cmake@{cmake_version}:" in spack_calls("depends_on")
    assert f"cmake >={cmake_version}" in conda_section("build")
    built_with = dict(one[:2] for one in easyconfig()["builddependencies"])
    assert [int(part) for part in built_with["CMake"].split(".")][:2] >= [int(p) for p in cmake_version.split(".")]


def test_every_recipe_has_what_the_command_needs(python_packages: set[str]) -> None:
    wanted = names(list(python_packages))
    assert wanted <= {name.removeprefix("py-") for name in names(spack_calls("depends_on"))}
    assert wanted <= names(conda_section("run"))
    assert wanted <= names(conda_section("build"))
    assert wanted <= {name.removeprefix("python3-") for name in names(debian_field("Build-Depends"))}
    (needed,) = re.findall(r"^needed = (.*)$", text("debian/rules"), re.MULTILINE)
    assert wanted == {name.removeprefix("python3-") for name in names(needed.split(", "))}
    bundled = {"jinja2", "rich", "tomli-w"}  # in Python-bundle-PyPI
    assert wanted - bundled <= {one[0] for one in easyconfig()["exts_list"]}


def test_every_recipe_asks_for_the_same_typer() -> None:
    assert f"py-typer@{OLDEST_TYPER}:" in spack_calls("depends_on")
    assert f"typer >={OLDEST_TYPER}" in conda_section("run")
    assert f"python3-typer (>= {OLDEST_TYPER})" in text("debian/rules")
    assert f"python3-typer (>= {OLDEST_TYPER}) | python3-pip" in debian_field("Build-Depends")


def test_extensions_have_the_versions_that_the_installed_command_brings() -> None:
    pinned = set((ROOT / "requirements/command.txt").read_text().split())
    assert {f"{name}=={version}" for name, version, _ in easyconfig()["exts_list"]} <= pinned


def test_every_recipe_builds_the_tool_with_what_it_needs() -> None:
    assert names(spack_calls("depends_on")) >= TOOL_NEEDS
    assert {name.removeprefix("lib") for name in names(conda_section("host"))} >= TOOL_NEEDS
    built_with = easyconfig()["builddependencies"] + easyconfig()["dependencies"]
    assert names([one[0] for one in built_with]) >= TOOL_NEEDS
    assert {"libcli11-dev", "libhwloc-dev", "nlohmann-json3-dev"} <= debian_field("Build-Depends")


def test_debian_builds_with_libraries_that_the_tests_are_built_with() -> None:
    known = set((ROOT / "requirements/apt.txt").read_text().split())
    assert {name for name in debian_field("Build-Depends") if name.endswith("-dev")} <= known


def test_files_that_debian_names_are_installed_by_cmake() -> None:
    rules = (ROOT / "cmake/Install.cmake").read_text()
    for name in ("manifest.txt", "uninstall", "modulefiles", "layout.json"):
        assert name in rules + (ROOT / "cmake/install/After.cmake").read_text(), name


@pytest.mark.parametrize("script", ["scripts/source-archive", "scripts/debian-packages", "packaging/conda/build.sh"])
def test_a_script_is_one_that_its_shell_reads(script: str) -> None:
    done = subprocess.run(["bash", "-n", ROOT / script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
