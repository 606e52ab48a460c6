# SPDX-License-Identifier: Apache-2.0
"""How the preload and the settings are handed to each launcher. Pure: nothing is started."""

import pytest
from espalier.failure import Failure
from espalier.launchers import Launcher, exit_status, find_launcher, prepare, recognise

OPEN_MPI_4 = "mpirun.openmpi (OpenRTE) 4.1.4"
OPEN_MPI_5 = "mpirun (Open MPI) 5.0.11"
HYDRA = "HYDRA build details:\n    Version: 5.0.2"
INTEL = "Intel(R) MPI Library for Linux* OS, Version 2021.18"
SLURM = "slurm 23.11.4"
SETTING = {"ESPALIER_ALGORITHM": "allreduce:ring,segment=16KiB;bcast:native"}


def prepared(words: str, version: str, environment: dict[str, str] | None = None, preload: str = "/lib/e.so"):
    return prepare(words.split(), preload, SETTING, environment or {}, lambda _: version)


@pytest.mark.parametrize(
    ("command", "version", "launcher"),
    [
        ("mpirun", OPEN_MPI_4, Launcher.OPEN_MPI),
        ("mpirun", OPEN_MPI_5, Launcher.OPEN_MPI),
        ("/opt/bin/prterun", "", Launcher.OPEN_MPI),
        ("mpiexec", HYDRA, Launcher.HYDRA),
        ("mpirun", INTEL, Launcher.HYDRA),
        ("srun", SLURM, Launcher.SLURM),
        ("aprun", "", Launcher.UNKNOWN),
        ("./app", "", Launcher.UNKNOWN),
    ],
)
def test_a_launcher_is_recognised_by_its_version_and_then_by_its_name(
    command: str, version: str, launcher: Launcher
) -> None:
    assert recognise(command, version) is launcher


def test_a_launcher_is_found_behind_a_wrapper() -> None:
    assert find_launcher(["timeout", "60", "mpirun", "-n", "4", "./app"]) == 2


def test_an_argument_of_the_program_is_not_taken_for_a_launcher() -> None:
    assert find_launcher(["./app", "mpirun"]) == 0


def test_open_mpi_gets_values_with_commas_and_semicolons_in_one_word() -> None:
    launch = prepared("mpirun -n 4 ./app", OPEN_MPI_5)
    assert launch.arguments == [
        *("mpirun", "-x", "LD_PRELOAD=/lib/e.so"),
        *("-x", "ESPALIER_ALGORITHM=allreduce:ring,segment=16KiB;bcast:native"),
        *("-n", "4", "./app"),
    ]


def test_open_mpi_gets_the_preload_for_every_application_context() -> None:
    launch = prepared("mpirun -n 1 ./a : -n 2 ./b", OPEN_MPI_4)
    assert launch.arguments.count("LD_PRELOAD=/lib/e.so") == 2
    assert launch.arguments[launch.arguments.index(":") + 1] == "-x"


def test_the_launcher_itself_is_not_preloaded() -> None:
    for version in (OPEN_MPI_4, OPEN_MPI_5, HYDRA):
        assert "LD_PRELOAD" not in prepared("mpirun ./app", version).environment


def test_hydra_gets_name_and_value_as_two_words() -> None:
    launch = prepared("mpiexec -n 4 ./app", HYDRA)
    assert launch.arguments[:4] == ["mpiexec", "-genv", "LD_PRELOAD", "/lib/e.so"]
    assert launch.arguments[4:7] == ["-genv", "ESPALIER_ALGORITHM", SETTING["ESPALIER_ALGORITHM"]]


def test_slurm_gets_all_the_environment_and_the_preload_by_value() -> None:
    launch = prepared("srun -n 4 ./app", SLURM)
    assert launch.arguments == ["srun", "--export=ALL,LD_PRELOAD=/lib/e.so", "-n", "4", "./app"]
    assert launch.environment["ESPALIER_ALGORITHM"] == SETTING["ESPALIER_ALGORITHM"]


@pytest.mark.parametrize("words", ["srun --export=HOME,PATH ./app", "srun --export HOME,PATH ./app"])
def test_a_list_of_variables_given_to_slurm_is_kept_and_extended(words: str) -> None:
    launch = prepared(words, SLURM)
    assert launch.arguments == ["srun", "--export=HOME,PATH,LD_PRELOAD=/lib/e.so,ESPALIER_ALGORITHM", "./app"]


def test_slurm_passes_on_nothing_but_ours_when_told_to_pass_on_nothing() -> None:
    launch = prepared("srun --export=NONE ./app", SLURM)
    assert launch.arguments[1] == "--export=LD_PRELOAD=/lib/e.so,ESPALIER_ALGORITHM"


def test_the_list_in_slurms_own_variable_is_kept_too() -> None:
    launch = prepared("srun ./app", SLURM, {"SLURM_EXPORT_ENV": "HOME"})
    assert launch.arguments[1] == "--export=HOME,LD_PRELOAD=/lib/e.so,ESPALIER_ALGORITHM"


def test_slurm_refuses_a_preload_whose_path_has_a_comma() -> None:
    with pytest.raises(Failure, match="comma"):
        prepared("srun ./app", SLURM, preload="/a,b/e.so")


def test_an_unknown_launcher_gets_everything_through_the_environment() -> None:
    launch = prepared("aprun -n 4 ./app", "")
    assert launch.launcher is Launcher.UNKNOWN
    assert launch.arguments == ["aprun", "-n", "4", "./app"]
    assert launch.environment == {"LD_PRELOAD": "/lib/e.so", **SETTING}


@pytest.mark.parametrize("version", [OPEN_MPI_5, HYDRA, SLURM, ""])
def test_a_preload_of_the_users_own_comes_first(version: str) -> None:
    launch = prepared("mpirun ./app", version, {"LD_PRELOAD": "/lib/profiler.so"})
    words = [*launch.arguments, launch.environment["LD_PRELOAD"]]
    assert any("/lib/profiler.so:/lib/e.so" in word for word in words)


@pytest.mark.parametrize("words", ["mpirun -x LD_PRELOAD=/p.so ./app", "mpirun -x LD_PRELOAD ./app"])
def test_a_second_preload_among_the_launchers_arguments_is_refused(words: str) -> None:
    with pytest.raises(Failure, match="LD_PRELOAD already"):
        prepared(words, OPEN_MPI_5)


def test_a_signal_becomes_the_status_that_a_shell_gives_it() -> None:
    assert exit_status(3) == 3
    assert exit_status(-9) == 137
