# SPDX-License-Identifier: Apache-2.0
"""Jobs under files of settings: the site's, the user's, and files that are none of theirs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from crowded import complaints
from mpis import ROOT, Mpi, checked, matrix

PROGRAM = Path(__file__).resolve().parent / "start" / "first_calls.c"
RANKS = 2
NOBODY = 65534
AS_NOBODY = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
# Runs the program with another value of $2 on rank 1.
ON_RANK_1 = 'case "${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-$PMI_ID}}" in 1) export "$1";; esac; shift; exec "$@"'


@pytest.fixture(scope="module", params=matrix(["openmpi5", "mpich5"]))
def mpi(request: pytest.FixtureRequest) -> Mpi:
    found: Mpi = request.param
    return found


@pytest.fixture(scope="module")
def program(mpi: Mpi, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return mpi.compile([PROGRAM], tmp_path_factory.mktemp("program") / "first_calls", ["-ldl"])


class Site:
    """A folder with the site's file in it."""

    def __init__(self, mpi: Mpi, program: Path, build: Path, folder: Path) -> None:
        self.mpi, self.program, self.build, self.folder = mpi, program, build, folder
        self.file = folder / "site" / "espalier.toml"
        self.file.parent.mkdir()
        self.settings: dict[str, str | Path] = {
            "LD_PRELOAD": build / "lib" / "libespalier.so",
            "ESPALIER_SITE_FILE": self.file,
            "XDG_CONFIG_HOME": folder / "config",
        }

    def write(self, text: str) -> None:
        self.file.write_text(text)

    def run(self, settings: Mapping[str, str | Path] | None = None, on_rank_1: str = "") -> tuple[int, list[str]]:
        """How many ranks were under Espalier, and what it had to say."""
        wrapper = ["sh", "-c", ON_RANK_1, "wrapper", on_rank_1] if on_rank_1 else []
        done = self.mpi.run(RANKS, [*wrapper, self.program, "allreduce"], {**self.settings, **(settings or {})})
        words = done.stdout.split()
        assert words[0] == "0", done.stdout
        return int(words[2]), complaints(done.stderr)


@pytest.fixture
def site(mpi: Mpi, program: Path, build: Path, tmp_path: Path) -> Site:
    return Site(mpi, program, build, tmp_path)


def info(build: Path, environment: Mapping[str, str | Path]) -> dict[str, Any]:
    """What the tool says of the settings, by name."""
    done = subprocess.run(
        [build / "bin" / "espalier-tool", "info", "--json"],
        env={name: str(value) for name, value in {**os.environ, **environment}.items() if name != "LD_PRELOAD"},
        capture_output=True,
        check=True,
    )
    answer: dict[str, Any] = json.loads(done.stdout)
    return {**answer, **{setting["name"]: setting for setting in answer["settings"]}}


def test_a_job_takes_the_settings_of_both_files_and_the_tool_says_so(site: Site, build: Path) -> None:
    site.write("cache = 3\nverbose = true\n")
    own = site.folder / "config" / "espalier" / "espalier.toml"
    own.parent.mkdir(parents=True)
    own.write_text("cache = 5\n")
    active, said = site.run()
    assert active == RANKS
    (line,) = (line for line in said if "ESPALIER_CACHE=5" in line)
    assert "ESPALIER_VERBOSE=" in line
    answer = info(build, site.settings)
    assert answer["ESPALIER_CACHE"] | {"origin": "user", "place": f"{own}:1"} == answer["ESPALIER_CACHE"]
    assert answer["ESPALIER_VERBOSE"]["place"] == f"{site.file}:2"
    assert answer["files"] == [str(own), str(site.file)]


def test_a_job_is_native_and_silent_where_a_file_switches_it_off(site: Site, build: Path) -> None:
    for text in ("enabled = false\n", '[off]\nprograms = ["first_*"]\n', f"[off]\nusers = [{os.geteuid()}]\n"):
        site.write(text)
        assert site.run({"ESPALIER": "on"}) == (0, [])
    site.write("cache = 3\n")
    assert site.run() == (RANKS, [])
    off = site.file.with_name("off")
    off.touch()
    assert site.run() == (0, [])
    assert info(build, site.settings)["off"] == str(off)
    off.unlink()
    assert site.run() == (RANKS, [])


