# SPDX-License-Identifier: Apache-2.0
"""How each launcher wants to be told which environment its processes get.

The preload must reach every process of the job, on other nodes too, but not the launcher itself if that can be
avoided. Nothing is started here except by `version_of`; files of arguments are read.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path, PurePath

from espalier import mpirun_arguments, srun_arguments
from espalier.failure import Failure
from espalier.installation import COMMAND
from espalier.older_python import pairwise
from espalier.preloads import joined

VERSION_TIMEOUT_SECONDS = 20
PRELOAD = "LD_PRELOAD"


class Launcher(Enum):
    OPEN_MPI = "Open MPI"
    HYDRA = "MPICH (Hydra)"
    SLURM = "Slurm"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Launch:
    """What to start, with which environment."""

    launcher: Launcher
    arguments: list[str]
    environment: dict[str, str]


# Commands that only change the circumstances of the launcher that follows.
WRAPPERS = frozenset({"env", "ionice", "nice", "nohup", "numactl", "setsid", "stdbuf", "taskset", "time", "timeout"})

# Only a command of such a name is asked for its version: an application might do anything with --version.
LAUNCHER_NAME = re.compile(r"(mpirun|mpiexec|orterun|prterun|srun)([.\-_].*)?$")

SIGNS = (
    (Launcher.OPEN_MPI, re.compile(r"Open MPI|OpenRTE|PRRTE|PRTE", re.IGNORECASE)),
    (Launcher.HYDRA, re.compile(r"HYDRA|Intel\(R\) MPI", re.IGNORECASE)),
    (Launcher.SLURM, re.compile(r"^slurm", re.IGNORECASE)),
)
NAMES = {"orterun": Launcher.OPEN_MPI, "prterun": Launcher.OPEN_MPI, "srun": Launcher.SLURM}


def name_of(command: str) -> str:
    return PurePath(command).name


def find_launcher(command: Sequence[str]) -> int:
    """The index of the launcher in `command`, which may follow wrappers such as `timeout 60`; 0 if there is none."""
    if name_of(command[0]) in WRAPPERS:
        for index, word in enumerate(command):
            if LAUNCHER_NAME.match(name_of(word)):
                return index
    return 0


def version_of(command: str) -> str:
    """What the launcher prints for --version; empty if it is none, or cannot be started."""
    if not LAUNCHER_NAME.match(name_of(command)):
        return ""
    try:
        done = subprocess.run(
            [command, "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=VERSION_TIMEOUT_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout + done.stderr


def recognise(command: str, version: str) -> Launcher:
    for launcher, sign in SIGNS:
        if sign.search(version):
            return launcher
    return NAMES.get(name_of(command), Launcher.UNKNOWN)


def prepare(
    command: Sequence[str],
    preload: str,
    settings: Mapping[str, str],
    environment: Mapping[str, str],
    version: Callable[[str], str] = version_of,
) -> Launch:
    """`command` such that all processes it launches get the preload and the settings.

    A preload that is in `environment` already is kept, before ours: a profiler that calls PMPI_X then still sees every
    call, and reaches us.
    """
    at = find_launcher(command)
    launcher = recognise(command[at], version(command[at]))
    before, rest = list(command[: at + 1]), list(command[at + 1 :])
    if launcher is Launcher.OPEN_MPI:
        rest = mpirun_arguments.with_files_read(rest)
    refuse_second_preload(setting_options(launcher, name_of(command[at])), [*rest, "", *configured(rest)])
    preloads = joined(environment.get(PRELOAD), preload)
    base = {**environment, **settings}

    if launcher is Launcher.OPEN_MPI:
        words, base = mpirun_arguments.described(rest, {PRELOAD: preloads, **settings}, base)
        return Launch(launcher, before + words, base)
    if launcher is Launcher.HYDRA:
        words = [word for item in {PRELOAD: preloads, **settings}.items() for word in ("-genv", *item)]
        return Launch(launcher, before + words + rest, base)
    if launcher is Launcher.SLURM:
        words, changed = srun_arguments.described(rest, preload, settings, environment)
        return Launch(launcher, before + words, {**base, **changed})
    return Launch(launcher, list(command), {**base, PRELOAD: preloads})


def setting_options(launcher: Launcher, name: str) -> Sequence[str]:
    """Those that set a variable, where nothing of ours can be merged with them."""
    if launcher in (Launcher.OPEN_MPI, Launcher.HYDRA):
        return ("-x", "-env", "--env", "-genv", "--genv")
    return {"aprun": ("-e", "--environment-override"), "jsrun": ("-E", "--env")}.get(name, ())


def refuse_second_preload(options: Sequence[str], words: Sequence[str]) -> None:
    """Options that set a variable count before what the environment has of it, and before our own."""
    for option, word in pairwise(["", *words]):
        given = (
            word if option in options else next((word.removeprefix(one) for one in options if word.startswith(one)), "")
        )
        if re.match(f"=?{PRELOAD}(=|$)", given):
            raise Failure(
                f"The launcher's arguments set {PRELOAD} already: {f'{option} {word}' if option in options else word}",
                f"Set {PRELOAD} in the environment of {COMMAND} instead; then both are loaded.",
            )


def configured(rest: Sequence[str]) -> list[str]:
    """The words in the file that Hydra reads its arguments from; what it cannot read, it complains about itself."""
    try:
        texts = [Path(word).read_text() for option, word in pairwise(rest) if option in ("-configfile", "--configfile")]
    except (OSError, ValueError):
        return []
    return " ".join(texts).split()


def options_for_one_machine(launcher: Launcher) -> list[str]:
    """For demonstrations: more ranks than cores is all right, and so is root (a container, most likely)."""
    if launcher is not Launcher.OPEN_MPI:
        return []
    return ["--oversubscribe", *(["--allow-run-as-root"] if os.geteuid() == 0 else [])]


def refusals(launch: Launch, cores: int) -> list[str]:
    """Why this launcher started nothing, where its arguments show that; with what to do about it.

    Open MPI starts nothing as root, and no more processes than there are cores, unless it is told to. It says so
    itself, at length.
    """
    if launch.launcher is not Launcher.OPEN_MPI:
        return []
    result = []
    if os.geteuid() == 0 and not may_run_as_root(launch):
        result.append(
            "Open MPI does not run as root unless told to. In a container that is all right: add --allow-run-as-root "
            "after the launcher, or set OMPI_ALLOW_RUN_AS_ROOT=1 and OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1."
        )
    wanted = ranks_wanted(launch.arguments)
    if wanted > cores and not may_oversubscribe(launch):
        result.append(
            f"Open MPI starts no more processes than there are cores unless told to: {wanted} are wanted, and there "
            f"{'is' if cores == 1 else 'are'} {cores}. Add --oversubscribe after the launcher."
        )
    return result


def may_run_as_root(launch: Launch) -> bool:
    def are_set(prefix: str) -> bool:
        return all(launch.environment.get(prefix + end) == "1" for end in ("", "_CONFIRM"))

    return "--allow-run-as-root" in launch.arguments or any(
        are_set(f"{name}_ALLOW_RUN_AS_ROOT") for name in ("OMPI", "PRTE")
    )


def may_oversubscribe(launch: Launch) -> bool:
    """Or else the slots are counted elsewhere: in a hostfile, or by a batch system."""
    said = [
        *launch.arguments,
        *(f"{name}={value}" for name, value in launch.environment.items() if "_MCA_" in name and value),
    ]
    elsewhere = ("-host", "--host", "-H", "-hostfile", "--hostfile", "-machinefile", "--machinefile")
    return (
        "oversubscribe" in " ".join(said).lower()
        or any(word in elsewhere for word in launch.arguments)
        or any(launch.environment.get(name) for name in ("SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID"))
    )


def ranks_wanted(words: Sequence[str]) -> int:
    """As -n says; 0 if it is not there."""
    for option, number in pairwise(words):
        if option in ("-n", "-np", "--np", "-c") and number.isdecimal():
            return int(number)
    return 0


def exit_status(returncode: int) -> int:
    """As a shell has it: 128 + n for signal n."""
    return 128 - returncode if returncode < 0 else returncode
