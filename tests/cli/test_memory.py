# SPDX-License-Identifier: Apache-2.0
"""espalier memory: what was learnt is listed, shown, pinned and forgotten; files that are no good hurt nobody."""

import fcntl
import json
import os
import random
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import memories
import pytest
from conftest import ROOT, Espalier
from memories import FINGERPRINT, context, text
from spoilt import changed

from espalier.failure import Failure
from espalier.memory import belief, change, choice, contents, location, lock, stored
from espalier.memory.export import made, mpich_check, mpich_library, mpich_rules, openmpi_check, openmpi_rules
from espalier.memory.export.mpich_forms import ONE_FILE, TWO_FILES
from espalier.memory.export.openmpi_counterparts import Promises
from espalier.memory.export.targets import Target, target_of

RING = context("allreduce", 32768, 65535, "ring,segment=64KiB,window=4,radix=2", "native")
BCAST = context("bcast", 1024, 2047, "native", "chain,segment=16KiB", root=3, calls=7)
TWO = text(RING, BCAST)
Memory = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def memory(espalier: Espalier, tmp_path: Path) -> Memory:
    """memory("list"): in tmp_path/memory."""

    def call(verb: str, *words: str | Path, **environment: str) -> "subprocess.CompletedProcess[str]":
        return espalier("memory", verb, *words, "--directory", tmp_path / "memory", environment=environment)

    return call


def write(tmp_path: Path, content: str | bytes, fingerprint: str = FINGERPRINT) -> Path:
    return memories.write(tmp_path / "memory", content, fingerprint)


def words_of(printed: str) -> str:
    return " ".join(printed.split())


def test_a_directory_that_is_not_there_holds_nothing_and_is_not_made(memory: Memory, tmp_path: Path) -> None:
    done = memory("list")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Nothing was learnt yet" in done.stdout
    assert json.loads(memory("list", "--json").stdout)["files"] == []
    assert memory("forget", "--all").returncode == 0
    assert not (tmp_path / "memory").exists()


def test_list_has_a_row_for_each_file(memory: Memory, tmp_path: Path) -> None:
    write(tmp_path, TWO)
    os.utime(write(tmp_path, text(RING, ranks=16, nodes=8, pinned=True), "a" * 16), (1, 1))
    rows = memory("list", COLUMNS="100").stdout.splitlines()[2:]
    assert re.fullmatch(r"3f2a0000 +Open MPI v5.0.11 +4 +1 +2 +- +- +now", rows[0])
    assert re.fullmatch(r"aaaaaaaa +Open MPI v5.0.11 +16 +8 +1 +- +yes +[\d,]+ days", rows[1])
    one, other = json.loads(memory("list", "--json").stdout)["files"]
    assert (one["fingerprint"], one["ranks"], one["contexts"], one["pinned"]) == (FINGERPRINT, 4, 2, False)
    assert (other["nodes"], other["pinned"], other["is_used"]) == (8, True, True)


def test_short_fingerprints_differ(memory: Memory, tmp_path: Path) -> None:
    for last in "0123":
        write(tmp_path, TWO, f"3f2a00000000000{last}")
    assert "3f2a000000000003" in memory("list").stdout
    done = memory("show", "3f2a")
    assert done.returncode == 2
    assert "4 memories have a fingerprint that begins so" in done.stderr


def test_show_says_what_is_the_best_how_much_and_how_sure(memory: Memory, tmp_path: Path) -> None:
    write(tmp_path, TWO)
    lines = memory("show", "3f").stdout.splitlines()
    assert lines[0] == f"{FINGERPRINT}: 4 ranks on 1 node, Open MPI v5.0.11"
    assert next(line for line in lines if line.startswith("allreduce")).split()[-3:] == ["us", "2.00x", ">99.9%"]
    assert "(2.00x)" in next(line for line in lines if line.startswith("bcast root 3"))
    assert memory("show").stdout.splitlines()[0] == lines[0]
    (file,) = json.loads(memory("show", FINGERPRINT, "--json").stdout)["files"]
    first, second = file["contexts"]
    assert (first["best"], first["compared_with"]) == ("ring,segment=64KiB,window=4,radix=2", "native")
    assert (second["best"], second["root"]) == ("native", 3)
    assert first["times_faster"] == pytest.approx(2)


def test_nearly_equal_times_are_no_certainty() -> None:
    raw = text(context("bcast", 8, 15, "chain", "native", seconds=(1.0, 1.01), sd=0.1))
    (one,) = contents.read(raw).contexts
    rival = belief.rival_of_best(one)
    assert rival
    assert 0.5 < belief.probability_faster(one.best, rival) < 0.6


