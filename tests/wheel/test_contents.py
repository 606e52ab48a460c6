# SPDX-License-Identifier: Apache-2.0
"""What the wheel holds and says of itself, and that the source distribution has all that it was made of."""

from __future__ import annotations

import re
from pathlib import Path

from conftest import ROOT, run

from espalier.commands import COMMANDS, HERE

OURS = [name for name, package in COMMANDS.items() if package == HERE]
LICENCES = (
    "LICENSE",
    "third_party/libfabric/LICENSE",
    "third_party/tomlplusplus/LICENSE",
    "linked/libcli11-dev.txt",
    "linked/libcxx.txt",
    "linked/libhwloc-dev.txt",
    "linked/nlohmann-json3-dev.txt",
)


def one(unpacked: Path, pattern: str) -> Path:
    (found,) = unpacked.glob(pattern)
    return found


def test_the_licences_of_all_that_is_linked_come_along(unpacked: Path) -> None:
    there = one(unpacked, "*.dist-info/licenses")
    assert sorted(str(file.relative_to(there)) for file in there.rglob("*") if file.is_file()) == sorted(LICENCES)
    assert all((there / name).stat().st_size for name in LICENCES)


def test_it_says_what_it_needs(unpacked: Path) -> None:
    said = one(unpacked, "*.dist-info/METADATA").read_text()
    for package in ("jinja2", "rich", "tomli-w", "typer"):
        assert re.search(rf"^Requires-Dist: {package}>", said, re.MULTILINE)
    assert "Requires-Python: >=3.9\n" in said
    assert "License-Expression: Apache-2.0\n" in said


def test_it_holds_the_command_and_nothing_that_measures(unpacked: Path) -> None:
    assert "espalier = espalier.cli:main" in one(unpacked, "*.dist-info/entry_points.txt").read_text()
    assert {path.name for path in unpacked.iterdir() if "-" not in path.name} == {"espalier"}
    assert not list(unpacked.rglob("__pycache__"))


def test_a_manual_page_for_each_command_and_words_to_complete(unpacked: Path) -> None:
    share = one(unpacked, "*.data/data/share")
    pages = {path.name for path in (share / "man/man1").iterdir()}
    assert pages >= {"espalier.1", *(f"espalier-{command}.1" for command in OURS)}
    assert (share / "bash-completion/completions/espalier").is_file()
    assert (share / "fish/vendor_completions.d/espalier.fish").is_file()
    assert (share / "zsh/site-functions/_espalier").is_file()


def test_the_source_distribution_has_all_that_the_wheel_was_made_of(sources: Path) -> None:
    objects = ROOT / "build/wheel/objects"
    listed = run(["ninja", "-C", objects, "-t", "deps"]).stdout
    read = {Path(line.strip()) for line in listed.splitlines() if line.startswith("    ")}
    read = {file if file.is_absolute() else (objects / file).resolve() for file in read}
    ours = {file.relative_to(ROOT) for file in read if file.is_relative_to(ROOT)}
    ours = {file for file in ours if file.parts[0] not in ("build", ".deps")}
    assert len(ours) > 400
    assert [file for file in ours if not (sources / file).is_file()] == []
    for needed in (
        "cmake/portable/toolchain.cmake",
        "scripts/wheel",
        "requirements/wheel.txt",
        "tools/write_manual.py",
    ):
        assert (sources / needed).is_file(), needed
    for left_out in ("results", "build", ".deps"):
        assert not (sources / left_out).exists(), left_out
