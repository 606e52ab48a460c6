# SPDX-License-Identifier: Apache-2.0
"""What the model by which packers are chosen expects of an exchange between hosts of several NICs."""

import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from espalier.installation import Installation
from espalier_lab.experiments.halos_planned import FORMS, Exchange

# By form: what Espalier does without a setting, and whether its communicator or request says on which grid ranks lie.
CHOSEN = {"packer": "espalier", "blocking": "espalier:neighbour", "paired": "paired"}
KNOWS_GRID = {"packer": True, "blocking": False, "paired": True}


def seconds_by_variant(installation: Installation, exchange: Exchange, size: Mapping[str, Any]) -> Mapping[str, float]:
    """Of those of which it says something."""
    if exchange.per_host > 1 or not exchange.network.startswith("rails"):
        return {}
    answers = {knows: asked(installation, exchange, size, size["grid"] if knows else []) for knows in (True, False)}
    found = {}
    for form in FORMS:
        answer = answers[KNOWS_GRID[form]]
        seconds = {one["name"]: float(one["seconds"]) for one in answer["packers"]}
        found[CHOSEN[form]] = seconds[answer["auto"]]
        found |= {f"{form}:{name}": value for name, value in seconds.items()}
    return found


def asked(installation: Installation, exchange: Exchange, size: Mapping[str, Any], grid: Sequence[float]) -> Any:
    hosts = exchange.extents[0]
    rates = exchange.options.nic_rates or [exchange.options.rate_bits] * exchange.extents[1]
    described = {"nodes": hosts, "nics": [rate / 8 for rate in rates]}
    described |= {"grid": list(map(int, grid)), "messages": size["messages"]}
    with tempfile.TemporaryDirectory(prefix="espalier-") as directory:
        file = Path(directory) / "exchange.json"
        file.write_text(json.dumps(described))
        return installation.ask_tool(["halo", "--exchange", str(file)])