WRONG: dict[str, str | bytes] = {
    "is no UTF-8, from byte 15 on": b'format = 1\n# "\xff',
    "format 2 is another one than 1": TWO.replace("format = 1", "format = 2"),
    "no memory: it does not say 'format'": "x = 1\n",
    "is larger than 8 MiB": b"#" * (9 << 20),
    "there is no collective 'allredcue'": TWO.replace("allreduce", "allredcue"),
    "'ring,segment=64kB,window=4,radix=2': the segment is no size": TWO.replace("64KiB", "64kB"),
    "bytes_low is above bytes_high": TWO.replace("bytes_low = 32768", "bytes_low = 99999"),
    "'ranks' must be a whole number of at least 1": TWO.replace("ranks = 4", "ranks = 0"),
    "8 nodes for 4 ranks": TWO.replace("nodes = 1", "nodes = 8"),
    "root 3 of 2 ranks": TWO.replace("ranks = 4", "ranks = 2"),
    "'seconds' must be a number of at least 0": TWO.replace("0.0001", "nan", 1),
    "'candidates' must be a list, and not empty": re.sub(r"candidates = \[.*?\n\]", "candidates = []", TWO, flags=re.S),
    "nested too deeply": "format = 1\nx = " + "[" * 50000,
    "Unclosed inline table": TWO[:-20],
}


@pytest.mark.parametrize("why", WRONG)
def test_what_is_wrong_with_a_file_is_said_in_a_line_and_the_rest_goes_on(
    memory: Memory, tmp_path: Path, why: str
) -> None:
    path = write(tmp_path, WRONG[why], "0" * 16)
    write(tmp_path, TWO)
    done = memory("list")
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"espalier: {path}: ")
    assert why in line
    assert "3f2a" in done.stdout


def test_a_file_with_something_wrong_can_only_be_forgotten(memory: Memory, tmp_path: Path) -> None:
    path = write(tmp_path, b"rubbish", "0" * 16)
    write(tmp_path, TWO)
    done = memory("show")
    assert done.returncode == 1
    assert FINGERPRINT in done.stdout
    for verb in (["show", "0"], ["pin", "0"], ["export", "0", "--mpi", "openmpi"], ["forget", "0", "--bytes", "8"]):
        done = memory(*verb)
        assert done.returncode == 1
        assert "memory forget 0000000000000000" in words_of(done.stderr)
    assert path.exists()
    assert memory("forget", "0").returncode == 0
    assert not path.exists()


def test_a_fifo_a_directory_and_a_dangling_link_are_told_and_passed_over(memory: Memory, tmp_path: Path) -> None:
    write(tmp_path, TWO)
    os.mkfifo(tmp_path / "memory" / ("a" * 16 + ".toml"))
    (tmp_path / "memory" / ("b" * 16 + ".toml")).mkdir()
    (tmp_path / "memory" / ("c" * 16 + ".toml")).symlink_to("nowhere")
    (tmp_path / "memory" / "notes.toml").write_text("something else")
    done = memory("list")
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert ["no regular file" in line for line in lines] == [True, False, False]
    assert "Is a directory" in lines[1]
    assert "is a link" in lines[2]
    assert done.stdout.count("Open MPI") == 1


def test_a_file_of_another_version_is_shown_and_said_to_be_ignored(memory: Memory, tmp_path: Path) -> None:
    write(tmp_path, text(RING, library="0.0.9"))
    done = memory("list")
    assert done.returncode == 0
    assert "was written by Espalier 0.0.9; 0.1.0 ignores it" in done.stderr
    assert json.loads(memory("list", "--json").stdout)["files"][0]["is_used"] is False
    assert memory("pin", "3f").returncode == 2


def test_what_files_hold_does_nothing_to_a_terminal(memory: Memory, tmp_path: Path) -> None:
    write(tmp_path, text(RING, mpi=r"Bad\u001b[2J MPI", library=r"\u001b[31m"))
    for verb in ("list", "show"):
        done = memory(verb)
        assert "\x1b" not in done.stdout + done.stderr
        assert r"\x1b" in done.stdout


