# SPDX-License-Identifier: Apache-2.0
"""A whole program in a lab: the Fourier transform of examples/transform, whose communication is alltoall.

It knows nothing of Espalier, so all that is measured is what it prints.
"""

import re
import subprocess
from pathlib import Path

from espalier.failure import Failure
from espalier.installation import Installation
from espalier.launchers import Launch
from espalier_lab.experiments.launch import Family, is_late, limited

NUMBER_BYTES = 16  # complex
SECONDS = re.compile(r"^seconds ([\d.]+)$", re.MULTILINE)
IN_CALLS = re.compile(r"^seconds in alltoalls ([\d.]+)$", re.MULTILINE)
ALLTOALLS = 2  # in each step, one forth and one back


def path(installation: Installation, family: Family) -> Path:
    return program(installation, family, "transform")


def program(installation: Installation, family: Family, name: str) -> Path:
    file = installation.build / "bin" / f"{name}-{family.versioned}"
    if not file.exists():
        raise Failure(f"{file} does not exist.", "Install libfftw3-dev (scripts/setup), and build it: make build")
    return file


def points_of(block_bytes: int, ranks: int) -> int:
    """Of each axis, so that a rank sends each rank a block of this size."""
    points: int = round((block_bytes * ranks * ranks / NUMBER_BYTES) ** (1 / 3))
    if points**3 * NUMBER_BYTES != block_bytes * ranks * ranks or points % ranks != 0:
        raise Failure(f"No transform on {ranks} ranks has blocks of {block_bytes} bytes.")
    return points


def run(launch: Launch, timeout_seconds: float) -> tuple[float, float]:
    """How long it took, and how much of that its alltoalls."""
    words = limited(launch.arguments, timeout_seconds)
    done = subprocess.run(words, env=launch.environment, capture_output=True, text=True, check=False)
    if is_late(done.returncode):
        raise Failure(f"The transform was not done after {timeout_seconds:g} s, and was ended.", status=1)
    seconds, in_calls = SECONDS.search(done.stdout), IN_CALLS.search(done.stdout)
    if done.returncode != 0 or not seconds or not in_calls:
        raise Failure(f"The transform ended with status {done.returncode}:\n{done.stdout}{done.stderr}", status=1)
    return float(seconds.group(1)), float(in_calls.group(1))
