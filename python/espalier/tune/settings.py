# SPDX-License-Identifier: Apache-2.0
"""How jobs that only learn are set: everything may be tried, and nothing is forced."""

from __future__ import annotations

from pathlib import Path


def settings_for(directory: Path) -> dict[str, str]:
    return {
        "ESPALIER": "on",
        "ESPALIER_ALGORITHM": "",
        "ESPALIER_POLICY": "race",
        "ESPALIER_BUDGET": "100%",
        "ESPALIER_REPRODUCIBLE": "off",
        "ESPALIER_MEMORY": str(directory),
        "ESPALIER_REPORT": "",
    }
