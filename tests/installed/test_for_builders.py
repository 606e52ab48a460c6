# SPDX-License-Identifier: Apache-2.0
"""What those need who build against it, or load it as a module: pkg-config, and module files in Tcl and Lua."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from conftest import ROOT, run

TCL = (Path("/usr/lib/x86_64-linux-gnu/modulecmd.tcl"), Path("/usr/share/Modules/libexec/modulecmd.tcl"))
LMOD = (Path("/usr/share/lmod/lmod/libexec/lmod"), *Path("/usr/share/lmod").glob("*/libexec/lmod"))


def first_of(paths: tuple[Path, ...]) -> Path:
    found = next((path for path in paths if path.exists()), None)
    return found or pytest.skip(f"there is no {paths[0].name}")


@pytest.mark.skipif(shutil.which("pkg-config") is None, reason="there is no pkg-config")
def test_pkg_config_tells_how_to_build_against_it_where_it_lies_now(moved: Path, tmp_path: Path) -> None:
    search = {"PKG_CONFIG_PATH": str(moved / "lib/pkgconfig")}
    flags = run("pkg-config", "--cflags", "--libs", "espalier", environment=search).stdout.split()
    program = tmp_path / "consumer"
    run("cc", ROOT / "tests/consumer/consumer.c", "-o", program, *flags, environment={})
    said = run(program, environment={"LD_LIBRARY_PATH": str(moved / "lib")}).stdout
    assert said.startswith("Espalier 0.1.0, not active\n")
    preload = Path(run("pkg-config", "--variable=preload", "espalier", environment=search).stdout.strip())
    assert preload.resolve() == moved / "lib/libespalier.so"


@pytest.mark.parametrize("system", [TCL, LMOD], ids=["tcl", "lua"])
def test_a_module_names_where_it_lies_now(moved: Path, system: tuple[Path, ...]) -> None:
    command = first_of(system)
    environment = {"MODULEPATH": str(moved / "share/modulefiles"), "MODULESHOME": "/usr/share/modules"}
    said = run(command, "bash", "load", "espalier/0.1.0", environment=environment).stdout
    for wanted in (f"{moved}/bin", f"{moved}/share/man", f"{moved}/lib/pkgconfig", f"{moved}/lib/libespalier.so"):
        assert wanted in said, said
    assert ".." not in said.replace("...", "")
