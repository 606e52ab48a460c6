# SPDX-License-Identifier: Apache-2.0
"""espalier run, as a user starts it: with stand-ins for launchers, and with the MPIs of this machine."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import mpis
import pytest
from conftest import ROOT, Espalier, arguments_of, environment_of

SUM = Path(__file__).parent / "sum.c"
SPLIT = Path(__file__).parent / "split.c"
EVERY_FORM = Path(__file__).parent / "every_form.c"
OPEN_MPI = "mpirun (Open MPI) 5.0.11"
HYDRA = "HYDRA build details:"
Launcher = Callable[[str, str], Path]

HEAD = '"version": "0.1.0", "mpi": "Test MPI", "ranks": 2, "wall_seconds": 1'
REPORT = f'{{{HEAD}, "rows": [], "settings": {{"ESPALIER_RUN": "%s"}}}}'
WRITES_REPORT = f'printf \'{REPORT}\' "$ESPALIER_RUN" >"$ESPALIER_REPORT"; '


def test_the_status_of_the_program_is_passed_on(espalier: Espalier, launcher: Launcher) -> None:
    mpirun = launcher("mpirun", OPEN_MPI)
    assert espalier("run", "--", mpirun, "--run", "sh", "-c", "exit 7").returncode == 7


def test_a_program_ended_by_a_signal_has_the_status_that_a_shell_gives_it(
    espalier: Espalier, launcher: Launcher
) -> None:
    mpirun = launcher("mpirun", OPEN_MPI)
    assert espalier("run", "--", mpirun, "--run", "sh", "-c", "kill -SEGV $$").returncode == 139


# Ends with the number of the first signal that it receives.
RECEIVES = """
import pathlib, signal, sys, time
asked = {signal.SIGHUP, signal.SIGINT, signal.SIGTERM}
signal.pthread_sigmask(signal.SIG_BLOCK, asked)
time.sleep(0.2)  # what started us listens by now
pathlib.Path(sys.argv[1]).touch()
sys.exit(signal.sigwait(asked))
"""


@pytest.mark.parametrize(
    ("ignored", "sent", "received"),
    [
        ("", [signal.SIGHUP], signal.SIGHUP),
        ("", [signal.SIGTERM], signal.SIGTERM),
        ("HUP", [signal.SIGHUP, signal.SIGTERM], signal.SIGTERM),
        ("INT TERM", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], signal.SIGHUP),
    ],
)
def test_a_program_is_asked_to_end_as_we_are_and_not_by_what_is_ignored(
    launcher: Launcher, build: Path, tmp_path: Path, ignored: str, sent: list[signal.Signals], received: signal.Signals
) -> None:
    """As under nohup, which ignores that the terminal is closed."""
    started = tmp_path / "started"
    program = [launcher("mpirun", OPEN_MPI), "--run", sys.executable, "-c", RECEIVES, started]
    shell = ["sh", "-c", f'[ -z "{ignored}" ] || trap "" {ignored}; exec "$@"', "sh"]
    with subprocess.Popen([*shell, ROOT / "espalier", "--build", build, "run", "--", *program]) as process:
        try:
            while not started.exists():
                assert process.poll() is None
                time.sleep(0.02)
            for number in sent:
                process.send_signal(number)
            assert process.wait(timeout=60) == received
        finally:
            process.kill()


HANDLER = """
#include <signal.h>
#include <sys/wait.h>
static void ignore(int number) { (void)number; }
static void reap(int number) { (void)number; while (waitpid(-1, 0, WNOHANG) > 0) {} }
__attribute__((constructor)) static void begin(void) {
  signal(SIGINT, ignore), signal(SIGTERM, ignore), signal(SIGHUP, ignore), signal(SIGCHLD, reap);
}
"""


def test_handlers_that_a_preloaded_library_has_installed_cost_neither_the_status_nor_the_report(
    espalier: Espalier, launcher: Launcher, tmp_path: Path
) -> None:
    source, library = tmp_path / "handler.c", tmp_path / "libhandler.so"
    source.write_text(HANDLER)
    mpis.checked(["cc", "-shared", "-fPIC", "-o", str(library), str(source)])
    mpirun = launcher("mpirun", OPEN_MPI)
    preload = {"LD_PRELOAD": str(library)}
    done = espalier("run", "--", mpirun, "--run", "sh", "-c", WRITES_REPORT + "exit 7", environment=preload)
    assert done.returncode == 7, done.stderr
    assert "on Test MPI, 2 ranks" in done.stderr


def test_the_status_is_passed_on_where_the_end_of_children_is_ignored(launcher: Launcher, build: Path) -> None:
    words = [ROOT / "espalier", "--build", build, "run", "--", launcher("mpirun", OPEN_MPI), "--run"]
    ignoring = [
        sys.executable,
        "-c",
        "import os, signal, sys; signal.signal(17, signal.SIG_IGN); os.execv(*sys.argv[1:2], sys.argv[1:])",
    ]
    done = subprocess.run([*ignoring, *words, "sh", "-c", "exit 7"], check=False, timeout=100)
    assert done.returncode == 7


def test_a_program_that_removes_the_reports_directory_keeps_its_status(
    espalier: Espalier, launcher: Launcher, tmp_path: Path
) -> None:
    place = tmp_path / "place"
    place.mkdir()
    mpirun = launcher("mpirun", OPEN_MPI)
    done = espalier(
        "run", "--set", f"report={place}/report", "--", mpirun, "--run", "sh", "-c", f"rmdir {place}; exit 7"
    )
    assert done.returncode == 7, done.stderr
    assert "Traceback" not in done.stderr


def test_options_after_the_launcher_are_the_launchers(espalier: Espalier, launcher: Launcher) -> None:
    mpirun = launcher("mpirun", OPEN_MPI)
    espalier("run", mpirun, "--json", "x", "-n", "4", "./app", "--off")
    assert arguments_of(mpirun)[-6:] == ["--json", "x", "-n", "4", "./app", "--off"]


def test_the_preload_and_all_settings_reach_the_launcher(espalier: Espalier, launcher: Launcher, build: Path) -> None:
    mpirun = launcher("mpirun", OPEN_MPI)
    espalier("run", "--algorithm", "bcast:chain", "--policy", "race", "--set", "cache=8", "--", mpirun, "./app")
    arguments = arguments_of(mpirun)
    assert f"LD_PRELOAD={build}/lib/libespalier.so" in arguments
    assert "ESPALIER_ALGORITHM=bcast:chain" in arguments
    assert "ESPALIER_POLICY=race" in arguments
    assert "ESPALIER_CACHE=8" in arguments
    assert "LD_PRELOAD" not in environment_of(mpirun)


def test_a_setting_of_the_users_environment_is_handed_on_too(espalier: Espalier, launcher: Launcher) -> None:
    mpiexec = launcher("mpiexec", HYDRA)
    espalier("run", "--", mpiexec, "./app", environment={"ESPALIER_CACHE": "9"})
    arguments = arguments_of(mpiexec)
    assert arguments[arguments.index("ESPALIER_CACHE") + 1] == "9"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--algorithm", "allreduce:rung"], "'rung'"),
        (
            ["--policy", "rice"],
            "ESPALIER_POLICY=rice: not known; allowed: estimate, race, star, adcl, intel or star-by-winner",
        ),
        (["--set", "budget=2"], "ESPALIER_BUDGET=2: not in per cent; allowed: 0% to 100%"),
        (["--set", "ESPALIER_CACHE=none"], "ESPALIER_CACHE=none"),
        (["--set", "ESPALIER_CASH=8"], "ESPALIER_CASH"),
        (["--set", "nothing"], "NAME=VALUE"),
        (["--json", "/nowhere/out.json"], "there is no directory /nowhere"),
        (["--json", "/tmp"], "is a directory"),
        (["--set", "report=/tmp"], "is a directory"),
        (["--set", "report=/nowhere/report"], "there is no directory /nowhere"),
        (["--set", "topology=/nowhere.toml"], "/nowhere.toml: cannot be read"),
        (["--set", "topology=/dev/null"], "allowed: a regular file"),
    ],
)
def test_a_wrong_setting_or_file_is_refused_before_anything_is_started(
    espalier: Espalier, launcher: Launcher, words: list[str], complaint: str
) -> None:
    mpirun = launcher("mpirun", OPEN_MPI)
    done = espalier("run", *words, "--", mpirun, "./app")
    assert done.returncode == 2
    assert complaint in done.stderr
    assert not Path(f"{mpirun}.arguments").exists()


def test_a_launcher_that_does_not_exist_is_named(espalier: Espalier) -> None:
    done = espalier("run", "--", "no-such-launcher", "-n", "4")
    assert done.returncode == 127
    assert "no-such-launcher" in done.stderr


def test_an_unknown_launcher_gets_the_environment_and_the_user_a_note(
    espalier: Espalier, launcher: Launcher, build: Path
) -> None:
    other = launcher("myrun", "whatever")
    done = espalier("run", "--", other, "./app")
    assert "myrun" in done.stderr
    assert environment_of(other)["LD_PRELOAD"] == f"{build}/lib/libespalier.so"


def test_the_programs_output_stays_as_it_was(espalier: Espalier, launcher: Launcher) -> None:
    done = espalier("run", "--", launcher("mpirun", OPEN_MPI), "--run", "echo", "hello")
    assert done.stdout == "hello\n"


def test_a_program_that_crashed_is_said_to_have_no_report(espalier: Espalier, launcher: Launcher) -> None:
    done = espalier("run", "--", launcher("mpirun", OPEN_MPI), "--run", "false")
    assert "before MPI_Finalize" in done.stderr


def test_a_program_without_an_mpi_is_said_to_have_no_report(espalier: Espalier, launcher: Launcher) -> None:
    for version in (OPEN_MPI, HYDRA):
        done = espalier("run", "--", launcher("mpirun", version), "--run", "true")
        assert "no process called MPI_Init through a shared MPI library" in " ".join(done.stderr.split())
        assert "statically" not in done.stderr


INSIDE = "int PMPI_Init(int* argc, char*** argv) { return !argc || !argv; } int main(void) { return 0; }"


@pytest.mark.parametrize(
    ("text", "flags", "cause"),
    [
        ("int main(void) { return 0; }", ["-static"], "is linked statically"),
        ("int main(void) { return 0; }", ["-static-pie"], "is linked statically"),
        (INSIDE, [], "contains its MPI"),
        (INSIDE, ["-rdynamic", "-s"], "contains its MPI"),
    ],
)
def test_why_a_program_cannot_be_preloaded_is_read_from_its_file(
    espalier: Espalier, launcher: Launcher, tmp_path: Path, text: str, flags: list[str], cause: str
) -> None:
    source, program = tmp_path / "program.c", tmp_path / "program"
    source.write_text(text)
    mpis.checked(["cc", *flags, "-o", str(program), str(source)])
    done = espalier("run", "--", launcher("mpirun", OPEN_MPI), "--run", program)
    assert f"{program} {cause}".replace(" ", "") in "".join(done.stderr.split())


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to somebody else")
def test_a_program_with_the_rights_of_another_user_is_named(
    espalier: Espalier, launcher: Launcher, tmp_path: Path
) -> None:
    program = tmp_path / "program"
    shutil.copy("/bin/true", program)
    os.chown(program, 12345, -1)
    program.chmod(0o4755)
    done = espalier("run", "--", launcher("mpirun", OPEN_MPI), "--run", program)
    assert "runs setuid or setgid" in " ".join(done.stderr.split())


def test_processes_that_do_not_find_each_other_are_asked_about(espalier: Espalier, launcher: Launcher) -> None:
    alone = WRITES_REPORT.replace('"ranks": 2', '"ranks": 1')
    both = f'{alone} ESPALIER_REPORT="$ESPALIER_REPORT.2"; {alone}'
    question = "2 processes, each alone: is this launcher (mpirun) the program's MPI's?"
    mpirun = launcher("mpirun", OPEN_MPI)
    for words, script, is_asked in (
        (["-n", "2"], both, True),
        (["-n", "1"], both, False),  # it has made the other one
        (["-n", "2"], alone, False),
        (["-n", "2"], both.replace('"ranks": 1', '"ranks": 2'), False),
    ):
        done = espalier("run", "--", mpirun, *words, "--run", "sh", "-c", script)
        assert (question in " ".join(done.stderr.split())) is is_asked, done.stderr


def test_each_program_of_open_mpi_4s_file_of_contexts_runs_under_espalier(espalier: Espalier, tmp_path: Path) -> None:
    mpi = mpis.by_name("openmpi4")
    if reason := mpi.missing():
        pytest.skip(reason)
    program, file = mpi.compile([SUM], tmp_path / "sum"), tmp_path / "contexts"
    file.write_text(f"# two of them\n-n 1 {program}\n-n 2 {program}\n")
    report = tmp_path / "report.json"
    settings = ["--algorithm", "allreduce:ring", "--json", report]
    done = espalier("run", *settings, "--", mpi.launcher, *mpi.options, "--app", file)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "sum 3\n"
    (job,) = json.loads(report.read_text())["jobs"]
    assert {row["algorithm"] for row in job["rows"] if row["collective"] == "allreduce"} == {"ring"}


def test_a_program_whose_address_sanitizer_refuses_the_preload_is_told_what_to_do(
    espalier: Espalier, tmp_path: Path
) -> None:
    source, program = tmp_path / "program.c", tmp_path / "program"
    source.write_text(
        'const char* __asan_default_options(void) { return "detect_leaks=0"; } int main(void) { return 0; }'
    )
    mpis.checked(["gcc", "-fsanitize=address", "-o", str(program), str(source)])
    assert "verify_asan_link_order=0" in espalier("run", "--", program).stderr
    settings = {"ASAN_OPTIONS": "verify_asan_link_order=0"}
    done = espalier("run", "--", program, environment=settings)
    assert done.returncode == 0
    assert "AddressSanitizer" not in done.stderr


def test_a_crash_after_a_first_job_does_not_lose_its_report(
    espalier: Espalier, launcher: Launcher, tmp_path: Path
) -> None:
    report = tmp_path / "report"
    first = launcher("mpirun", OPEN_MPI)
    (tmp_path / "report.old").write_text(REPORT)
    report.write_text(REPORT)
    script = f"printf '{REPORT}' $ESPALIER_RUN >{report}.2; exit 3"
    file = tmp_path / "out.json"
    done = espalier(
        *("run", "--json", file, "--set", f"report={report}", "--", first, "--run", "sh", "-c", script),
    )
    assert done.returncode == 3
    assert "ended with status 3" in done.stderr
    assert json.loads(file.read_text()) == {"status": 3, "jobs": [json.loads(Path(f"{report}.2").read_text())]}


@pytest.mark.parametrize("device", ["/dev/null", "/dev/full", "/dev/stdout", "fifo"])
def test_a_report_to_a_device_is_shown_and_costs_neither_the_status_nor_a_file_next_to_it(
    espalier: Espalier, launcher: Launcher, tmp_path: Path, device: str
) -> None:
    if device == "fifo":
        os.mkfifo(tmp_path / device)
        device = str(tmp_path / device)
    mpirun = launcher("mpirun", OPEN_MPI)
    done = espalier("run", "--set", f"report={device}", "--", mpirun, "--run", "sh", "-c", WRITES_REPORT + "exit 5")
    assert done.returncode == 5
    assert "on Test MPI, 2 ranks" in done.stderr
    assert not Path(f"{device}.2").exists()
    assert ("could not be written" in done.stderr) is (device not in ("/dev/null", "/dev/stdout"))
    assert ("Test MPI" in done.stdout) is (device == "/dev/stdout")


def test_a_report_of_the_environments_own_is_read_from_there(
    espalier: Espalier, launcher: Launcher, tmp_path: Path
) -> None:
    mpirun = launcher("mpirun", OPEN_MPI)
    report = {"ESPALIER_REPORT": str(tmp_path / "report")}
    done = espalier("run", "--", mpirun, "--run", "sh", "-c", WRITES_REPORT, environment=report)
    assert "on Test MPI, 2 ranks" in done.stderr
    assert (tmp_path / "report").exists()


def test_what_cannot_be_written_after_the_program_does_not_change_its_status(
    espalier: Espalier, launcher: Launcher
) -> None:
    mpirun = launcher("mpirun", OPEN_MPI)
    done = espalier("run", "--json", "/dev/full", "--", mpirun, "--run", "sh", "-c", WRITES_REPORT + "exit 7")
    assert done.returncode == 7
    assert "/dev/full could not be written: No space left on device" in done.stderr


def test_a_reader_that_goes_away_does_not_change_the_status(launcher: Launcher, build: Path) -> None:
    words = [ROOT / "espalier", "--build", build, "run", "--", launcher("mpirun", OPEN_MPI)]
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [*words, "--run", "sh", "-c", WRITES_REPORT + "exit 9"],
        stderr=writer,
        stdin=subprocess.DEVNULL,
        check=False,
        timeout=100,
    )
    os.close(writer)
    assert done.returncode == 9


def test_control_characters_of_a_report_do_not_reach_the_terminal(espalier: Espalier, launcher: Launcher) -> None:
    script = WRITES_REPORT.replace("Test MPI", r"Test \\u001b]0;title\\u0007 MPI")
    done = espalier("run", "--", launcher("mpirun", OPEN_MPI), "--run", "sh", "-c", script)
    assert r"on Test \x1b]0;title\x07 MPI, 2 ranks" in done.stderr


@pytest.mark.parametrize(
    ("words", "environment", "hints"),
    [
        ([], {}, ["--allow-run-as-root"]),
        (["--allow-run-as-root", "-n", "100000"], {}, ["--oversubscribe"]),
        (["-n", "100000"], {}, ["--allow-run-as-root", "--oversubscribe"]),
        (
            ["-n", "100000", "--oversubscribe"],
            {"PRTE_ALLOW_RUN_AS_ROOT": "1", "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM": "1"},
            [],
        ),
        (["--allow-run-as-root", "-n", "1"], {}, []),
    ],
)
def test_a_refusal_of_open_mpi_is_explained(
    espalier: Espalier, launcher: Launcher, words: list[str], environment: dict[str, str], hints: list[str]
) -> None:
    if os.geteuid() != 0:
        pytest.skip("Open MPI refuses root alone")
    bare = {name: "" for name in os.environ if name.startswith(("OMPI_", "PRTE_", "SLURM_"))}
    command = [launcher("mpirun", OPEN_MPI), *words, "--run", "false"]
    done = espalier("run", "--", *command, environment={**bare, **environment})
    assert done.returncode == 1
    for hint in ("--allow-run-as-root", "--oversubscribe"):
        assert (hint in done.stderr) is (hint in hints)


@pytest.fixture(scope="module", params=mpis.matrix(["openmpi5", "mpich5", "openmpi4", "mpich4"]))
def mpi(request: pytest.FixtureRequest) -> mpis.Mpi:
    return request.param


@pytest.fixture(scope="module")
def program(mpi: mpis.Mpi, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return mpi.compile([SUM], tmp_path_factory.mktemp(mpi.name) / "sum")


def test_a_real_program_runs_on_own_schedules_and_the_report_says_so(
    espalier: Espalier, mpi: mpis.Mpi, program: Path, tmp_path: Path
) -> None:
    file = tmp_path / "report.json"
    setting = "allreduce:recursive_doubling;barrier:native"
    command = [mpi.launcher, *mpi.options, "-n", "3", program]
    done = espalier("run", "--algorithm", setting, "--json", file, "--", *command)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "sum 3\n"
    (job,) = json.loads(file.read_text())["jobs"]
    calls = {(row["collective"], row["algorithm"]): row["calls"] for row in job["rows"]}
    assert calls == {("allreduce", "recursive_doubling"): 30, ("barrier", "native"): 6}
    assert "recursive_doubling" in done.stderr


def test_calls_on_parts_of_the_ranks_are_counted_once_for_each_rank(
    espalier: Espalier, mpi: mpis.Mpi, tmp_path: Path
) -> None:
    program, file = mpi.compile([SPLIT], tmp_path / "split"), tmp_path / "report.json"
    setting = "allreduce:recursive_doubling"
    words = ["run", "--algorithm", setting, "--json", file, "--", mpi.launcher, *mpi.options, "-n", "4", program]
    done = espalier(*words)
    assert done.returncode == 0, done.stderr
    assert "4 ranks: 40 of 40 calls (100.0%) ran on its own schedules." in " ".join(done.stderr.split())
    (job,) = json.loads(file.read_text())["jobs"]
    rows = {row["bytes_low"]: (row["ranks"], row["calls"], row["bytes"]) for row in job["rows"]}
    assert rows == {4: (2, 20, 80), 256: (2, 20, 5120)}


def test_every_collective_call_is_in_the_report(espalier: Espalier, mpi: mpis.Mpi, tmp_path: Path) -> None:
    program, file = mpi.compile([EVERY_FORM], tmp_path / "every_form"), tmp_path / "report.json"
    words = ["run", "--algorithm", "barrier:dissemination", "--json", file, "--", mpi.launcher, *mpi.options, "-n", "2"]
    done = espalier(*words, program)
    assert done.returncode == 0, done.stderr
    (job,) = json.loads(file.read_text())["jobs"]
    rows = job["rows"]
    assert {(row["collective"], row["form"]): (row["calls"], row["bytes"]) for row in rows} == {
        ("barrier", "blocking"): (4, 0),
        ("barrier", "nonblocking"): (10, 0),
        ("neighbor_allgather", "blocking"): (2, 64),
        ("neighbor_allgather", "nonblocking"): (6, 192),
    }
    assert job["own"]["calls"] + job["native"]["calls"] == 22
    assert 0 < sum(row["share"] for row in rows) < 1
    assert {"Barrier", "Ibarrier", "Neighbor_allgather", "Ineighbor_allgather"} <= set(done.stderr.split())


def test_the_library_itself_writes_to_a_device(mpi: mpis.Mpi, program: Path, build: Path) -> None:
    backend = {"LD_PRELOAD": build / "lib/libespalier.so"}
    done = mpi.run(2, [program], {**backend, "ESPALIER_REPORT": "/dev/null"})
    assert "espalier:" not in done.stderr
    done = mpi.run(2, [program], {**backend, "ESPALIER_REPORT": "/dev/full"})
    assert "ESPALIER_REPORT=/dev/full: the report could not be written there: No space left" in done.stderr
    assert not Path("/dev/null.2").exists()
    assert not Path("/dev/full.2").exists()


def test_a_real_program_is_left_alone_when_espalier_is_off(espalier: Espalier, mpi: mpis.Mpi, program: Path) -> None:
    done = espalier("run", "--off", "--", mpi.launcher, *mpi.options, "-n", "2", program)
    assert (done.returncode, done.stdout) == (0, "sum 2\n")
    assert "Espalier was off" in done.stderr


def test_the_status_of_a_real_program_is_passed_on(espalier: Espalier, mpi: mpis.Mpi, program: Path) -> None:
    done = espalier("run", "--", mpi.launcher, *mpi.options, "-n", "2", program, "5")
    assert done.returncode == 5
