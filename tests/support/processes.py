# SPDX-License-Identifier: Apache-2.0
"""The processes of this machine."""

from pathlib import Path


def command_lines() -> dict[int, list[str]]:
    """Their words, by process; those that end meanwhile may be missing."""
    found = {}
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = file.read_bytes().decode(errors="replace").split("\0")
        except OSError:  # it ended just now
            continue
        found[int(file.parent.name)] = words
    return found
