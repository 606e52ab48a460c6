# SPDX-License-Identifier: Apache-2.0
"""The processes of this machine."""

from pathlib import Path


def command_lines() -> dict[int, list[str]]:
    """Their words, by process; those that end meanwhile may be missing."""
    found = {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes().decode(errors="replace").split("\0")
        except OSError:  # it ended just now
            continue
        found[int(process.name)] = words
    return found
