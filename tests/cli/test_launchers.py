# SPDX-License-Identifier: Apache-2.0
"""How the preload and the settings are handed to each launcher. Nothing is started."""

from pathlib import Path

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
    assert "LD_PRELOAD" not in launch.environment


OURS = "LD_PRELOAD=/lib/e.so,ESPALIER_ALGORITHM"


@pytest.mark.parametrize(
    ("words", "environment", "wanted"),
    [
        ("srun --export=HOME,PATH ./app", {}, f"srun --export=HOME,PATH,{OURS} ./app"),
        ("srun --export HOME,PATH ./app", {}, f"srun --export=HOME,PATH,{OURS} ./app"),
        ("srun --exp=HOME ./app", {}, f"srun --export=HOME,{OURS} ./app"),
        ("srun --export=HOME --expo PATH ./app", {}, f"srun --export=PATH,{OURS} ./app"),
        ("srun --export=NONE ./app", {}, f"srun --export={OURS} ./app"),
        ("srun --export=none,HOME ./app", {}, f"srun --export={OURS} ./app"),
        ("srun --export=NIL,HOME ./app", {}, f"srun --export=HOME,{OURS} ./app"),
        ("srun --export=A='b,c',all ./app", {}, "srun --export=A='b,c',all,LD_PRELOAD=/lib/e.so ./app"),
        ("srun ./app", {"SLURM_EXPORT_ENV": "HOME"}, f"srun --export=HOME,{OURS} ./app"),
        ("srun ./app", {"SLURM_EXPORT_ENV": "HOME", "SRUN_EXPORT_ENV": "PATH"}, f"srun --export=PATH,{OURS} ./app"),
        ("srun --export=A=1 ./app", {"SRUN_EXPORT_ENV": "PATH"}, f"srun --export=A=1,{OURS} ./app"),
        (
            "srun --export=LD_PRELOAD=/p.so ./app",
            {},
            "srun --export=LD_PRELOAD=/p.so:/lib/e.so,ESPALIER_ALGORITHM ./app",
        ),
        ("srun --export=ALL,LD_PRELOAD=/p.so ./app", {}, "srun --export=ALL,LD_PRELOAD=/p.so:/lib/e.so ./app"),
        ("srun ./app --export=HOME", {}, "srun --export=ALL,LD_PRELOAD=/lib/e.so ./app --export=HOME"),
        (
            "srun -lO -n 2 -K ./app --export=A",
            {},
            "srun --export=ALL,LD_PRELOAD=/lib/e.so -lO -n 2 -K ./app --export=A",
        ),
        ("srun -vn 2 --exp=A ./app", {}, f"srun --export=A,{OURS} -vn 2 ./app"),
        ("srun --exclusive --mem 1 --export=A ./app", {}, f"srun --export=A,{OURS} --exclusive --mem 1 ./app"),
        ("srun -- ./app --export=A", {}, "srun --export=ALL,LD_PRELOAD=/lib/e.so -- ./app --export=A"),
        (
            "srun -n1 ./a : -n1 --export=A=1 ./b : ./c",
            {},
            f"srun --export=ALL,LD_PRELOAD=/lib/e.so -n1 ./a : --export=A=1,{OURS} -n1 ./b : --export=A=1,{OURS} ./c",
        ),
        (
            "srun --export=A=1 ./a : ./b",
            {"SLURM_EXPORT_ENV": "HOME"},
            f"srun --export=A=1,{OURS} ./a : --export=HOME,{OURS} ./b",
        ),
    ],
)
def test_the_lists_of_variables_that_slurm_was_given_are_kept_and_extended(
    words: str, environment: dict[str, str], wanted: str
) -> None:
    launch = prepared(words, SLURM, environment)
    assert launch.arguments == wanted.split()
    assert "LD_PRELOAD" not in launch.environment


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("srun ./app", "srun --export=ALL,LD_PRELOAD ./app"),
        ("srun --export=LD_PRELOAD ./app", "srun --export=LD_PRELOAD,ESPALIER_ALGORITHM ./app"),
        ("srun --export=HOME ./a : --export=ALL ./b", f"srun --export=HOME,{OURS} ./a : --export=ALL,LD_PRELOAD ./b"),
    ],
)
def test_slurm_passes_on_a_preload_of_its_own_environment_so_ours_is_added_there(words: str, wanted: str) -> None:
    launch = prepared(words, SLURM, {"LD_PRELOAD": "/p.so"})
    assert launch.arguments == wanted.split()
    assert launch.environment["LD_PRELOAD"] == "/p.so:/lib/e.so"


def test_a_preload_of_slurms_own_that_no_process_gets_is_left_alone() -> None:
    launch = prepared("srun --export=HOME ./app", SLURM, {"LD_PRELOAD": "/p.so"})
    assert launch.arguments[1] == f"--export=HOME,{OURS}"
    assert launch.environment["LD_PRELOAD"] == "/p.so"


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