def test_a_directory_that_is_a_file_is_refused(espalier: Espalier, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    done = espalier("memory", "list", "--directory", file)
    assert done.returncode == 2
    assert "is no directory" in words_of(done.stderr)


@pytest.mark.parametrize(
    ("environment", "place"),
    [
        ({"ESPALIER_MEMORY": "/m", "XDG_CACHE_HOME": "/c", "HOME": "/h"}, "/m"),
        ({"XDG_CACHE_HOME": "/c", "HOME": "/h"}, "/c/espalier"),
        ({"XDG_CACHE_HOME": "", "HOME": "/h"}, "/h/.cache/espalier"),
        ({"XDG_CACHE_HOME": "c", "HOME": "/h"}, "/h/.cache/espalier"),
        ({"ESPALIER_MEMORY": "auto", "HOME": "/h"}, "/h/.cache/espalier"),
    ],
)
def test_the_place_is_the_librarys(environment: dict[str, str], place: str) -> None:
    assert location.directory_of(None, environment) == Path(place)
    assert location.directory_of(Path("/o"), environment) == Path("/o")


@pytest.mark.parametrize("environment", [{"ESPALIER_MEMORY": "", "HOME": "/h"}, {}])
def test_without_a_place_one_must_be_named(environment: dict[str, str]) -> None:
    with pytest.raises(Failure):
        location.directory_of(None, environment)


def test_pinning_says_so_in_the_file_and_loses_nothing_but_comments(memory: Memory, tmp_path: Path) -> None:
    strange = TWO.replace(
        "cores = 2", 'cores = 2\n"a b" = [1, 2.5, "\\u0007\\u007f\\"", true, {x = 1979-05-27}]\nfar = inf'
    )
    path = write(tmp_path, strange)
    path.chmod(0o640)
    done = memory("pin", "3f2a")
    assert done.returncode == 0, done.stderr
    for words in ("order of additions", "never write over", "last bits"):
        assert words in words_of(done.stdout)
    assert tomllib.loads(path.read_text()) == {**tomllib.loads(strange), "pinned": True}
    assert path.stat().st_mode & 0o777 == 0o640
    assert contents.read(path.read_text()).pinned
    assert "pinned" in memory("show", "3f").stdout
    assert memory("unpin", "3f2a").returncode == 0
    assert tomllib.loads(path.read_text()) == tomllib.loads(strange)
    assert {file.name for file in path.parent.iterdir()} == {path.name, ".lock"}


def shown_sum(*sizes: int, arithmetic: str = "commutative", collective: str = "allreduce") -> list[str]:
    return [context(collective, size, size, "ring", "native", arithmetic=arithmetic) for size in sizes]


def ranges(content: str) -> list[tuple[int, int]]:
    return [(one.bytes_low, one.bytes_high) for one in contents.read(content).contexts]


def test_widened_sizes_meet_at_their_geometric_mean_and_leave_no_gap(memory: Memory, tmp_path: Path) -> None:
    path = write(tmp_path, text(*shown_sum(512, 64, 4096)))
    done = memory("pin", "3f", "--widen")
    assert done.returncode == 0, done.stderr
    assert "Widened: 3 contexts" in done.stdout
    assert ranges(path.read_text()) == [(182, 1448), (1, 181), (1449, 16384)]
    assert contents.read(path.read_text()).pinned
    assert "Widened: 0 contexts" in memory("pin", "3f", "--widen").stdout
    assert ranges(path.read_text()) == [(182, 1448), (1, 181), (1449, 16384)]


def test_only_what_holds_for_a_single_size_is_widened_and_kinds_do_not_meet(memory: Memory, tmp_path: Path) -> None:
    others = [RING, BCAST, *shown_sum(64, arithmetic="exact"), *shown_sum(0), context("bcast", 64, 64, "native")]
    kinds = [*shown_sum(64, collective="scan"), *shown_sum(64), *shown_sum(128, arithmetic="rank_order")]
    path = write(tmp_path, text(*others, *kinds))
    before = ranges(path.read_text())
    assert memory("pin", "3f", "--widen").returncode == 0
    after = ranges(path.read_text())
    assert after[: len(others)] == before[: len(others)]
    assert after[len(others) :] == [(1, 256), (1, 32767), (1, 512)]  # RING holds from 32 KiB on


def test_what_is_within_a_widened_size_stays_a_single_one(memory: Memory, tmp_path: Path) -> None:
    wide = context("allreduce", 32, 128, "ring", "native")
    path = write(tmp_path, text(wide, *shown_sum(64, 8, 1024)))
    assert memory("pin", "3f", "--widen").returncode == 0
    assert ranges(path.read_text()) == [(32, 128), (64, 64), (1, 31), (129, 4096)]


def test_without_widen_sizes_stay(memory: Memory, tmp_path: Path) -> None:
    path = write(tmp_path, text(*shown_sum(64)))
    assert memory("pin", "3f").returncode == 0
    assert ranges(path.read_text()) == [(64, 64)]


def test_reductions_in_any_order_need_not_say_how_long_an_element_is(memory: Memory, tmp_path: Path) -> None:
    """The library says it only where it makes a difference."""
    write(tmp_path, text(context("allreduce", 8, 15, "ring", arithmetic="exact").replace("element_bytes = 8\n", "")))
    done = memory("show", "3f", "--json")
    assert done.returncode == 0, done.stderr
    assert "element_bytes" not in json.loads(done.stdout)["files"][0]["contexts"][0]


def test_contexts_are_forgotten_by_collective_and_size(memory: Memory, tmp_path: Path) -> None:
    path = write(tmp_path, TWO)
    assert memory("forget", "3f", "--collective", "bcast", "--bytes", "64KiB").returncode == 1
    assert path.read_text() == TWO
    assert "Forgotten: 1 context" in memory("forget", "3f", "--bytes", "33KiB").stdout
    assert [one.collective for one in contents.read(path.read_text()).contexts] == ["bcast"]
    assert "with them the file" in memory("forget", "3f", "--collective", "bcast,reduce").stdout
    assert not path.exists()


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["3f", "--all"],
        ["--all", "--collective", "bcast"],
        ["3f", "--collective", "bcats"],
        ["3f", "--bytes", "8k"],
        ["XY"],
        ["4"],
    ],
)
def test_an_unclear_wish_to_forget_is_refused(memory: Memory, tmp_path: Path, words: list[str]) -> None:
    path = write(tmp_path, TWO)
    assert memory("forget", *words).returncode == 2
    assert path.read_text() == TWO


def test_everything_is_forgotten_only_if_somebody_says_yes(memory: Memory, tmp_path: Path) -> None:
    paths = [write(tmp_path, text(RING, pinned=True)), write(tmp_path, b"rubbish", "0" * 16)]
    done = memory("forget", "--all")
    assert done.returncode == 2
    assert "2 memories" in done.stderr
    assert "1 of them pinned" in words_of(done.stderr)
    assert all(path.exists() for path in paths)
    assert memory("forget", "--all", "--yes").returncode == 0
    assert not any(path.exists() for path in paths)


