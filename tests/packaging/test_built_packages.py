# SPDX-License-Identifier: Apache-2.0
"""Recipes as those read and build them whom they are for. Takes long and much that is installed for this alone, so only
`make test-packages` does it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import mpis
import pytest
from drawn import IS_THOROUGH

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ROOT / ".deps/packages/bin"
NOBODY = 65534
MODULE_COMMAND = "/usr/lib/x86_64-linux-gnu/modulecmd.tcl"
# Who builds a package has this, and no rights.
PLAIN = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"}

pytestmark = pytest.mark.skipif(not IS_THOROUGH, reason="takes long: make test-packages")


def as_anyone(*words: str | Path, folder: Path, environment: Mapping[str, str] | None = None) -> str:
    done = subprocess.run(
        [str(word) for word in words],
        cwd=folder,
        env={**PLAIN, "HOME": str(folder), **(environment or {})},
        user=NOBODY if os.geteuid() == 0 else None,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode != 0:
        raise AssertionError(f"{words[0]} ended with {done.returncode}:\n{done.stdout[-5000:]}")
    return done.stdout


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """One that anyone may write to; pytest's own are closed to others whenever another run of it begins."""
    with tempfile.TemporaryDirectory(prefix="espalier-packages-") as name:
        place = Path(name)
        place.chmod(0o777)
        yield place


@pytest.fixture(scope="module")
def debian(folder: Path) -> Path:
    """Built by anyone, without a network, in a copy of the sources."""
    if shutil.which("dpkg-buildpackage") is None or shutil.which("dh") is None:
        pytest.skip("dpkg-buildpackage or debhelper is not installed")
    place = folder / "debian"
    subprocess.run([ROOT / "scripts/debian-packages", "--unpack", place], check=True)
    if os.geteuid() == 0:
        subprocess.run(["chown", "-R", str(NOBODY), place], check=True)
    (sources,) = (path for path in place.iterdir() if path.is_dir())
    as_anyone("unshare", "--map-root-user", "--net", "dpkg-buildpackage", "-us", "-uc", "-b", folder=sources)
    return place


@pytest.fixture(scope="module")
def unpacked(debian: Path, folder: Path) -> Path:
    root = folder / "root"
    for package in debian.glob("*.deb"):
        if "dbgsym" not in package.name:
            as_anyone("dpkg-deb", "-x", package, root, folder=folder)
    return root


def test_debian_has_the_four_packages(debian: Path) -> None:
    built = {path.name.partition("_")[0] for path in debian.glob("*.deb")}
    assert built - {"espalier-dbgsym", "libespalier-preload-dbgsym"} == {
        "espalier",
        "libespalier-preload",
        "libespalier-dev",
        "espalier-doc",
    }


def test_lintian_finds_nothing_but_that_nobody_asked_for_the_package(debian: Path, folder: Path) -> None:
    if shutil.which("lintian") is None:
        pytest.skip("lintian is not installed")
    found = as_anyone("lintian", *debian.glob("*.deb"), folder=folder)
    complaints = [line for line in found.splitlines() if re.match(r"[EW]:", line)]
    assert [line for line in complaints if "initial-upload-closes-no-bugs" not in line] == []


@pytest.mark.parametrize("mpi", mpis.matrix(["openmpi4", "mpich4"]))
def test_debians_command_runs_debians_mpis(unpacked: Path, folder: Path, mpi: mpis.Mpi) -> None:
    program = mpi.compile([ROOT / "tests/cli/sum.c"], folder / f"sum-{mpi}")
    words = [unpacked / "usr/bin/espalier", "run", "--algorithm", "allreduce:ring", "--", *mpi.command(2, [program])]
    said = as_anyone(*words, folder=folder)
    assert "sum 2" in said
    assert re.search(r"Allreduce .* ring", said)


def test_debians_command_has_manual_pages_and_the_tool(unpacked: Path, folder: Path) -> None:
    assert "espalier-run" in as_anyone("ls", unpacked / "usr/share/man/man1", folder=folder)
    assert "reduce:binary" in as_anyone(unpacked / "usr/bin/espalier", "verify", "reduce:linear", folder=folder)


def test_easybuild_reads_the_easyconfig_and_knows_all_of_its_dependencies(folder: Path) -> None:
    if not (TOOLS / "eb").exists():
        pytest.skip("EasyBuild is not installed: scripts/setup packages")
    home = folder / "easybuild"
    (home / "modules/libexec").mkdir(parents=True)
    (home / "modules/libexec/modulecmd.tcl").symlink_to(MODULE_COMMAND)
    home.chmod(0o777)
    (file,) = (ROOT / "packaging/easybuild").glob("*.eb")
    shutil.copy(file, home)
    environment = {
        "PATH": f"{TOOLS}:{PLAIN['PATH']}",
        "MODULESHOME": str(home / "modules"),
        "EASYBUILD_MODULES_TOOL": "EnvironmentModules",
        "EASYBUILD_MODULE_SYNTAX": "Tcl",
        "EASYBUILD_ALLOW_MODULES_TOOL_MISMATCH": "1",
    }
    assert "All contribution checks PASSed" in as_anyone(
        TOOLS / "eb", "--check-contrib", file.name, folder=home, environment=environment
    )
    planned = as_anyone(TOOLS / "eb", "--dry-run", "--robot", file.name, folder=home, environment=environment)
    for module in ("gompi/2025b", "CLI11/", "nlohmann_json/", "hwloc/", "Python-bundle-PyPI/", "espalier/"):
        assert f"(module: {module}" in planned, planned


def test_rattler_build_renders_a_package_for_each_mpi() -> None:
    if not (TOOLS / "python").exists():
        pytest.skip("rattler-build is not installed: scripts/setup packages")
    script = """
import sys
from rattler_build import Stage0Recipe, VariantConfig
variants = VariantConfig.from_file(f"{sys.argv[1]}/variants.yaml")
for rendered in Stage0Recipe.from_file(f"{sys.argv[1]}/recipe.yaml").render(variants):
    recipe = rendered.recipe.to_dict()
    print(recipe["build"]["string"].split("_h")[0], *recipe["requirements"]["host"])
"""
    words = [TOOLS / "python", "-c", script, ROOT / "packaging/conda"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert sorted(done.stdout.splitlines()) == [
        f"mpi_{mpi} cli11 libhwloc nlohmann_json {mpi}" for mpi in ("mpich", "openmpi")
    ]


def test_spacks_recipe_compiles() -> None:
    file = ROOT / "packaging/spack/packages/espalier/package.py"
    compile(file.read_text(), str(file), "exec")
