# SPDX-License-Identifier: Apache-2.0
"""Where the parts of Espalier are, and how to ask the C++ tool."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from espalier.failure import Failure

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Installation:
    """One build tree."""

    build: Path

    @property
    def preload(self) -> Path:
        return self._existing("lib/libespalier.so")

    @property
    def tool(self) -> Path:
        return self._existing("bin/espalier-tool")

    @property
    def version(self) -> str:
        return self.run_tool(["--version"]).strip()

    def _existing(self, name: str) -> Path:
        path = self.build / name
        if not path.exists():
            raise Failure(f"{path} does not exist.", "Build it first: make build")
        return path

    def run_tool(self, arguments: Sequence[str], environment: Mapping[str, str] | None = None) -> str:
        """The tool's standard output. Its own complaint becomes ours, with its exit status."""
        done = subprocess.run(
            [self.tool, *arguments],
            env=None if environment is None else dict(environment),
            capture_output=True,
            text=True,
            errors="backslashreplace",
            check=False,
        )
        if done.returncode != 0:
            message = complaint(done.stderr) or f"espalier-tool {arguments[0]} ended with status {done.returncode}."
            raise Failure(message, status=done.returncode if done.returncode > 0 else 1)
        return done.stdout

    def ask_tool(self, arguments: Sequence[str], environment: Mapping[str, str] | None = None) -> Any:
        """The tool's answer, as JSON."""
        return json.loads(self.run_tool([*arguments, "--json"], environment))


def complaint(text: str) -> str:
    """What the tool said, without its own name and without the advice to run it with --help."""
    lines = [line for line in text.strip().splitlines() if not line.startswith("Run with --help")]
    return "\n".join(lines).removeprefix("espalier-tool: ")


def settings_in(environment: Mapping[str, str]) -> dict[str, str]:
    """The ESPALIER_* variables (and ESPALIER itself)."""
    return {name: value for name, value in environment.items() if name == "ESPALIER" or name.startswith("ESPALIER_")}
