# SPDX-License-Identifier: Apache-2.0
"""Values of ESPALIER_ALGORITHM under which every collective, in every form, runs on a schedule of ours."""

from __future__ import annotations

import json
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any

from mpis import ROOT, checked

# Short messages, too, are cut into several segments.
PARAMETERS = ("", "segment=512", "segment=256,window=2", "segment=1KiB")
TURNS = range(len(PARAMETERS))


@cache
def algorithms(build: Path) -> dict[str, list[dict[str, Any]]]:
    """Of each collective those that exist on every communicator and, where blocks may be uneven, take these."""
    tools = [root / "bin" / "espalier-tool" for root in (build, ROOT / "build")]  # sanitizers' builds have none
    tool = next((tool for tool in tools if tool.exists()), tools[0])
    listed = json.loads(checked([str(tool), "algorithms", "--json"]).stdout)
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for algorithm in listed["algorithms"]:
        if not algorithm["needs_a_network"] and algorithm["ranks"] == "any":
            found[algorithm["collective"]].append(algorithm)
    return {collective: [each for each in some if each["takes_uneven"]] or some for collective, some in found.items()}


def own_algorithms(build: Path, turn: int = 0) -> str:
    """One for each collective: every turn another one, cut differently."""
    words = []
    for collective, some in algorithms(build).items():
        algorithm = some[turn % len(some)]
        radix = "radix=3" if algorithm["takes_radix"] and turn % 2 else ""
        parameters = filter(None, (algorithm["name"], PARAMETERS[turn % len(PARAMETERS)], radix))
        words.append(f"{collective}:{','.join(parameters)}")
    return ";".join(words)


def names_in(setting: str) -> set[str]:
    """Of the algorithms, without their parameters."""
    return {choice.split(":")[1].split(",")[0] for choice in setting.split(";")}
