# SPDX-License-Identifier: Apache-2.0
"""The commands that start no MPI program, and what the documentation says about them."""

import json
import os
import re
from pathlib import Path

import pytest
from conftest import Espalier

from espalier import commands

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = (
    "run",
    "explain",
    "verify",
    "draw",
    "bench",
    "breadth",
    "nodes",
    "arrival",
    "selection",
    "tune",
    "halo",
    "pairs",
    "simulations",
)
OTHERS = ("levels", "simulate", "info", "site", "topo", "apps", "pairs", "short", "demo")
OF_THE_LAB = tuple(
    f"lab {name}" for name in ("run", "up", "exec", "status", "down", "compare", "figure", "apps", "waits")
)

OF_MEMORIES = (
    "memory list",
    "memory show",
    "memory drift",
    "memory forget",
    "memory pin",
    "memory unpin",
    "memory export",
)


@pytest.mark.parametrize("command", [*COMMANDS, *OTHERS, *OF_THE_LAB, *OF_MEMORIES])
def test_help_fits_80_columns_and_the_reference_names_every_option(espalier: Espalier, command: str) -> None:
    done = espalier(*command.split(), "--help", environment={"COLUMNS": "80"})
    assert done.returncode == 0
    assert max(map(len, done.stdout.splitlines())) <= 80
    reference = (ROOT / "docs/reference/command-line.md").read_text()
    section = reference.partition(f"\n## {command.split()[0]}\n")[2].partition("\n## ")[0]
    for option in set(re.findall(r"^│ +(--[a-z-]+)", done.stdout, re.MULTILINE)) - {"--help"}:
        assert f"`{option}" in section, f"{option} is missing in the reference"


def test_an_unknown_command_is_refused_with_status_2(espalier: Espalier) -> None:
    assert espalier("fly").returncode == 2


def test_the_version_is_printed(espalier: Espalier) -> None:
    assert re.fullmatch(r"Espalier \d+\.\d+\.\d+\n", espalier("--version").stdout)


@pytest.mark.parametrize("command", [*COMMANDS, "topo", "lab run", "pairs"])
def test_every_example_of_the_help_is_a_line_of_its_own(espalier: Espalier, command: str) -> None:
    lines = espalier(*command.split(), "--help", environment={"COLUMNS": "80"}).stdout.splitlines()
    examples = [line for line in lines if f"./espalier {command} " in line and "•" in line]
    assert examples
    assert all(line.count("./espalier") == 1 for line in examples)
    assert not any("./espalier" in line for line in lines if "•" not in line and "in front of" not in line)


def test_a_build_tree_that_is_none_is_refused_with_the_remedy(espalier: Espalier, tmp_path: Path) -> None:
    done = espalier("--build", tmp_path, "info")
    assert done.returncode == 2
    assert "make build" in done.stderr


def test_verify_answers_in_json(espalier: Espalier) -> None:
    done = espalier("verify", "barrier:dissemination", "--ranks", "1,2,5", "--json")
    answer = json.loads(done.stdout)
    assert done.returncode == 0
    assert answer["schedules"] > 0
    assert answer["failures"] == 0
    assert answer["seconds"] >= 0


def test_verify_says_in_a_sentence_what_was_proved(espalier: Espalier) -> None:
    assert "proved right" in espalier("verify", "bcast:linear", "--ranks", "4").stdout


@pytest.mark.parametrize(
    "words",
    [
        ["verify", "bcast:liner"],
        ["draw", "bcast:liner"],
        ["explain", "bcats"],
        ["bench", "--collective", "reduce,bcats"],
        ["run", "--algorithm", "bcats:chain", "--", "true"],
    ],
)
def test_a_misspelt_name_is_refused_with_the_one_that_was_meant(espalier: Espalier, words: list[str]) -> None:
    done = espalier(*words)
    assert done.returncode == 2
    assert "did you mean bcast" in done.stderr
    assert "espalier-tool" not in done.stderr


def test_explain_names_the_choice_and_its_reason(espalier: Espalier) -> None:
    words = ("explain", "bcast", "--bytes", "8", "--ranks", "4")
    forced = {"ESPALIER_ALGORITHM": "bcast:chain"}
    answer = json.loads(espalier(*words, "--json", environment=forced).stdout)
    assert (answer["chosen"], answer["reason"]) == ("chain", "forced")
    assert "bcast of 8 B among 4 ranks: chain\nforced\n" in espalier(*words, environment=forced).stdout


def test_explain_says_why_an_algorithm_is_unfit(espalier: Espalier) -> None:
    done = espalier("explain", "reduce", "--bytes", "8", "--ranks", "4", "--arithmetic", "rank_order")
    assert "does not commute" in " ".join(done.stdout.split())


def test_draw_writes_a_picture(espalier: Espalier, tmp_path: Path) -> None:
    file = tmp_path / "ring.svg"
    assert espalier("draw", "allreduce:ring", "--ranks", "4", "--svg", file).returncode == 0
    assert file.read_text().lstrip().startswith("<svg")


