# SPDX-License-Identifier: Apache-2.0
"""The program that measures in a lab (bench/network)."""

import subprocess
from pathlib import Path

from espalier import output
from espalier.failure import Failure
from espalier.installation import Installation
from espalier.lab.launch import Family
from espalier.launchers import Launch


def path(installation: Installation, family: Family) -> Path:
    file = installation.build / "bin" / f"espalier-bench-network-{family.value}5"
    if not file.exists():
        raise Failure(f"{file} does not exist.", "Build it first: make build")
    return file


def run(prepared: Launch, say: output.Say) -> str:
    """What it prints, which is JSON; `say` is called with each line that it says meanwhile."""
    with subprocess.Popen(
        prepared.arguments, env=prepared.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        assert process.stdout is not None
        messages = []
        for line in process.stderr:
            messages.append(line)
            say(line.strip())
        text = process.stdout.read()
    if process.returncode != 0 or "{" not in text:
        raise Failure(f"The comparison ended with status {process.returncode}:\n{''.join(messages[-20:])}", status=1)
    return text[text.index("{") :]
