# SPDX-License-Identifier: Apache-2.0
"""Where memories are kept. The library looks in the same place."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from espalier.failure import Failure

SETTING = "ESPALIER_MEMORY"
AUTO = "auto"


def directory_of(option: Path | None, environment: Mapping[str, str]) -> Path:
    """What the option says, or the setting, or else the user's cache."""
    if option is not None:
        return option
    setting = environment.get(SETTING, AUTO)
    if setting == "":
        raise Failure(f"{SETTING} is empty: jobs keep no memory.", "Say where to look: --directory DIR")
    if setting != AUTO:
        return Path(setting)
    cache = environment.get("XDG_CACHE_HOME", "")
    if cache.startswith("/"):
        return Path(cache) / "espalier"
    if not environment.get("HOME"):
        raise Failure(f"Neither {SETTING} nor HOME is set.", "Say where to look: --directory DIR")
    return Path(environment["HOME"]) / ".cache" / "espalier"