@pytest.mark.parametrize(("answer", "stays"), [("n\n", True), ("y\n", False)])
def test_a_terminal_is_asked(build: Path, tmp_path: Path, answer: str, stays: bool) -> None:
    path = write(tmp_path, TWO)
    command = [ROOT / "espalier", "--build", build, "memory", "forget", "--all", "--directory", path.parent]
    terminal, other = os.openpty()
    os.write(terminal, answer.encode())
    done = subprocess.run(command, stdin=other, capture_output=True, text=True, timeout=60, check=False)
    os.close(terminal)
    os.close(other)
    assert "Forget 1 memory in" in done.stdout
    assert (done.returncode == 1, path.exists()) == (stays, stays)


def test_who_holds_the_lock_is_waited_for_but_not_endlessly(tmp_path: Path) -> None:
    with lock.held(tmp_path), pytest.raises(Failure, match="another process"), lock.held(tmp_path, patience=0.1):
        pass
    with lock.held(tmp_path, patience=0):
        pass


def test_the_lock_is_the_librarys(tmp_path: Path) -> None:
    with lock.held(tmp_path), (tmp_path / ".lock").open("w") as file, pytest.raises(BlockingIOError):
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_changes_of_many_processes_all_count(tmp_path: Path) -> None:
    """Each takes one context away, none brings one back."""
    path = write(tmp_path, text(RING, *(context("bcast", 2**k, 2**k, "native") for k in range(8))))
    command = [sys.executable, "-m", "espalier", "memory", "forget", "3f", "--directory", str(path.parent)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
    running = [
        subprocess.Popen([*command, "--bytes", str(2**k)], env=environment, stdout=subprocess.DEVNULL) for k in range(8)
    ]
    assert [process.wait(timeout=120) for process in running] == [0] * 8
    assert [one.collective for one in contents.read(path.read_text()).contexts] == ["allreduce"]


def test_what_cannot_be_locked_or_written_is_said(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path, TWO)
    (path.parent / ".lock").mkdir()
    done = memory("pin", "3f")
    assert done.returncode == 1
    assert "cannot be opened for writing" in words_of(done.stderr)
    (path.parent / ".lock").rmdir()

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Failure, match="could not be written: No space left"):
        change.rewrite(path, lambda memory: {**memory.raw, "pinned": True})
    assert path.read_text() == TWO
    assert {file.name for file in path.parent.iterdir()} == {path.name, ".lock"}


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_directory_that_may_not_be_written_is_read_all_the_same(memory: Memory, tmp_path: Path) -> None:
    path = write(tmp_path, TWO)
    path.parent.chmod(0o500)
    assert memory("list").returncode == 0
    done = memory("pin", "3f")
    path.parent.chmod(0o700)
    assert done.returncode == 1
    assert "Permission denied" in words_of(done.stderr)


def test_a_link_is_not_followed(memory: Memory, tmp_path: Path) -> None:
    real = tmp_path / "elsewhere.toml"
    real.write_text(TWO)
    link = tmp_path / "memory" / f"{FINGERPRINT}.toml"
    link.parent.mkdir()
    link.symlink_to(real)
    done = memory("pin", "3f2a")
    assert done.returncode == 1
    assert "is a link; allowed: a regular file" in words_of(done.stderr)
    assert real.read_text() == TWO


@pytest.mark.parametrize("mode", [0o666, 0o664])
def test_a_file_that_others_may_write_is_refused(memory: Memory, tmp_path: Path, mode: int) -> None:
    path = write(tmp_path, TWO)
    path.chmod(mode)
    done = memory("pin", "3f2a")
    assert done.returncode == 1
    assert f"of user {os.geteuid()}, mode {mode:04o}; allowed" in words_of(done.stderr)
    assert path.read_text() == TWO


def test_a_directory_that_others_may_write_is_refused_and_a_groups_if_nobody_said_so(
    memory: Memory, tmp_path: Path
) -> None:
    path = write(tmp_path, TWO)
    for mode, directory in ((0o1777, path.parent), (0o775, path.parent), (0o777, tmp_path)):
        directory.chmod(mode)
        done = memory("list")
        assert done.returncode == 1
        assert f"{directory}: of user" in words_of(done.stderr)
        directory.chmod(0o700)
    path.parent.chmod(0o775)
    path.chmod(0o664)
    assert memory("list", ESPALIER_MEMORY_TRUST="group").returncode == 0
    path.parent.chmod(0o755)
    path.chmod(0o644)
    tmp_path.chmod(0o1777)
    assert memory("list").returncode == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_strangers_file_and_directory_are_refused(memory: Memory, tmp_path: Path) -> None:
    path = write(tmp_path, TWO)
    os.chown(path, 65532, 65532)
    assert "of user 65532" in words_of(memory("list").stderr)
    os.chown(path, 0, 0)
    os.chown(path.parent, 65532, 65532)
    assert f"{path.parent}: of user 65532" in words_of(memory("list").stderr)


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "Ring",
        "native,segment=8",
        "ring,",
        "ring,segment",
        "ring,segment=-1",
        "ring,segment=2GiB",
        "ring,segment=255",
        "ring,window=0",
        "ring,window=65",
        "ring,radix=1",
        "ring,radix=2,radix=2",
        "ring,colour=2",
        "ring,window=\u0663",
    ],
)
def test_what_is_no_choice_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match=r"'.*'"):
        choice.read(wrong)