def test_a_job_with_a_wrong_file_is_native_and_names_the_line(site: Site) -> None:
    site.write("\ncache = 0\n")
    expected = f"espalier: {site.file}:2: cache = 0: out of range; allowed: 1 to 4096. Disabled on all ranks."
    assert site.run() == (0, [expected])


def test_files_that_differ_between_ranks_switch_all_of_them_off(site: Site) -> None:
    site.write("cache = 3\n")
    other = site.folder / "other.toml"
    other.write_text("cache = 4\n")
    at_home = site.folder / "elsewhere" / "espalier" / "espalier.toml"
    at_home.parent.mkdir(parents=True)
    at_home.write_text("cache = 6\n")
    active, said = site.run(on_rank_1=f"XDG_CONFIG_HOME={site.folder / 'elsewhere'}")
    assert active == 0
    assert len(said) == 1
    assert "by files of settings" in said[0]
    at_home.write_text("enabled = false\n")
    assert site.run(on_rank_1=f"XDG_CONFIG_HOME={site.folder / 'elsewhere'}") == (0, [])
    at_home.write_text("nonsense = 3\n")
    active, said = site.run(on_rank_1=f"XDG_CONFIG_HOME={site.folder / 'elsewhere'}")
    assert active == 0
    assert any("nonsense: no such setting in a file" in line for line in said), said


def test_the_command_says_that_a_file_switched_the_job_off(site: Site) -> None:
    site.write("enabled = false\n")
    command = [str(ROOT / "espalier"), "run", "--", *site.mpi.command(RANKS, [site.program])]
    done = subprocess.run(
        command,
        env={**os.environ, "ESPALIER_SITE_FILE": str(site.file)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0
    expected = f"Espalier is switched off here ({site.file}:1: enabled = false)"
    assert "".join(expected.split()) in "".join(done.stderr.split())


def test_a_file_is_found_next_to_the_library(site: Site, build: Path) -> None:
    library = site.folder / "prefix" / "lib"
    shutil.copytree(build / "lib", library, ignore=lambda _, names: [one for one in names if not one.endswith(".so")])
    installed = site.folder / "prefix" / "etc" / "espalier" / "espalier.toml"
    installed.parent.mkdir(parents=True)
    installed.write_text("cache = 7\nverbose = 1\n")
    settings = {"LD_PRELOAD": library / "libespalier.so", "ESPALIER_SITE_FILE": "auto"}
    active, said = site.run(settings)
    assert active == RANKS
    assert any("ESPALIER_CACHE=7" in line for line in said)


@pytest.mark.skipif(os.geteuid() != 0, reason="takes root, to be two users")
def test_files_of_another_user_are_not_believed(site: Site) -> None:
    site.write("cache = 3\n")
    os.chown(site.file, NOBODY, NOBODY)
    active, said = site.run()
    assert active == 0
    assert len(said) == 1
    assert f"{site.file}: of user {NOBODY}" in said[0]
    site.file.unlink()
    site.file.symlink_to("/dev/null")
    active, said = site.run()
    assert active == 0
    assert "a link; allowed: a regular file" in said[0]


@pytest.mark.skipif(os.geteuid() != 0, reason="takes root, to be two users")
def test_a_user_believes_the_file_of_root_and_not_that_of_another_user(build: Path) -> None:
    folder = Path(checked(["mktemp", "-d", "/tmp/espalier-site-XXXXXX"]).stdout.strip())
    try:
        folder.chmod(0o755)
        file = folder / "espalier.toml"
        file.write_text("cache = 3\n")
        tool = [str(build / "bin" / "espalier-tool"), "info", "--json"]
        ask = ["env", f"ESPALIER_SITE_FILE={file}", *AS_NOBODY, *tool]
        assert '"3"' in checked(ask).stdout
        os.chown(file, 1, 1)
        refused = checked(ask, check=False)
        assert refused.returncode == 2
        assert f"{file}: of user 1, mode 0644" in refused.stderr
    finally:
        shutil.rmtree(folder)
