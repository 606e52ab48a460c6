# SPDX-License-Identifier: Apache-2.0
"""Memories as the library writes them; docs/reference/memory.md."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

FINGERPRINT = "3f2a00000000beef"
HEAD = """# How long collectives took under Espalier, and what was the fastest; docs/reference/memory.md
format = 1
library = "{library}"
mpi = "{mpi}"
ranks = {ranks}
nodes = {nodes}
placement = "{placement}"
cores = 2
network = ""
"""
REDUCTION = """element_bytes = 8
arithmetic = "{arithmetic}"
"""
MPI = "Open MPI v5.0.11, package: Open MPI user@localhost Distribution"


def context(
    collective: str,
    low: int,
    high: int,
    *choices: str,
    calls: int = 1000,
    root: int | None = None,
    arithmetic: str = "commutative",
    uneven: bool = False,
    seconds: Sequence[float] = (),
    sd: float = 0.02,
) -> str:
    """`choices`: the best first; each takes 0.1 ms longer than the one before unless `seconds` says how long."""
    lines = ["", "[[context]]", f'collective = "{collective}"', f"bytes_low = {low}", f"bytes_high = {high}"]
    lines += [f"root = {root}"] if root is not None else []
    lines += (
        REDUCTION.format(arithmetic=arithmetic).splitlines() if "reduce" in collective or "scan" in collective else []
    )
    lines += ["uneven = true"] if uneven else []
    lines += [f"calls = {calls}", "candidates = ["]
    for number, choice in enumerate(choices):
        took = seconds[number] if seconds else 1e-4 * (number + 1)
        lines.append(f'  {{choice = "{choice}", seconds = {took!r}, sd = {sd!r}}},')
    return "\n".join([*lines, "]"]) + "\n"


def text(
    *contexts: str, ranks: int = 4, nodes: int = 1, library: str = "0.1.0", mpi: str = MPI, pinned: bool = False
) -> str:
    placement = " ".join(["1"] * (nodes - 1) + [str(ranks - nodes + 1)])
    head = HEAD.format(library=library, mpi=mpi, ranks=ranks, nodes=nodes, placement=placement)
    return head + ("pinned = true\n" if pinned else "") + "".join(contexts)


def write(directory: Path, content: str | bytes, fingerprint: str = FINGERPRINT) -> Path:
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / f"{fingerprint}.toml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path