def test_the_example_in_the_documentation_is_what_draw_prints(espalier: Espalier) -> None:
    page = (ROOT / "docs" / "explanation" / "schedule.md").read_text()
    example = re.search(r"```\n(rank 0\n.*?)```", page, re.DOTALL)
    command = re.search(r"`\./espalier (draw reduce_scatter:ring [^`]*)`", page)
    assert example
    assert command
    assert example[1] in espalier(*command[1].split()).stdout


def test_the_figure_in_the_readme_is_what_draw_draws(espalier: Espalier, tmp_path: Path) -> None:
    file = tmp_path / "tree.svg"
    espalier("draw", "trinaryx3", "--torus", "3x3x3", "--svg", file)
    assert file.read_text() == (ROOT / "docs/figures/trinaryx3.svg").read_text()


def test_the_picture_of_a_packing_in_the_documentation_is_what_halo_draws(espalier: Espalier, tmp_path: Path) -> None:
    file = tmp_path / "halo.svg"
    espalier("halo", "--packer", "bottomleft(2)", "--svg", file)
    assert file.read_text() == (ROOT / "docs/figures/halo.svg").read_text()
    assert espalier("halo", "--svg", file).returncode == 2
    assert "allowed: roundrobin(1)" in espalier("halo", "--packer", "best").stderr


def test_simulate_plays_algorithms_and_refuses_what_it_does_not_know(espalier: Espalier) -> None:
    words = ("--torus", "3x3x3", "--bytes", "64KiB..128KiB", "--algorithm", "trinaryx3,segment=8KiB,ring")
    done = espalier("simulate", "allreduce", *words, "--json")
    rows = json.loads(done.stdout)
    assert [(row["algorithm"], row["bytes"]) for row in rows] == [
        ("trinaryx3", 65536),
        ("ring", 65536),
        ("trinaryx3", 131072),
        ("ring", 131072),
    ]
    assert all(row["seconds"] > 0 and row["messages"] > 0 and row["ranks"] == 27 for row in rows)
    assert "trinaryx3,segment=8KiB" in espalier("simulate", "allreduce", *words).stdout
    for wrong in (("--machine", "cray"), ("--torus", "3x3x3", "--algorithm", "fly"), ("--bytes", "8..4"), ()):
        refused = espalier("simulate", "allreduce", *wrong)
        assert refused.returncode == 2, wrong
    assert "k-48x6x32" in espalier("simulate", "allreduce", "--machine", "k-48x6x3").stderr


def test_levels_predicts_and_says_what_others_published(espalier: Espalier) -> None:
    done = espalier("levels", "allreduce", "--bytes", "8", "--all", "--json")
    (call,) = json.loads(done.stdout)["calls"]
    assert {one["library"] for one in call["published"]} == {"ext_mpi", "MPICH", "Open MPI"}
    assert [one["seconds"] for one in call["algorithms"]] == sorted(one["seconds"] for one in call["algorithms"])
    table = espalier("levels", "bcast", "--node", "two-cores", "--by", "mapped", "--segment", "16KiB").stdout
    assert max(map(len, table.splitlines())) <= 100
    wrong = espalier("levels", "--node", "epyc")
    assert wrong.returncode == 2
    assert "allowed: epyc-7742" in wrong.stderr


def test_topo_says_where_the_ranks_of_a_hostfile_sit(espalier: Espalier, tmp_path: Path) -> None:
    machine, hosts = tmp_path / "topology.conf", tmp_path / "hosts"
    machine.write_text("NodeName=n[000x220]\n")
    hosts.write_text("n000 slots=2\nn100:2\nn200\n")
    done = espalier("topo", machine, "--ranks", hosts)
    assert "5 ranks on 3 nodes: a whole ring of 3\n" in done.stdout, done.stderr
    answer = json.loads(espalier("topo", machine, "--ranks", hosts, "--json").stdout)
    assert [node["ranks"] for node in answer["job"]["nodes"]] == [[0, 1], [2, 3], [4]]
    hosts.write_text("n000\nn333\n")
    done = espalier("topo", machine, "--ranks", hosts)
    assert done.returncode == 2
    assert f"{hosts}:2: the machine has no node 'n333'" in done.stderr


def test_explain_shows_what_the_native_mpi_is_taken_for(espalier: Espalier) -> None:
    (line,) = re.findall(
        r"^native.*$", espalier("explain", "bcast", "--bytes", "1MiB", "--torus", "3x3x3").stdout, re.M
    )
    assert re.search(r"\d [um]s$", line)


@pytest.mark.parametrize("words", [["draw", "bcast:chain", "--svg"], ["topo", "--torus", "3x3", "--svg"]])
def test_a_picture_that_cannot_be_written_is_refused(espalier: Espalier, words: list[str]) -> None:
    done = espalier(*words, "/nowhere/picture.svg")
    assert done.returncode == 2
    assert "there is no directory /nowhere" in done.stderr