ODD: list[Any] = [True, -1, 10**400, 1e308, float("nan"), "", "\x1b[2J\x7f", [], {}, [[]], [{"rows": 1}]]


def test_any_file_is_read_or_refused_and_written_as_it_was(tmp_path: Path) -> None:
    chance = random.Random(7)
    whole = tomllib.loads(TWO)
    right = 0
    for _ in range(500):
        value = changed(whole, ODD, chance)
        written = change.text_of(value)
        assert repr(tomllib.loads(written)) == repr(tomllib.loads(change.text_of(tomllib.loads(written))))
        file = stored.read(write(tmp_path, written))
        assert bool(file.memory) != bool(file.wrong)
        right += bool(file.memory)
    assert 0 < right < 400
    encoded = TWO.encode()
    for _ in range(500):
        at = chance.randrange(len(encoded))
        torn = encoded[:at] + bytes([chance.randrange(256)]) + encoded[at + chance.randrange(2) :]
        file = stored.read(write(tmp_path, torn[: chance.randrange(len(torn)) if chance.random() < 0.2 else None]))
        assert bool(file.memory) != bool(file.wrong)


# Exports. That the MPIs do what these files say is seen by tests/apps/test_exported_rules.py.


MPICH_5 = Target("mpich", (5, 0, 2))


def read_export(
    *contexts: str,
    ranks: int = 4,
    nodes: int = 1,
    all_commute: bool = True,
    same_types: bool = False,
    version: tuple[int, ...] = (5, 0, 11),
) -> made.Export:
    memory = contents.read(text(*contexts, ranks=ranks, nodes=nodes))
    return made.for_openmpi(memory, Path("rules.conf"), Promises(all_commute, same_types), Target("openmpi", version))


def numbers_in(rules: str) -> list[list[int]]:
    lines = [line.partition("#")[0].split() for line in rules.splitlines() if not line.startswith("rule-file")]
    return [list(map(int, line)) for line in lines]


def test_rules_for_open_mpi_hold_for_their_sizes_and_ranks_only() -> None:
    (rules,) = read_export(RING).files.values()
    ring = [[0] * 4, [32768, 4, 0, 0], [65536, 0, 0, 0]]
    assert numbers_in(rules) == [[1], [2], [3], [0, 1], [0] * 4, [4, 3], *ring, [5, 1], [0] * 4]


def test_only_numbers_of_requests_make_a_file_that_open_mpi_4_does_not_read() -> None:
    spread = context("alltoall", 1024, 2047, "spread,window=2", "native")
    (rules,) = read_export(spread).files.values()
    assert rules.startswith("rule-file-version-2\n1 ")
    assert [4096, 4, 0, 0, 2] in numbers_in(rules)
    (rules,) = read_export(RING).files.values()
    assert rules.startswith("1 ")
    for version in ((4, 1, 4), (5, 0, 6)):
        export = read_export(spread, RING, version=version)
        assert "no numbers of requests" in export.left_out[0].why
        assert next(iter(export.files.values())).startswith("1 ")


def test_rules_for_open_mpi_6_are_json_that_says_something_of_every_size() -> None:
    (rules,) = read_export(RING, version=(6,)).files.values()
    tree = json.loads(rules)
    assert (tree["rule_file_version"], tree["module"]) == (3, "tuned")
    exact, others = tree["collectives"]["allreduce"]
    assert (exact["comm_size_min"], exact["comm_size_max"], exact["comm_rank_distribution"]) == (4, 4, "single-node")
    ring, own = exact["rules"]
    assert (ring["msg_size_min"], ring["msg_size_max"], ring["alg"]) == (32768, 65535, 4)
    assert (own["msg_size_min"], own["msg_size_max"], own["alg"]) == (0, "inf", "ignore")
    assert (others["comm_size_min"], others["comm_rank_distribution"], others["rules"]) == (0, "any", [own])
    spread = json.loads(read_export(RING, nodes=4, version=(6,)).files[Path("rules.conf")])
    assert spread["collectives"]["allreduce"][0]["comm_rank_distribution"] == "one-per-node"


@pytest.mark.parametrize("version", [(4, 1), (5,), (6,)])
def test_what_is_made_for_open_mpi_is_read_back_before_it_is_written(version: tuple[int, ...]) -> None:
    rules = made.made_of(
        contents.read(text(RING)).contexts,
        lambda one: made.openmpi_counterparts.counterpart(one, 4, Promises(True)),
        lambda one: openmpi_rules.sizes_seen(one, 4),
    )
    (right,) = read_export(RING, version=version).files.values()
    openmpi_check.check(right, rules, 4, Promises(True))
    wrong = [right.replace("32768", "32769"), right.replace("65536", "65535"), right[:-9], ""]
    wrong += [right.replace("\n4 3", "\n3 3"), right.replace('"comm_size_min": 4', '"comm_size_min": 3')]
    for text_ in wrong:
        if text_ != right:
            with pytest.raises(Failure, match="Nothing was written"):
                openmpi_check.check(text_, rules, 4, Promises(True))
    with pytest.raises(Failure, match="must not run"):
        openmpi_check.check(right, rules, 4, Promises(False))


