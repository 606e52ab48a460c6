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

PACKAGE = Path(__file__).resolve().parent
ROOT = PACKAGE.parents[1]
# Written where Espalier is installed: a wheel has it in the package, `make install` above it; the source tree has none.
LAYOUT = next((file for file in (PACKAGE / "layout.json", ROOT / "layout.json") if file.exists()), None)
IS_INSTALLED = LAYOUT is not None
TOOL = "espalier-tool"
COMMAND = "espalier" if IS_INSTALLED else "./espalier"  # as the user calls it


@dataclass(frozen=True)
class Installation:
    """One build tree, or what was installed."""

    build: Path
    libraries: str = "lib"
    programs: str = "bin"
    installed_version: str = ""

    @property
    def preload(self) -> Path:
        return self._existing(f"{self.libraries}/libespalier.so")

    @property
    def tool(self) -> Path:
        return self._existing(f"{self.programs}/{TOOL}")

    @property
    def has_tool(self) -> bool:
        """It may have been left out when what is preloaded was built alone."""
        return not self.installed_version or (self.build / self.programs / TOOL).exists()

    @property
    def version(self) -> str:
        return self.installed_version or self.run_tool(["--version"]).strip()

    def _existing(self, name: str) -> Path:
        path = self.build / name
        if not path.exists():
            raise Failure(f"{path} does not exist.", remedy_for_missing(path.name))
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


def here() -> Installation:
    """What this command belongs to. Where it was installed, the rest is found from there: all of it may be moved."""
    if LAYOUT is None:
        return Installation(ROOT / "build")
    layout = json.loads(LAYOUT.read_text(encoding="utf-8"))
    prefix = (LAYOUT.parent / layout["prefix"]).resolve()
    return Installation(prefix, layout["libraries"], layout["programs"], layout["version"])


def remedy_for_missing(name: str) -> str:
    if not IS_INSTALLED:
        return "Build it first: make build"
    if name == TOOL:
        return "It was left out when Espalier was built; building it takes CLI11, nlohmann-json and hwloc."
    return "Install Espalier again."


def complaint(text: str) -> str:
    """What the tool said, without its own name and without the advice to run it with --help."""
    lines = [line for line in text.strip().splitlines() if not line.startswith("Run with --help")]
    return "\n".join(lines).removeprefix("espalier-tool: ")


def settings_in(environment: Mapping[str, str]) -> dict[str, str]:
    """The ESPALIER_* variables (and ESPALIER itself)."""
    return {name: value for name, value in environment.items() if name == "ESPALIER" or name.startswith("ESPALIER_")}