@pytest.mark.parametrize("version", [OPEN_MPI_5, HYDRA, SLURM, ""])
def test_another_copy_that_a_site_preloads_gives_place_to_ours(version: str) -> None:
    launch = prepared(
        "mpirun ./app", version, {"LD_PRELOAD": "/opt/lib/libespalier.so:/lib/profiler.so"}, "/mine/libespalier.so"
    )
    given = [word for word in [*launch.arguments, launch.environment["LD_PRELOAD"]] if "/mine" in word]
    assert given
    assert all(word.endswith("/lib/profiler.so:/mine/libespalier.so") and "/opt" not in word for word in given)


@pytest.mark.parametrize(
    ("words", "version"),
    [
        ("mpirun -x LD_PRELOAD=/p.so ./app", OPEN_MPI_5),
        ("mpirun -x LD_PRELOAD ./app", OPEN_MPI_5),
        ("mpiexec -n 1 ./a : -env LD_PRELOAD /p.so -n 1 ./b", HYDRA),
        ("aprun -e LD_PRELOAD=/p.so ./app", ""),
        ("jsrun -ELD_PRELOAD=/p.so ./app", ""),
        ("jsrun --env=LD_PRELOAD=/p.so ./app", ""),
    ],
)
def test_a_second_preload_among_the_launchers_arguments_is_refused(words: str, version: str) -> None:
    with pytest.raises(Failure, match="LD_PRELOAD already"):
        prepared(words, version)


@pytest.mark.parametrize("words", ["jsrun -E LD_PRELOADED=1 ./app", "aprun -e HOME=LD_PRELOAD ./app"])
def test_another_variable_among_the_launchers_arguments_is_not(words: str) -> None:
    assert prepared(words, "").arguments == words.split()


def test_a_preload_in_hydras_file_of_arguments_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("-n 1 -env LD_PRELOAD /p.so ./app\n")
    with pytest.raises(Failure, match="LD_PRELOAD already: -env LD_PRELOAD"):
        prepared(f"mpiexec -configfile {file}", HYDRA)


X = ["-x", "LD_PRELOAD=/lib/e.so", "-x", f"ESPALIER_ALGORITHM={SETTING['ESPALIER_ALGORITHM']}"]


def test_open_mpis_file_of_contexts_is_read_since_it_takes_no_variables_next_to_it(tmp_path: Path) -> None:
    file = tmp_path / "contexts"
    file.write_text("# two programs\n-np 1 ./a x\n\n-np 2 ./b # the rest\n")
    launch = prepared(f"mpirun --oversubscribe --mca btl self --app {file}", OPEN_MPI_4)
    assert launch.arguments == [
        *("mpirun", *X, "--oversubscribe", "--mca", "btl", "self", "-np", "1", "./a", "x"),
        *(":", *X, "-np", "2", "./b"),
    ]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (None, "cannot be read: No such file"),
        ("# nothing\n", "no application in it"),
        ("-np 1 -x LD_PRELOAD=/p.so ./a\n", "already: -x LD_PRELOAD"),
    ],
)
def test_a_file_of_contexts_that_cannot_be_used_is_refused(tmp_path: Path, text: str | None, complaint: str) -> None:
    file = tmp_path / "contexts"
    if text is not None:
        file.write_text(text)
    with pytest.raises(Failure, match=complaint):
        prepared(f"mpirun --app {file}", OPEN_MPI_4)


def test_an_option_of_the_program_that_is_called_app_is_the_programs() -> None:
    assert prepared("mpirun -n 2 ./a --app /nowhere", OPEN_MPI_4).arguments[-2:] == ["--app", "/nowhere"]


@pytest.mark.parametrize(
    ("words", "environment"),
    [
        ("mpirun --mca mca_base_env_list A=1;B -n 2 ./app", {}),
        ("mpirun --mca mca_base_env_list A=1+B --mca mca_base_env_list_delimiter + -n 2 ./app", {}),
        ("mpirun -n 2 ./app", {"OMPI_MCA_mca_base_env_list": "A=1;B"}),
    ],
)
def test_open_mpis_list_of_variables_is_given_one_by_one_as_ours_are(words: str, environment: dict[str, str]) -> None:
    launch = prepared(words, OPEN_MPI_4, environment)
    assert launch.arguments[1:9] == [*X, "-x", "A=1", "-x", "B"]
    assert "mca_base_env_list" not in launch.arguments
    assert "OMPI_MCA_mca_base_env_list" not in launch.environment


def test_a_preload_in_open_mpis_list_of_variables_is_refused() -> None:
    with pytest.raises(Failure, match="mca_base_env_list has an LD_PRELOAD"):
        prepared("mpirun --mca mca_base_env_list LD_PRELOAD=/p.so ./app", OPEN_MPI_4)


def test_a_signal_becomes_the_status_that_a_shell_gives_it() -> None:
    assert exit_status(3) == 3
    assert exit_status(-9) == 137