@pytest.mark.parametrize(
    ("word", "learnt", "name"),
    [
        (None, "Open MPI v5.0.11, package: x", "Open MPI 5.0.11"),
        (None, "MPICH Version: 4.0.2\\nMPICH Release", "MPICH 4.0.2"),
        ("openmpi", "Open MPI v4.1.4", "Open MPI 4.1.4"),
        ("openmpi4.1", "Open MPI v5.0.11", "Open MPI 4.1"),
        ("openmpi6", "MPICH Version: 5.0.2", "Open MPI 6"),
        ("mpich5.1", "MPICH Version: 5.0.2", "MPICH 5.1"),
    ],
)
def test_an_export_is_for_the_mpi_that_is_named_or_learnt_under(word: str | None, learnt: str, name: str) -> None:
    assert str(target_of(word, contents.read(text(RING, mpi=learnt)))) == name


@pytest.mark.parametrize("word", ["openmpi3", "openmpi4.0", "mpich3.4", "openmpi5.x", "mvapich", "mpich-5"])
def test_an_mpi_whose_rules_are_not_known_is_refused(word: str) -> None:
    with pytest.raises(Failure, match=f"--mpi {word}"):
        target_of(word, contents.read(text(RING)))
    with pytest.raises(Failure, match="not known"):
        target_of(None, contents.read(text(RING, mpi="Fujitsu MPI")))


def test_where_blocks_are_counted_together_sizes_are_multiplied() -> None:
    export = read_export(context("alltoall", 1024, 2047, "bruck", "native"), ranks=6)
    assert [6144, 3, 0, 0] in numbers_in(export.files[Path("rules.conf")])
    assert [12288, 0, 0, 0] in numbers_in(export.files[Path("rules.conf")])


def test_neighbouring_classes_are_one_rule() -> None:
    export = read_export(RING, context("allreduce", 65536, 131071, "ring,segment=64KiB", "native"))
    (rules,) = export.files.values()
    assert numbers_in(rules)[6:9] == [[0] * 4, [32768, 4, 0, 0], [131072, 0, 0, 0]]
    assert len(export.mapped) == 2


def test_the_context_with_the_most_calls_decides() -> None:
    other = context("allreduce", 40000, 40000, "rabenseifner", "native", calls=10**6)
    export = read_export(RING, other)
    assert [one.context.calls for one in export.mapped] == [10**6]
    assert [one.why for one in export.left_out] == ["contexts with more calls say otherwise of these sizes"]
    native = context("allreduce", 32768, 65535, "native", "ring", calls=10**6)
    assert not read_export(RING, native).mapped


def test_without_the_users_word_nothing_is_said_that_breaks_operations_that_do_not_commute() -> None:
    doubling = context("allreduce", 8, 15, "recursive_doubling", "native")
    export = read_export(RING, doubling, all_commute=False)
    assert [one.context.best.choice.algorithm for one in export.mapped] == ["recursive_doubling"]
    assert "--commutative" in export.left_out[0].why


@pytest.mark.parametrize("choice_", ["chain,segment=1KiB", "knomial,segment=1KiB,radix=2", "scatter_allgather"])
def test_without_the_users_word_nothing_is_said_that_fails_where_datatypes_differ(choice_: str) -> None:
    cut, whole = context("bcast", 8192, 16383, choice_, "native"), context("bcast", 64, 127, "knomial", "native")
    export = read_export(cut, whole)
    assert [one.context.bytes_low for one in export.mapped] == [64]
    assert "--same-types" in export.left_out[0].why
    assert len(read_export(cut, whole, same_types=True).mapped) == 2


@pytest.mark.parametrize("collective", ["gather", "scatter", "scan", "exscan"])
def test_what_open_mpi_would_choose_differently_on_some_ranks_is_left_out(collective: str) -> None:
    export = read_export(context(collective, 8, 15, "recursive_doubling", "native"))
    assert not export.mapped
    assert export.left_out[0].why


def test_on_several_nodes_han_leads_on_to_these_rules() -> None:
    export = read_export(RING, nodes=2)
    han = words_of(export.files[Path("rules.han.conf")])
    assert han == "1 allreduce 1 2 3 1 1 0 han 4 3 0 han 32768 tuned 65536 han 5 1 0 han"
    assert any("coll_han_dynamic_rules_filename" in line for line in export.loading)
    assert set(openmpi_rules.BY_HAN) <= set(openmpi_rules.NUMBERS)
    right = export.files[Path("rules.han.conf")]
    rules = made.made_of(
        contents.read(text(RING)).contexts,
        lambda one: made.openmpi_counterparts.counterpart(one, 4, Promises(True)),
        lambda one: openmpi_rules.sizes_seen(one, 4),
    )
    for wrong in (("65536", "65537"), ("32768 tuned", "32768 han"), ("\n4 3\n", "\n3 3\n")):
        assert wrong[0] in right
        with pytest.raises(Failure, match="coll/han"):
            openmpi_check.check_han(right.replace(*wrong), rules, 4)


