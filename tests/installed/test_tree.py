# SPDX-License-Identifier: Apache-2.0
"""What is installed: it names no place, may be moved, is for everybody, and goes without a trace."""

from __future__ import annotations

import re
import shutil
import stat
from pathlib import Path

import pytest
from conftest import ROOT, install, run

BACKENDS = ("openmpi", "mpich", "abi")
BINARIES = ("bin/espalier-tool", "lib/libespalier.so", *(f"lib/libespalier-{mpi}.so" for mpi in BACKENDS))
MOST_BYTES = 5 << 20


def files_of(tree: Path) -> set[str]:
    return {str(path.relative_to(tree)) for path in tree.rglob("*") if not path.is_dir()}


def everything_of(tree: Path) -> set[str]:
    return {str(path.relative_to(tree)) for path in tree.rglob("*")}


def test_no_file_names_the_checkout_or_where_it_was_built_or_installed(installed: Path, build: Path) -> None:
    places = [str(place).encode() for place in (ROOT, build, installed)]
    found = [name for name in files_of(installed) if any(one in (installed / name).read_bytes() for one in places)]
    assert found == []


@pytest.mark.parametrize("name", BINARIES)
def test_no_library_looks_for_others_in_a_place_of_its_own(installed: Path, name: str) -> None:
    dynamic = run("readelf", "-d", installed / name).stdout
    assert "NEEDED" in dynamic
    assert "RPATH" not in dynamic
    assert "RUNPATH" not in dynamic


@pytest.mark.parametrize("name", [name for name in BINARIES if name.startswith("lib/")])
def test_what_is_preloaded_has_its_c_plus_plus_library_inside_and_shows_nothing_of_it(
    installed: Path, name: str
) -> None:
    assert "libstdc++" not in run("readelf", "-d", installed / name).stdout
    symbols = run("nm", "-D", installed / name).stdout
    assert not re.search(r"@(GLIBCXX|CXXABI)_", symbols)
    assert not re.search(r" [TWVu] _Z", symbols)


@pytest.mark.parametrize("name", BINARIES)
def test_debug_information_is_in_a_file_of_its_own_which_the_library_names(
    installed: Path, build: Path, name: str
) -> None:
    file = installed / name
    assert file.stat().st_size < MOST_BYTES
    sections = run("readelf", "-WS", file).stdout
    assert ".debug_info" not in sections
    assert ".symtab" not in sections
    assert ".gnu_debuglink" in sections
    assert f"{file.name}.debug".encode() in file.read_bytes()
    assert ".debug_line" in run("readelf", "-WS", build / "debug" / f"{file.name}.debug").stdout


def test_everybody_may_read_it_whatever_the_umask_was(installed: Path) -> None:
    for path in installed.rglob("*"):
        mode = stat.S_IMODE(path.stat().st_mode)
        wanted = 0o755 if path.is_dir() or mode & 0o100 else 0o644
        assert mode == wanted, f"{path}: {mode:o}"


def test_all_licences_come_along(installed: Path) -> None:
    documents = installed / "share/doc/Espalier"
    assert "Apache License" in (documents / "LICENSE").read_text()
    for folder in ("tomlplusplus", "libfabric"):
        assert (documents / "third_party" / folder / "LICENSE").is_file()
    packages = installed / "share/espalier/packages"
    for package in packages.glob("*.dist-info"):
        assert [path for path in package.rglob("*") if "licen" in path.name.lower() and path.is_file()], package.name
    assert not list(packages.rglob("*.so"))


def test_pages_link_to_each_other_as_in_the_source_tree(installed: Path) -> None:
    documents = installed / "share/doc/Espalier"
    for target in re.findall(r"\]\(([\w/.-]+)", (documents / "docs/README.md").read_text()):
        assert (documents / "docs" / target).exists(), target


def test_uninstalling_removes_what_was_installed_and_leaves_what_others_put_there(build: Path, tmp_path: Path) -> None:
    theirs = {"bin/other": "a program", "lib/cmake/Other.cmake": "", "share/man/man1/other.1": ""}
    for name, text in theirs.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    before = everything_of(tmp_path)
    install(build, tmp_path)
    install(build, tmp_path)  # what was there before is remembered
    stranger = tmp_path / "share/espalier/notes"
    stranger.write_text("kept")
    said = run("make", "-C", ROOT, "-s", "uninstall", f"PREFIX={tmp_path}").stdout
    assert f"{tmp_path}/share/espalier" in said
    assert everything_of(tmp_path) - before == {"share/espalier", "share/espalier/notes"}
    assert before <= everything_of(tmp_path)


def test_a_tree_that_was_moved_uninstalls_itself(installed: Path, tmp_path: Path) -> None:
    tree = Path(shutil.copytree(installed, tmp_path / "tree"))
    run(tree / "share/espalier/uninstall")
    assert not tree.exists()


def test_what_an_earlier_version_installed_goes_when_a_new_one_comes(build: Path, tmp_path: Path) -> None:
    install(build, tmp_path)
    manifest = tmp_path / "share/espalier/manifest.txt"
    old = tmp_path / "share/espalier/python/old.py"
    old.write_text("")
    manifest.write_text(manifest.read_text() + "file share/espalier/python/old.py\n")
    install(build, tmp_path)
    assert not old.exists()
    assert "old.py" not in manifest.read_text()


def test_the_manifest_names_each_file_and_no_other(installed: Path) -> None:
    lines = (installed / "share/espalier/manifest.txt").read_text().splitlines()
    assert {line.partition(" ")[2] for line in lines if line.startswith("file ")} == files_of(installed)
