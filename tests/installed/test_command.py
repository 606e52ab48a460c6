# SPDX-License-Identifier: Apache-2.0
"""The installed command, as a user of the machine has it, after the tree was moved."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from conftest import ROOT, as_anyone, run
from mpis import Mpi, matrix

from espalier.commands import COMMANDS, HERE

OURS = [name for name, package in COMMANDS.items() if package == HERE]


def test_it_finds_its_parts_where_they_lie_now(moved: Path) -> None:
    answer = json.loads(as_anyone(moved / "bin/espalier", "info", "--json"))
    assert answer["preload"] == str(moved / "lib/libespalier.so")


def test_a_link_to_it_is_as_good(moved: Path, tmp_path: Path) -> None:
    link = tmp_path / "espalier"
    link.symlink_to(moved / "bin/espalier")
    assert run(link, "--version", environment={}).stdout == "Espalier 0.1.0\n"


@pytest.mark.parametrize(
    "words",
    [
        ["explain", "allreduce", "--bytes", "1MiB", "--ranks", "64"],
        ["draw", "allreduce:ring", "--ranks", "2"],
        ["verify", "bcast:chain", "--ranks", "5"],
        ["topo", "--torus", "3x3"],
        ["halo"],
        ["levels", "--node", "two-cores"],
        ["memory", "list", "--directory", "/nowhere"],
    ],
    ids=lambda words: words[0],
)
def test_what_needs_no_mpi_works(moved: Path, words: list[str]) -> None:
    assert as_anyone(moved / "bin/espalier", *words)


def test_a_place_that_nothing_is_preloaded_from_is_refused(moved: Path, tmp_path: Path) -> None:
    tree = tmp_path / "two words"
    tree.symlink_to(moved)
    spaced = Path(shutil.copytree(moved, tmp_path / "a copy"))
    done = run(spaced / "bin/espalier", "run", "--", "/bin/true", environment={}, status=2)
    assert "whose path holds a space" in done.stderr
    assert run(tree / "bin/espalier", "run", "--", "/bin/true", environment={})


@pytest.mark.on_any_mpi
@pytest.mark.parametrize("mpi", matrix(["openmpi5", "mpich5", "openmpi4", "mpich4"]))
def test_a_program_runs_under_it_and_the_story_is_written(moved: Path, tmp_path: Path, mpi: Mpi) -> None:
    program = mpi.compile([ROOT / "tests/cli/sum.c"], tmp_path / "sum")
    page = tmp_path / "run.html"
    done = run(moved / "bin/espalier", "run", "--report", page, "--", *mpi.command(2, [program]))
    assert re.search(r"\d+ of \d+ calls|[\d,]+ of [\d,]+ calls", done.stderr)
    assert "<html" in page.read_text()


def test_without_the_tool_programs_run_and_the_rest_says_what_is_missing(moved: Path, tmp_path: Path) -> None:
    tree = Path(shutil.copytree(moved, tmp_path / "tree"))
    (tree / "bin/espalier-tool").unlink()
    assert run(tree / "bin/espalier", "run", "--", "/bin/echo", "started", environment={}).stdout == "started\n"
    assert run(tree / "bin/espalier", "--version", environment={}).stdout == "Espalier 0.1.0\n"
    assert run(tree / "bin/espalier", "memory", "list", "--directory", "/nowhere", environment={}).stdout
    refused = run(tree / "bin/espalier", "explain", "bcast", environment={}, status=2)
    assert "building it takes CLI11" in refused.stderr


def test_it_writes_nothing_next_to_itself(moved: Path) -> None:
    before = set(moved.rglob("*"))
    run(moved / "bin/espalier", "explain", "bcast", environment={})
    assert set(moved.rglob("*")) == before


def test_only_commands_that_are_there_are_listed_and_examples_say_how_it_is_called(moved: Path) -> None:
    text = as_anyone(moved / "bin/espalier", "--help")
    assert [name for name in COMMANDS if re.search(rf"│ {name} ", text)] == OURS
    assert "./espalier" not in as_anyone(moved / "bin/espalier", "explain", "--help")


def test_without_a_python_it_says_what_is_missing_and_what_goes_without(moved: Path, tmp_path: Path) -> None:
    for name in ("sh", "readlink", "dirname"):
        (tmp_path / name).symlink_to(shutil.which(name) or name)
    done = run(moved / "bin/espalier", "info", environment={"PATH": str(tmp_path)}, status=2)
    assert "needs Python 3.9 or later" in done.stderr
    assert f"LD_PRELOAD={moved}/lib/libespalier.so" in done.stderr


def test_without_its_packages_it_names_them_and_how_to_get_them(moved: Path, tmp_path: Path) -> None:
    tree = Path(shutil.copytree(moved, tmp_path / "tree"))
    shutil.rmtree(tree / "share/espalier/packages")
    done = run("python3", "-S", tree / "share/espalier/python", "info", environment={}, status=1)
    assert "lacks typer, rich" in done.stderr
    assert f"--target {tree}/share/espalier/packages" in done.stderr


@pytest.mark.skipif(shutil.which("pypy3") is None, reason="there is no other Python that is as old: pypy3 is a 3.9")
@pytest.mark.parametrize("words", [["info"], ["explain", "bcast", "--bytes", "8"], ["memory", "list"], ["--help"]])
def test_it_runs_on_an_older_python(moved: Path, words: list[str], tmp_path: Path) -> None:
    home = {"HOME": str(tmp_path / "home")}
    assert run("pypy3", "-B", moved / "share/espalier/python", *words, environment=home).stdout


@pytest.mark.parametrize("command", OURS)
def test_the_manual_page_has_every_option_of_the_help(moved: Path, command: str) -> None:
    page = (moved / f"share/man/man1/espalier-{command}.1").read_text().replace("\\-", "-")
    shown = as_anyone(moved / "bin/espalier", command, "--help", environment={"COLUMNS": "100"})
    options = re.findall(r"^│ +(?:\* +)?(--[a-z-]+)", shown, re.MULTILINE)
    assert [option for option in options if option not in page] == []


@pytest.mark.skipif(shutil.which("man") is None, reason="there is no man")
def test_the_manual_is_read_without_a_warning(moved: Path) -> None:
    for page in (moved / "share/man/man1").iterdir():
        done = run("man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", page)
        assert done.stderr == ""
        assert "Espalier 0.1.0" in done.stdout


SHELLS = {
    "bash": "source {file}; COMP_WORDS=(espalier exp); COMP_CWORD=1; _espalier_completion espalier; echo $COMPREPLY",
    "zsh": "autoload -U compinit; compinit -u -D; fpath+=({file:h}); source {file}; whence -w _espalier_completion",
    "fish": "source {file}; complete -C 'espalier exp'",
}
FILES = {
    "bash": "bash-completion/completions/espalier",
    "zsh": "zsh/site-functions/_espalier",
    "fish": "fish/vendor_completions.d/espalier.fish",
}


@pytest.mark.parametrize("shell", SHELLS)
def test_shells_complete_its_words(moved: Path, shell: str) -> None:
    file = moved / "share" / FILES[shell]
    assert "espalier" in file.read_text()
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell}")
    words = SHELLS[shell].replace("{file:h}", f"'{file.parent}'").replace("{file}", f"'{file}'")
    done = run(shell, "-c", words, environment={"PATH": f"{moved}/bin:/usr/bin:/bin"}, status=None)
    assert ("function" if shell == "zsh" else "explain") in done.stdout, done.stderr