OWN_ALGORITHMS = {
    "collective=allreduce": {
        "comm_type=intra": {
            "comm_size<4": {"algorithm=MPIR_Allreduce_intra_recursive_doubling": {}},
            "comm_size=any": {
                "comm_hierarchy=parent": {"algorithm=MPIR_Allreduce_intra_smp": {}},
                "comm_hierarchy=any": {"algorithm=MPIR_Allreduce_intra_ring": {}},
            },
        },
        "comm_type=inter": {"algorithm=MPIR_Allreduce_inter_reduce_exchange_bcast": {}},
    },
    "collective=scan": {"algorithm=MPIR_Scan_intra_smp": {}},
}
OWN_COMPOSITIONS = {
    "collective=allreduce": {"comm_type=intra": {"composition=MPIDI_Allreduce_intra_composition_alpha": {}}}
}


def library(tmp_path: Path, *trees: object) -> Path:
    """What there is of MPICH's library for us."""
    path = tmp_path / "libmpi.so"
    texts = [json.dumps(tree).encode() for tree in trees]
    path.write_bytes(
        b"\x7fELF\0" + b"\0".join([*texts, b"algorithm=MPIR_Allreduce_intra_ring", b'{"collective=x', b""])
    )
    return path


def test_rules_for_mpich_are_put_in_among_its_own(tmp_path: Path) -> None:
    memory = contents.read(text(RING))
    export = made.for_mpich(memory, tmp_path / "r.json", library(tmp_path, OWN_ALGORITHMS, OWN_COMPOSITIONS), MPICH_5)
    tree, compositions = (json.loads(one) for one in export.files.values())
    baseline = OWN_ALGORITHMS["collective=allreduce"]["comm_type=intra"]
    ours = tree["collective=allreduce"]["comm_type=intra"]
    assert list(ours) == ["comm_size<=3", "comm_size<=4", "comm_size=any"]
    assert ours["comm_size<=3"] == ours["comm_size=any"] == baseline
    sizes = ours["comm_size<=4"]
    assert list(sizes) == ["avg_msg_size<=32767", "avg_msg_size<=65535", "avg_msg_size=any"]
    assert sizes["avg_msg_size=any"] == baseline["comm_size=any"]  # which comm_size<4 MPICH would take for <= there
    guarded = sizes["avg_msg_size<=65535"]
    assert guarded["is_op_built_in=no"] == baseline["comm_size=any"]
    assert guarded["is_op_built_in=yes"]["count=any"] == {"algorithm=MPIR_Allreduce_intra_ring": {}}
    assert tree["collective=scan"] == OWN_ALGORITHMS["collective=scan"]
    assert tree["collective=allreduce"]["comm_type=inter"] == OWN_ALGORITHMS["collective=allreduce"]["comm_type=inter"]
    assert "composition=MPIDI_Allreduce_intra_composition_beta" in json.dumps(compositions)


def test_an_algorithm_that_this_mpich_lacks_is_left_out(tmp_path: Path) -> None:
    memory = contents.read(text(context("allreduce", 8, 15, "tree", "native")))
    export = made.for_mpich(memory, tmp_path / "r.json", library(tmp_path, OWN_ALGORITHMS, OWN_COMPOSITIONS), MPICH_5)
    assert [one.why for one in export.left_out] == ["this MPICH has no such algorithm"]


# As MPICH's development branch has it: one file of named trees, of which that is given which is asked first.
NAMED = {
    "name=main": {"collective=allreduce-intra": "call=allreduce", "collective=barrier-intra": "call=barrier"},
    "name=allreduce": {"algorithm=MPIR_Allreduce_intra_recursive_doubling": {}},
    "name=barrier": {"algorithm=MPIR_Barrier_intra_k_dissemination": {"k=2": {}}},
}


def test_rules_for_mpich_5_1_replace_the_tree_that_is_asked_first(tmp_path: Path) -> None:
    memory = contents.read(text(RING))
    newer = Target("mpich", (5, 1))
    path = library(tmp_path, NAMED)
    path.write_bytes(path.read_bytes() + b"\0MPIR_Allreduce_intra_ring\0")
    export = made.for_mpich(memory, tmp_path / "r.json", path, newer)
    ((_, rules),) = export.files.items()
    assert export.loading == (f"MPIR_CVAR_COLL_SELECTION_JSON_FILE={tmp_path}/r.json",)
    main = json.loads(rules)["name=main"]
    assert main["collective=barrier-intra"] == "call=barrier"
    own, ring = "call=allreduce", {"algorithm=MPIR_Allreduce_intra_ring": {}}
    guarded = {"builtin_op": {"count_ge_pof2": ring, "any": own}, "any": own}
    sizes = {"avg_msg_size<=32767": own, "avg_msg_size<=65535": guarded, "any": own}
    assert main["collective=allreduce-intra"] == {"comm_size<=3": own, "comm_size<=4": sizes, "any": own}
    with pytest.raises(Failure, match=r"so it is no MPICH 5\.0"):
        made.for_mpich(memory, tmp_path / "r.json", path, MPICH_5)
    with pytest.raises(Failure, match=r"so it is no MPICH 5\.1"):
        made.for_mpich(memory, tmp_path / "r.json", library(tmp_path, OWN_ALGORITHMS, OWN_COMPOSITIONS), newer)


