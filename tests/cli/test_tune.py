# SPDX-License-Identifier: Apache-2.0
"""espalier tune: a sweep ends in time, goes on where it stopped, and says what it found; under the real MPIs, too."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import memories
import mpis
import processes
import pytest
from conftest import ROOT, Espalier, arguments_of
from memories import FINGERPRINT, context, text

from espalier.failure import Failure
from espalier.installation import Installation
from espalier.memory import contents
from espalier.tune import bounded_job, guidelines, judgement, pieces, program
from espalier.tune.clock import Clock
from espalier.tune.pieces import REAL, WHOLE, Piece

OPEN_MPI = "mpirun (Open MPI) 5.0.11"
Tune = Callable[..., "subprocess.CompletedProcess[str]"]


def words_of(printed: str) -> str:
    return " ".join(printed.split())


@pytest.fixture
def fake(tmp_path: Path, launcher: Callable[[str, str], Path], monkeypatch: pytest.MonkeyPatch) -> list[str | Path]:
    """The words behind `tune`, for jobs that only write down what MPI jobs would have learnt."""
    path = tmp_path / "measures"
    path.write_text(f'#!/bin/sh\nexec {sys.executable} {ROOT}/tests/support/tuned_program.py "$@"\n')
    path.chmod(0o755)
    monkeypatch.setenv("PYTHONPATH", f"{ROOT}/python:{ROOT}/tests/support")
    monkeypatch.setenv("TUNED_LOG", str(tmp_path / "log"))
    return ["--program", path, "--directory", tmp_path / "memory", "--", launcher("mpirun", OPEN_MPI), "--run"]


@pytest.fixture
def tune(espalier: Espalier, fake: list[str | Path]) -> Tune:
    """tune("--minutes", "1"): with a program that only writes memories."""

    def call(*words: str | Path, **environment: str) -> "subprocess.CompletedProcess[str]":
        return espalier("tune", *words, *fake, environment=environment)

    return call


def jobs(tmp_path: Path) -> list[str]:
    """But for the first one, which finds out where it is, and those that have a piece once more."""
    lines = (tmp_path / "log").read_text().splitlines()[1:]
    return list(dict.fromkeys(lines))


TWO_SIZES = ("--collective", "allreduce,bcast", "--bytes", "8,1KiB")
FIVE_JOBS = ["allreduce 8 whole", "allreduce 8 real", "bcast 8 real", "allreduce 1024 whole", "allreduce 1024 real"]
ALL_JOBS = [*FIVE_JOBS, "bcast 1024 real"]


def test_all_pieces_are_measured_size_by_size_and_shown(tune: Tune, tmp_path: Path) -> None:
    done = tune(*TWO_SIZES, "--minutes", "2", "--json", tmp_path / "json")
    assert done.returncode == 0, done.stderr
    assert jobs(tmp_path) == ALL_JOBS
    lines = done.stdout.splitlines()
    assert lines[0] == f"{FINGERPRINT}: 4 ranks on 1 node, Open MPI v5.0.11"
    assert re.search(r"^allreduce \(floating point\) +1 KiB +200 us +100 us .* 2\.00x", done.stdout, re.MULTILINE)
    assert "6 pieces of 6 were measured; 0 had been known before" in words_of(done.stdout)
    assert f"memory pin {FINGERPRINT[:8]} --widen --directory" in done.stdout
    assert "ESPALIER_REPRODUCIBLE=off" in done.stdout
    assert "law, for floating point, too" in words_of(done.stdout)
    assert len(done.stderr.splitlines()) == 6
    answer = json.loads((tmp_path / "json").read_text())
    assert (answer["end"], answer["ranks"]) == ("done", 4)
    assert [one["state"] for one in answer["pieces"]] == ["measured"] * 6
    assert {"collective": "allreduce", "bytes_low": 8}.items() <= answer["pieces"][0]["context"].items()
    assert {path.name for path in (tmp_path / "memory").iterdir()} == {f"{FINGERPRINT}.toml"}


def test_what_is_known_is_not_measured_again_unless_somebody_says_so(tune: Tune, tmp_path: Path) -> None:
    memories.write(
        tmp_path / "memory", text(context("bcast", 8, 15, "native", root=0), context("bcast", 8, 15, "native"))
    )
    done = tune(*TWO_SIZES)
    assert "5 pieces of 6 were measured; 1 had been known before" in words_of(done.stdout)
    assert "bcast 8 real" not in jobs(tmp_path)
    (tmp_path / "log").unlink()
    assert "0 pieces of 6 were measured; 6 had been known before" in words_of(tune(*TWO_SIZES).stdout)
    assert jobs(tmp_path) == []
    tune(*TWO_SIZES, "--again")
    assert "bcast 8 real" in jobs(tmp_path)


def test_two_ranks_add_in_one_order_only(tune: Tune, tmp_path: Path) -> None:
    assert tune(*TWO_SIZES, TUNED_RANKS="2").returncode == 0
    assert jobs(tmp_path) == ["allreduce 8 whole", "bcast 8 real", "allreduce 1024 whole", "bcast 1024 real"]


def test_a_memory_of_another_version_is_none(tune: Tune, tmp_path: Path) -> None:
    memories.write(tmp_path / "memory", text(context("bcast", 8, 15, "native", root=0), library="0.0.9"))
    tune("--collective", "bcast", "--bytes", "8")
    assert jobs(tmp_path) == ["bcast 8 real"]


def test_a_pinned_memory_is_left_alone(tune: Tune, tmp_path: Path) -> None:
    path = memories.write(tmp_path / "memory", text(context("bcast", 8, 15, "native", root=0), pinned=True))
    before = path.read_text()
    done = tune(*TWO_SIZES)
    assert done.returncode == 2
    assert "is pinned" in words_of(done.stderr)
    assert f"memory unpin {FINGERPRINT[:8]}" in words_of(done.stderr)
    assert path.read_text() == before


def test_a_failing_piece_is_told_and_the_rest_goes_on(tune: Tune, tmp_path: Path) -> None:
    done = tune(*TWO_SIZES, TUNED_FAIL="bcast 8 ")
    assert done.returncode == 1
    assert jobs(tmp_path) == ALL_JOBS
    assert "The jobs of these failed: bcast, 8 B." in words_of(done.stdout)
    assert r"something \x1b[2J went wrong" in done.stdout
    assert "5 pieces of 6 were measured" in words_of(done.stdout)


def test_after_three_failures_in_a_row_it_is_aborted(tune: Tune, tmp_path: Path) -> None:
    done = tune(*TWO_SIZES, TUNED_FAIL="bcast 8|1024")
    assert done.returncode == 1
    assert jobs(tmp_path) == FIVE_JOBS
    assert "3 jobs in a row failed, so it was aborted, with 1 piece left" in words_of(done.stdout)


def test_a_piece_of_which_nothing_is_learnt_is_named(tune: Tune) -> None:
    done = tune(*TWO_SIZES, TUNED_MUTE="bcast 8 ")
    assert done.returncode == 0
    assert "there was no time for enough calls: bcast, 8 B." in words_of(done.stdout)


def test_a_job_that_overstays_is_ended_in_time_and_what_is_there_is_kept(tune: Tune, tmp_path: Path) -> None:
    """It heeds no signal but the last one."""
    done = tune(*TWO_SIZES, "--minutes", "0.12", TUNED_HANG="bcast 8 ")
    assert done.returncode == 0
    assert "These took too long, and were ended: bcast, 8 B." in words_of(done.stdout)
    assert "the same command goes on there" in words_of(done.stdout)
    assert "allreduce" in (tmp_path / "memory" / f"{FINGERPRINT}.toml").read_text()
    assert "4 pieces of 6 were measured; 2 had been known" in words_of(tune(*TWO_SIZES).stdout)


def test_a_first_job_that_never_ends_is_ended(tune: Tune) -> None:
    done = tune("--minutes", "0.02", TUNED_HANG="allreduce")
    assert done.returncode == 1
    assert "The first job had not ended after" in words_of(done.stderr)
    assert "--minutes" in done.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_sweep_ends_its_job_and_shows_what_is_there(
    build: Path, fake: list[str | Path], tmp_path: Path, number: signal.Signals
) -> None:
    environment = {**os.environ, "TUNED_HANG": "allreduce 1024 whole"}
    command = [ROOT / "espalier", "--build", build, "tune", *TWO_SIZES, *fake]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        wait_until(lambda: (tmp_path / "log").exists() and "allreduce 1024" in (tmp_path / "log").read_text())
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert "It was interrupted, with 3 pieces left" in words_of(out), err
    assert "3 pieces of 6 were measured" in words_of(out)
    assert "Traceback" not in err
    assert not still_running(str(tmp_path))


def wait_until(condition: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def still_running(word: str) -> list[str]:
    """Jobs, and programs of theirs; not the command that starts them."""
    found = [" ".join(words) for words in processes.command_lines().values()]
    return [line for line in found if word in line and "measures" in line and " tune " not in line]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--collective", "allredcue"], "--collective allredcue: unknown; did you mean allreduce?"),
        (["--bytes", "8k"], "--bytes 8k: not a size"),
        (["--bytes", "0"], "--bytes 0: allowed: 1 to 1GiB"),
        (["--bytes", "2GiB"], "--bytes 2GiB: allowed: 1 to 1GiB"),
        (["--minutes", "0"], "--minutes 0: allowed: more than 0"),
        (["--minutes", "nan"], "--minutes nan: allowed: more than 0"),
        (["--minutes", "-1"], "--minutes -1: allowed: more than 0"),
        (["--json", "/nowhere/json"], "there is no directory /nowhere"),
    ],
)
def test_a_wrong_option_is_refused_before_anything_is_started(
    tune: Tune, tmp_path: Path, words: list[str], complaint: str
) -> None:
    done = tune(*words)
    assert done.returncode == 2
    assert complaint in words_of(done.stderr)
    assert not (tmp_path / "log").exists()


def test_without_a_launcher_it_is_asked_for(espalier: Espalier) -> None:
    for words in ([], ["--"]):
        done = espalier("tune", *words)
        assert done.returncode == 2
        assert "There is no launcher" in done.stderr
        assert "./espalier tune -- mpirun" in done.stderr


def test_a_launcher_that_does_not_exist_is_named(espalier: Espalier) -> None:
    done = espalier("tune", "--", "no-such-launcher", "-n", "4")
    assert done.returncode == 127
    assert "no-such-launcher" in done.stderr


@pytest.mark.parametrize(("name", "version"), [("srun", "slurm 23.11"), ("mpirun", OPEN_MPI), ("myrun", "my run 1.0")])
def test_of_another_launcher_the_program_must_be_named(
    espalier: Espalier, launcher: Callable[[str, str], Path], tmp_path: Path, name: str, version: str
) -> None:
    done = espalier("tune", "--directory", tmp_path, "--", launcher(name, version), "-n", "2")
    assert done.returncode == 2
    assert "does not know for which MPI" in done.stderr
    assert "--program" in done.stderr


@pytest.mark.parametrize("what", ["nowhere", "."])
def test_a_program_that_is_none_is_refused(espalier: Espalier, launcher: Callable[[str, str], Path], what: str) -> None:
    done = espalier("tune", "--program", what, "--", launcher("mpirun", OPEN_MPI))
    assert done.returncode == 2
    assert f"--program {what}: is no program" in done.stderr


def test_a_launcher_that_fails_is_quoted(espalier: Espalier, fake: list[str | Path], tmp_path: Path) -> None:
    failing = tmp_path / "mpiexec"
    failing.write_text('#!/bin/sh\n[ "$1" = --version ] && exec echo HYDRA\necho no such host >&2; exit 9\n')
    failing.chmod(0o755)
    done = espalier("tune", *fake[:4], "--", failing, "-n", "2")
    assert done.returncode == 1
    assert "The first job ended with status 9" in done.stderr
    assert "no such host" in done.stderr


def test_a_job_that_writes_no_memory_is_explained(tune: Tune, tmp_path: Path) -> None:
    done = tune(TUNED_MUTE=".")
    assert done.returncode == 1
    assert "wrote no memory" in words_of(done.stderr)
    assert list((tmp_path / "memory").iterdir()) == []


@pytest.mark.parametrize("place", ["/dev/null/memory", "/proc/memory"])
def test_a_directory_that_cannot_be_written_is_refused(espalier: Espalier, fake: list[str | Path], place: str) -> None:
    fake[3] = place
    done = espalier("tune", *fake)
    assert done.returncode == 2
    assert f"{place}: cannot be written" in done.stderr


def test_settings_of_the_environment_that_would_hinder_it_do_not(tune: Tune, tmp_path: Path) -> None:
    settings = {
        "ESPALIER": "off",
        "ESPALIER_ALGORITHM": "bcast:chain",
        "ESPALIER_POLICY": "star",
        "ESPALIER_CACHE": "9",
    }
    done = tune("--collective", "bcast", "--bytes", "8", **settings)
    assert done.returncode == 0, done.stderr
    arguments = arguments_of(tmp_path / "mpirun")
    wanted = ["ESPALIER=on", "ESPALIER_ALGORITHM=", "ESPALIER_POLICY=race", "ESPALIER_BUDGET=100%"]
    for word in (*wanted, "ESPALIER_REPRODUCIBLE=off", f"ESPALIER_MEMORY={tmp_path}/memory", "ESPALIER_CACHE=9"):
        assert word in arguments
    assert tune("--bytes", "8", ESPALIER_CACHE="none").returncode == 2


# What is measured.


def test_pieces_of_the_same_context_are_one() -> None:
    found = pieces.planned(["reduce_scatter_block", "gatherv", "barrier"], [8, 16, 64], 4, None)
    assert [(one.function, one.bytes, one.numbers) for one in found] == [
        ("reduce_scatter_block", 8, WHOLE),
        ("reduce_scatter_block", 8, REAL),
        ("gatherv", pieces.SIZE_WHERE_UNKNOWN, REAL),
        ("barrier", 0, REAL),
        ("reduce_scatter_block", 64, WHOLE),
        ("reduce_scatter_block", 64, REAL),
    ]


def test_buffers_that_are_too_large_are_left_out() -> None:
    many = pieces.planned(["alltoall", "bcast"], [pieces.MIB], 1000, pieces.LARGEST_BUFFER)
    assert [one.function for one in many] == ["bcast"]
    assert len(pieces.planned(["alltoall", "bcast"], [pieces.MIB], 1000, None)) == 2


@pytest.mark.parametrize(
    ("function", "size", "ranks", "known"),
    [
        ("bcast", 9, 4, 16),
        ("reduce_scatter_block", 4096, 2, 2048),
        ("reduce_scatter", 4096, 2, 2048),
        ("reduce_scatter", 24, 3, 8),
        ("allgatherv", 64, 2, 64),
        ("allgatherv", 64, 3, 53),  # of blocks of 4, 12 and 4 elements
        ("alltoallv", 64, 2, 0),
    ],
)
def test_the_size_of_a_context_is_what_all_ranks_know(function: str, size: int, ranks: int, known: int) -> None:
    assert Piece(function, size).known_bytes(ranks) == known


def test_every_time_is_within_the_whole() -> None:
    clock = Clock(60, start_seconds=2)
    assert clock.limit(1) <= 30
    assert clock.limit(1000) == pytest.approx(1)
    assert clock.allowance(1000) <= 57
    clock.began -= 56
    assert clock.is_over
    assert clock.allowance(1000) < 2


# Guidelines.


def verdicts_of(*contexts: str, ranks: int = 4) -> dict[tuple[str, int], judgement.Verdict]:
    found = judgement.verdicts(contents.read(text(*contexts, ranks=ranks)))
    return {(one.text, one.bytes): one for one in found}


def timed(collective: str, size: int, native: float, own: float, sd: float = 0.02, arithmetic: str = "exact") -> str:
    single = arithmetic != "exact"
    return context(
        *(collective, size, size if single else 2 * size - 1, "ring", "native"),
        seconds=(own, native),
        sd=sd,
        arithmetic=arithmetic,
    )


def test_a_violated_guideline_is_found_and_whether_the_choice_keeps_to_it() -> None:
    found = verdicts_of(
        timed("allreduce", 1024, 9e-4, 1e-4), timed("reduce", 1024, 2e-4, 1e-4), timed("bcast", 1024, 1e-4, 1e-4)
    )
    one = found["allreduce <= reduce + bcast", 1024]
    assert one.native.times_longer == pytest.approx(3)
    assert one.native.is_violated
    assert one.own
    assert not one.own.is_violated
    assert one.is_hint
    assert not found["reduce <= allreduce", 1024].native.is_violated


def test_what_varies_more_is_no_violation() -> None:
    def is_violated(native: float, sd: float) -> bool:
        found = verdicts_of(timed("gather", 64, native, 1e-4, sd), timed("allgather", 64, 1e-4, 1e-4, sd))
        return found["gather <= allgather", 64].native.is_violated

    assert is_violated(1.2e-4, 0.02)
    assert not is_violated(1.2e-4, 0.1)
    assert not is_violated(1.04e-4, 0.0)


def test_nothing_is_said_where_a_side_was_not_measured() -> None:
    assert verdicts_of(timed("allreduce", 1024, 9e-4, 1e-4), timed("reduce", 1024, 2e-4, 1e-4)).keys() == {
        ("reduce <= allreduce", 1024)
    }
    never = timed("bcast", 1024, 0, 1e-4)
    assert verdicts_of(timed("allreduce", 1024, 9e-4, 1e-4), timed("reduce", 64, 2e-4, 1e-4), never) == {}


def test_sizes_are_matched_by_blocks_and_ranks() -> None:
    """64 bytes from each of four ranks are a broadcast of 256."""
    found = verdicts_of(timed("scatter", 64, 9e-4, 1e-4), timed("bcast", 256, 1e-4, 2e-4), timed("bcast", 64, 1, 1))
    assert found["scatter <= bcast of all blocks", 64].native.times_longer == pytest.approx(9)


def test_a_larger_message_can_show_a_violation_but_no_obedience() -> None:
    assert verdicts_of(timed("scatter", 64, 9e-4, 1e-4), timed("bcast", 512, 1e-4, 2e-4))
    assert not verdicts_of(timed("scatter", 64, 1e-4, 1e-4), timed("bcast", 512, 9e-4, 2e-4))
    assert not verdicts_of(timed("scatter", 64, 9e-4, 1e-4), timed("bcast", 4096, 1e-4, 2e-4))
    assert not verdicts_of(timed("scatter", 64, 9e-4, 1e-4), timed("bcast", 128, 1e-4, 2e-4))


def test_a_larger_message_should_not_be_faster() -> None:
    found = verdicts_of(timed("alltoall", 8, 9e-4, 1e-4), timed("alltoall", 64, 1e-4, 2e-4))
    assert found[f"alltoall: {guidelines.MONOTONY}", 8].native.is_violated


def test_kinds_of_arithmetic_are_not_mixed() -> None:
    exact = timed("reduce", 1024, 9e-4, 1e-4)
    shown = timed("allreduce", 1024, 1e-4, 1e-4, arithmetic="commutative")
    assert verdicts_of(exact, shown) == {}


def test_guidelines_and_monotony_are_of_collectives_that_there_are() -> None:
    names = {one.left for one in guidelines.GUIDELINES} | {
        p.collective for one in guidelines.GUIDELINES for p in one.right
    }
    assert names | set(guidelines.EVERY) <= set(contents.COLLECTIVES)


# With the real MPIs.


@pytest.mark.on_any_mpi
@pytest.mark.parametrize("mpi", mpis.matrix(["openmpi5", "mpich5"]))
def test_two_ranks_of_a_real_mpi_are_tuned_and_it_goes_on_where_it_stopped(
    espalier: Espalier, tmp_path: Path, mpi: mpis.Mpi
) -> None:
    def call(*words: str) -> dict[str, Any]:
        started = ["--", str(mpi.launcher), *mpi.options, "-n", "2"]
        place = ["--directory", str(tmp_path / "memory"), "--json", str(tmp_path / "json")]
        done = espalier("tune", *words, *place, *started)
        assert done.returncode == 0, done.stderr
        answer: dict[str, Any] = json.loads((tmp_path / "json").read_text())
        return answer

    first = call("--minutes", "0.3", "--collective", "allreduce,allgather", "--bytes", "1KiB")
    assert first["ranks"] == 2
    states = {one["function"]: one["state"] for one in first["pieces"]}
    assert set(states) == {"allreduce", "allgather"}
    assert "measured" in states.values()
    second = call("--minutes", "0.3", "--collective", "allreduce,allgather", "--bytes", "1KiB")
    assert second["fingerprint"] == first["fingerprint"]
    known = {one["function"] for one in second["pieces"] if one["state"] == "known before"}
    assert known == {name for name, state in states.items() if state == "measured"}
    assert espalier("memory", "show", "--directory", tmp_path / "memory").returncode == 0


@pytest.mark.parametrize("mpi", mpis.matrix(["openmpi5", "mpich5"]))
def test_no_rank_of_a_real_mpi_outlives_the_sweep(build: Path, tmp_path: Path, mpi: mpis.Mpi) -> None:
    link = tmp_path / "measures"
    link.symlink_to(build / "bin" / f"espalier-bench-network-{mpi.name}")
    command = [ROOT / "espalier", "--build", build, "tune", "--directory", tmp_path, "--program", link]
    command += ["--collective", "alltoall", "--bytes", "4MiB"]
    command += ["--", mpi.launcher, *mpi.options, "-n", "2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        wait_until(lambda: any("alltoall" in line for line in still_running(str(link))))
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "interrupted" in out.lower() + err.lower()
    wait_until(lambda: not still_running(str(link)), 20)


def test_every_mpi_that_info_lists_can_be_tuned(espalier: Espalier, tmp_path: Path) -> None:
    listed = json.loads(espalier("info", "--json").stdout)["mpis"]
    found = [one for one in listed if one["name"].startswith(("openmpi", "mpich"))]
    assert found
    for one in found:
        options = mpis.OPENMPI_OPTIONS if one["name"].startswith("openmpi") else ()
        words = ["--minutes", "0.3", "--collective", "allreduce", "--bytes", "8", "--json", "-"]
        launch = ["--", one["path"], *options, "-n", "2"]
        done = espalier("tune", *words, "--directory", tmp_path / one["name"], *launch)
        assert done.returncode == 0, (one, done.stderr)
        assert json.loads(done.stdout)["ranks"] == 2


def test_the_program_is_found_by_any_name_of_the_launcher(build: Path) -> None:
    installation = Installation(build)
    for mpi in mpis.matrix(["openmpi5", "mpich5", "openmpi4", "mpich4"]):
        if mpi.marks:
            continue
        (one,) = mpi.values
        assert isinstance(one, mpis.Mpi)
        suffix = one.launcher.suffix  # Debian's: mpiexec.mpich
        for name in (f"mpirun{suffix}", f"mpiexec{suffix}"):
            command: Sequence[str] = ["env", "A=1", str(one.launcher.parent / name), "-n", "2"]
            assert program.for_launcher(installation, command, None).name == f"espalier-bench-network-{one.name}", (
                shlex.join(command)
            )
    with pytest.raises(Failure, match="no launcher"):
        program.for_launcher(installation, [], None)


def test_output_that_makes_no_sense_is_no_calls() -> None:
    for printed in ("", "{", '{"rows": 1}', '{"rows": [{"each": ["x"]}]}', "[1]"):
        done = bounded_job.Done(0, 1.0, False, printed, "")
        assert (done.calls, done.baseline_call) == ([], 0.0)
