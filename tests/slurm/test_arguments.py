# SPDX-License-Identifier: Apache-2.0
"""What srun makes of the arguments that we give it: on a Slurm of this test's own (tests/support/slurm.py)."""

import shlex
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
import slurm

from espalier.launchers import prepare, version_of

ALGORITHM = "bcast:chain,segment=16KiB;allreduce:ring"  # a list of srun's would end at the comma
SETTINGS = {"ESPALIER_ALGORITHM": ALGORITHM}
PRINTS = """/bin/sh -c 'echo "$SLURM_PROCID <$LD_PRELOAD> <$ESPALIER_ALGORITHM> <$MARK>"'"""


@dataclass(frozen=True)
class Site:
    cluster: slurm.Cluster
    ours: Path
    theirs: Path

    def run(self, words: str, environment: Mapping[str, str] | None = None) -> list[str]:
        """What each process printed that `words` start, in which EACH is a program that prints what it got."""
        command = shlex.split(words.replace("EACH", PRINTS).replace("THEIRS", str(self.theirs)))
        environment = {name: value.replace("THEIRS", str(self.theirs)) for name, value in (environment or {}).items()}
        known = {**self.cluster.environment, **environment}
        launch = prepare(command, str(self.ours), SETTINGS, known, version_of)
        done = subprocess.run(
            launch.arguments,
            env=launch.environment,
            capture_output=True,
            text=True,
            timeout=slurm.PATIENCE_SECONDS,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return sorted(done.stdout.splitlines())

    def line(self, rank: int, preload: str, mark: str = "") -> str:
        libraries = preload.replace("THEIRS", str(self.theirs)).replace("OURS", str(self.ours))
        return f"{rank} <{libraries}> <{ALGORITHM}> <{mark}>"


@pytest.fixture(scope="module")
def site(cluster: slurm.Cluster, tmp_path_factory: pytest.TempPathFactory) -> Site:
    folder = tmp_path_factory.mktemp("preloads")
    ours, theirs = folder / "libours.so", folder / "libtheirs.so"
    for library in (ours, theirs):
        subprocess.run(["cc", "-shared", "-o", library, "-x", "c", "/dev/null"], check=True)
    return Site(cluster, ours, theirs)


@pytest.mark.parametrize(
    ("words", "environment", "preload", "mark"),
    [
        ("srun EACH", {}, "OURS", ""),
        ("srun EACH", {"MARK": "m", "LD_PRELOAD": "THEIRS"}, "THEIRS:OURS", "m"),
        ("srun --export=LD_PRELOAD=THEIRS EACH", {"MARK": "m"}, "THEIRS:OURS", ""),
        ("srun --export=ALL,LD_PRELOAD=THEIRS EACH", {"MARK": "m"}, "THEIRS:OURS", "m"),
        ("srun --export=LD_PRELOAD,MARK EACH", {"MARK": "m", "LD_PRELOAD": "THEIRS"}, "THEIRS:OURS", "m"),
        ("srun --export=MARK EACH", {"MARK": "m", "LD_PRELOAD": "THEIRS"}, "OURS", "m"),
        ("srun --exp=MARK=2 EACH", {"MARK": "1"}, "OURS", "2"),
        ("srun --export=NONE EACH", {"MARK": "m"}, "OURS", ""),
        ("srun --export=NIL,MARK EACH", {"MARK": "m"}, "OURS", "m"),
        ("""srun '--export=MARK="a,b",HOME' EACH""", {}, "OURS", '"a,b"'),
        ("srun EACH", {"SRUN_EXPORT_ENV": "MARK=1", "SLURM_EXPORT_ENV": "MARK=2"}, "OURS", "1"),
        ("srun --export=MARK=3 EACH", {"SRUN_EXPORT_ENV": "MARK=1"}, "OURS", "3"),
        ("srun -lQ -n1 -K --label EACH --export=NONE", {"MARK": "m"}, "OURS", "m"),
    ],
)
def test_each_process_gets_the_preload_once_and_what_the_user_asked_for(
    site: Site, words: str, environment: dict[str, str], preload: str, mark: str
) -> None:
    lines = site.run(words, environment)
    assert [line.removeprefix("0: ") for line in lines] == [site.line(0, preload, mark)]


@pytest.mark.parametrize(
    ("words", "environment", "preloads", "marks"),
    [
        ("srun -n1 EACH : -n1 EACH", {"MARK": "m"}, ["OURS", "OURS"], ["m", "m"]),
        ("srun -n1 EACH : -n1 --export=MARK=2 EACH", {"MARK": "1"}, ["OURS", "OURS"], ["1", "2"]),
        ("srun -n1 --export=MARK=2 EACH : -n1 EACH", {"MARK": "1"}, ["OURS", "OURS"], ["2", "2"]),
        (
            "srun -n1 --export=LD_PRELOAD=THEIRS EACH : -n1 --export=NIL EACH : -n1 --export=ALL EACH",
            {"MARK": "m"},
            ["THEIRS:OURS", "OURS", "OURS"],
            ["", "", "m"],
        ),
    ],
)
def test_each_component_of_a_job_keeps_its_own_list(
    site: Site, words: str, environment: dict[str, str], preloads: list[str], marks: list[str]
) -> None:
    wanted = [site.line(rank, *both) for rank, both in enumerate(zip(preloads, marks, strict=True))]
    assert site.run(words, environment) == wanted