def test_topo_shows_a_node(espalier: Espalier) -> None:
    export = ROOT / "tests/tool/machines/hwloc-nics-on-both-packages.xml"
    assert "4 devices with NICs" in espalier("topo", "--hwloc", export).stdout
    assert json.loads(espalier("topo", "--node", "--json").stdout)["processing_units"] >= 1
    assert espalier("topo", "--node", "--svg", "node.svg").returncode == 2


def test_no_preloaded_library_brings_an_hwloc_of_its_own(build: Path) -> None:
    libraries = list((build / "lib").glob("libespalier*.so"))
    assert libraries
    for library in libraries:
        assert b"hwloc_topology_" not in library.read_bytes(), f"{library}: an MPI's own hwloc could be another version"


def test_info_lists_settings_with_their_origins_mpis_and_algorithms(espalier: Espalier) -> None:
    done = espalier("info", "--json", environment={"ESPALIER_CACHE": "7"})
    answer = json.loads(done.stdout)
    origins = {setting["name"]: (setting["value"], setting["origin"]) for setting in answer["settings"]}
    assert origins["ESPALIER_CACHE"] == ("7", "environment")
    assert origins["ESPALIER"] == ("on", "default")
    assert answer["mpis"]
    assert {"collective": "allreduce", "name": "ring"}.items() <= next(
        item for item in answer["algorithms"] if item["name"] == "ring"
    ).items()


def test_info_passes_over_a_directory_of_path_that_cannot_be_looked_into(espalier: Espalier) -> None:
    path = os.pathsep.join([f"/{'x' * 300}", os.environ["PATH"]])
    done = espalier("info", "--json", environment={"PATH": path})
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["mpis"]


@pytest.mark.parametrize(
    "command",
    [
        "draw allreduce:rabenseifner --ranks 13",
        "draw bcast:circulant --ranks 9 --segments 16",
        "draw allreduce:trinaryx3_fused --torus 3x3x3",
        "info",
        "explain bcast --bytes 1MiB --torus 3x3x3",
        "explain allreduce --bytes 1MiB -n 8",
        "verify bcast:linear --ranks 3",
        "topo --torus 3x3",
        "topo --node",
    ],
)
def test_output_fits_80_columns(espalier: Espalier, command: str) -> None:
    lines = espalier(*command.split(), environment={"COLUMNS": "80"}).stdout.splitlines()
    assert max(len(line) for line in lines if "/" not in line) <= 80


def test_a_terminal_without_unicode_gets_its_tables_too(espalier: Espalier) -> None:
    done = espalier("explain", "bcast", "--ranks", "4", environment={"PYTHONIOENCODING": "latin-1"})
    assert done.returncode == 0, done.stderr
    assert "\n-----" in done.stdout
    assert "? ./espalier" in espalier("topo", "--help", environment={"PYTHONIOENCODING": "ascii"}).stdout


@pytest.mark.parametrize(
    "words",
    [
        ("demo", "--json"),
        ("apps", "--json"),
        ("pairs", "--json"),
        ("lab", "run", "ring:2", "--json", "FILE", "--", "true"),
        ("lab", "exec", "--json", "FILE", "--", "true"),
        ("lab", "outages", "--json"),
        ("lab", "figure", "torus", "--svg"),
        ("draw", "bcast:binary", "--svg"),
        ("topo", "--torus", "3x3", "--svg"),
        ("halo", "--packer", "fastest", "--svg"),
    ],
    ids=lambda words: "-".join(words[:2]),
)
def test_what_is_written_replaces_nothing_of_another_kind(
    espalier: Espalier, tmp_path: Path, words: tuple[str, ...]
) -> None:
    notes = tmp_path / "notes"
    notes.write_text('{"jobs": "mine"}')
    named = [str(notes) if word == "FILE" else word for word in words]
    done = espalier(*named, *([] if "FILE" in words else [notes]))
    assert done.returncode == 2, done.stderr
    assert f"{notes}: exists, and is not what this writes" in " ".join(done.stderr.split())
    assert notes.read_text() == '{"jobs": "mine"}'


def test_a_picture_replaces_a_picture_and_a_dash_prints_it(espalier: Espalier, tmp_path: Path) -> None:
    tree = tmp_path / "tree.svg"
    for _ in range(2):
        assert espalier("draw", "bcast:binary", "--ranks", "3", "--svg", tree).returncode == 0
    assert espalier("draw", "bcast:binary", "--ranks", "3", "--svg", "-").stdout == tree.read_text()
    assert "--svg -: standard output has all else" in espalier("topo", "--torus", "3x3", "--svg", "-").stderr


def test_a_command_alone_is_loaded_when_it_is_named() -> None:
    """And all of them, to suggest one, when none is."""
    names = set(commands.COMMANDS)
    group = commands.OnDemand()
    assert group.get_command(None, "info").name == "info"
    assert set(group.commands) == {"info"}
    assert group.get_command(None, "inof") is None
    assert set(group.commands) == set(group.list_commands(None)) == names
