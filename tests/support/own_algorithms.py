# SPDX-License-Identifier: Apache-2.0
"""A value of ESPALIER_ALGORITHM under which every collective runs on a schedule of ours."""

from __future__ import annotations

import json
from pathlib import Path

from mpis import checked


def one_for_each_collective(build: Path) -> str:
    """The first of each in the registry; those that need a known network come last."""
    listed = json.loads(checked([str(build / "bin" / "espalier-tool"), "algorithms", "--json"]).stdout)
    first: dict[str, str] = {}
    for algorithm in listed["algorithms"]:
        first.setdefault(algorithm["collective"], algorithm["name"])
    return ";".join(f"{collective}:{name}" for collective, name in first.items())
