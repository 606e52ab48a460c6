# SPDX-License-Identifier: Apache-2.0
"""The programs that measure in a lab (bench/network, bench/halo)."""

import subprocess
import tempfile
from pathlib import Path

from espalier import output
from espalier.failure import Failure
from espalier.installation import Installation
from espalier.launchers import Launch
from espalier_lab.experiments.launch import MEASURED, Family, is_late, limited


def path(installation: Installation, family: Family, name: str = "network") -> Path:
    if family not in MEASURED:
        raise Failure(f"--mpi {family.value}: only runs programs; allowed: {', '.join(MEASURED)}")
    file = installation.build / "bin" / f"espalier-bench-{name}-{family.versioned}"
    if not file.exists():
        raise Failure(f"{file} does not exist.", "Build it first: make build")
    return file


def run(prepared: Launch, announce: output.Announce, timeout_seconds: float | None = None) -> str:
    """What it prints, which is JSON; `say` is called with each line that it says meanwhile."""
    words = limited(prepared.arguments, timeout_seconds)
    with (
        tempfile.TemporaryFile("w+") as output_file,  # may be more than fits a pipe
        subprocess.Popen(
            words, env=prepared.environment, stdout=output_file, stderr=subprocess.PIPE, text=True
        ) as process,
    ):
        assert process.stderr is not None
        messages = []
        for line in process.stderr:
            messages.append(line)
            announce(line.strip())
        process.wait()
        output_file.seek(0)
        text = output_file.read()
    if timeout_seconds and is_late(process.returncode):
        raise Failure(f"The comparison was not done after {timeout_seconds:g} s, and was ended.", status=1)
    if process.returncode != 0 or "{" not in text:
        raise Failure(f"The comparison ended with status {process.returncode}:\n{''.join(messages[-20:])}", status=1)
    return text[text.index("{") :]