@pytest.mark.parametrize("form", [TWO_FILES, ONE_FILE], ids=["two files", "one file"])
def test_what_is_made_for_mpich_is_read_back_before_it_is_written(form: mpich_library.Form) -> None:
    rules = made.made_of(
        contents.read(text(RING)).contexts,
        lambda one: made.mpich_counterparts.counterpart(one, 4),
        lambda one: made.mpich_counterparts.sizes_seen(one, 4),
    )
    is_named = form is ONE_FILE
    own: Any = NAMED if is_named else OWN_ALGORITHMS
    tree = mpich_rules.main_tree(own, rules, 4) if is_named else mpich_rules.with_algorithms(own, rules, 4)
    right = mpich_rules.text_of(tree)
    mpich_check.check_algorithms(right, own, rules, 4, form)
    changes = [("size<=65535", "size<=65536"), ("size<=32767", "size<=32768"), ("comm_size<=3", "comm_size<=2")]
    changes += [("comm_size<=4", "comm_size<=5"), ("intra_ring", "intra_rings")]
    changes += [('"builtin_op"', '"any"'), ('"is_op_built_in=no"', '"is_op_built_in=yes"')]
    for old, new in changes:
        if old in right:
            with pytest.raises(Failure, match="Nothing was written"):
                mpich_check.check_algorithms(right.replace(old, new), own, rules, 4, form)


@pytest.mark.parametrize("trees", [[], [OWN_ALGORITHMS], [{"collective=allreduce": 7}, OWN_COMPOSITIONS]])
def test_a_library_without_rules_of_its_own_is_refused(tmp_path: Path, trees: list[object]) -> None:
    with pytest.raises(Failure, match="has no rules"):
        mpich_library.own_rules(library(tmp_path, *trees), MPICH_5)
    with pytest.raises(Failure, match="is no library"):
        mpich_library.own_rules(tmp_path, MPICH_5)


def test_no_file_for_mpich_fills_its_last_page() -> None:
    for size in range(4000, 4200):
        assert len(mpich_rules.text_of({"a" * size: {}})) % 4096


def test_an_export_is_explained_and_nothing_is_written_for_nothing(memory: Memory, tmp_path: Path) -> None:
    write(tmp_path, TWO)
    done = memory("export", "3f", "--mpi", "openmpi", "-o", tmp_path / "with space.conf", "--commutative")
    assert done.returncode == 0, done.stderr
    said = words_of(done.stdout)
    assert f"--mca coll_tuned_dynamic_rules_filename '{tmp_path}/with space.conf'" in said
    assert "the native MPI is the best" in said
    assert "ring (4)" in said
    done = memory("export", "3f", "--mpi", "openmpi", "-o", tmp_path / "none.conf")
    assert done.returncode == 1
    assert "Nothing was written" in done.stderr
    assert not (tmp_path / "none.conf").exists()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--mpi", "openmip"], "did you mean openmpi"),
        (["--mpi", "openmpi3"], "from 4.1 on"),
        (["--mpi", "mpich", "--commutative"], "by themselves"),
        (["--mpi", "mpich", "--same-types"], "no such thing"),
        (["--mpi", "openmpi", "--library", "x"], "only for --mpi mpich"),
        (["--mpi", "openmpi", "-o", "/nowhere/rules"], "there is no directory /nowhere"),
        (["--mpi", "mpich", "--library", "/nowhere/libmpi.so"], "is no library"),
    ],
)
def test_a_wrong_option_of_export_is_refused(memory: Memory, tmp_path: Path, words: list[str], why: str) -> None:
    write(tmp_path, TWO)
    done = memory("export", "3f", *words)
    assert done.returncode == 2
    assert why in words_of(done.stderr)


def test_tables_fit_80_columns(memory: Memory, tmp_path: Path) -> None:
    write(tmp_path, TWO)
    for words in (
        ["list"],
        ["show", "3f"],
        ["export", "3f", "--mpi", "openmpi", "--commutative", "-o", tmp_path / "r"],
    ):
        lines = memory(*words, COLUMNS="80").stdout.splitlines()
        assert max(len(line) for line in lines if "/" not in line) <= 80


def test_exported_rules_replace_nothing_but_rules(memory: Memory, tmp_path: Path) -> None:
    write(tmp_path, TWO)
    rules = tmp_path / "rules.conf"
    for before, status in (("my notes\n", 2), ("", 0), ("2 # collectives\n", 0)):
        rules.write_text(before)
        done = memory("export", FINGERPRINT, "--mpi", "openmpi", "--commutative", "-o", str(rules))
        assert done.returncode == status, done.stderr
        assert (rules.read_text() == before) == (status == 2)


def test_what_is_exported_is_known_as_rules() -> None:
    texts = ("rule-file-version-2\n1 # collectives\n", "1\nallreduce\n", '{"collective=bcast": {}}')
    texts += ('{"name=main": {}}', '{"rule_file_version": 3, "module": "tuned"}')
    assert all(made.are_rules(text) for text in texts)
    assert not made.are_rules('{"jobs": 3}')
