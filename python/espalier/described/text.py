# SPDX-License-Identifier: Apache-2.0
"""A description as TOML that a person can read, and mend."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from math import prod

from espalier.described.machine import Clusters, Description, Graph, Lattice, Machine, Tofu
from espalier.output_files import IsOurs

WIDTH = 110
FIRST_LINE = "# A machine, for ESPALIER_TOPOLOGY."

is_description: IsOurs = lambda text: text.startswith(FIRST_LINE)  # noqa: E731


def text_of(description: Description) -> str:
    lines = [FIRST_LINE]
    for remark in description.remarks:
        lines += textwrap.wrap(remark, WIDTH, initial_indent="# - ", subsequent_indent="#   ")
    if description.hop_seconds:
        lines += ["", f"hop_seconds = {description.hop_seconds:.3g}"]
    return "\n".join([*lines, "", *machine_lines(description.machine)]) + "\n"


def machine_lines(machine: Machine) -> Iterator[str]:
    if isinstance(machine, Lattice):
        return lattice_lines(machine)
    if isinstance(machine, Tofu):
        return tofu_lines(machine)
    return cluster_lines(machine) if isinstance(machine, Clusters) else graph_lines(machine)


def lattice_lines(machine: Lattice) -> Iterator[str]:
    assert len(machine.nodes) == prod(machine.extents)
    yield "[torus]" if machine.wraps else "[mesh]"
    yield f"extents = [{', '.join(map(str, machine.extents))}]  # the first axis is the fastest"
    yield f"rate = {rate_text(machine.rate)}  # bytes per second, of a link in each direction"
    yield from names_lines(machine.nodes, machine.extents[0])


def tofu_lines(machine: Tofu) -> Iterator[str]:
    yield "[tofu]"
    yield f"rate = {rate_text(machine.rate)}  # bytes per second, of a link in each direction"
    yield "[tofu.nodes]  # X, Y, Z, a, b, c"
    for name, place in machine.places.items():
        yield f"{quoted(name)} = [{', '.join(map(str, place))}]"


def cluster_lines(machine: Clusters) -> Iterator[str]:
    kind = "[rails]" if len(machine.sites) == 1 else "[[site]]"
    for site in machine.sites:
        yield kind
        yield f"nics = {machine.nics}"
        yield f"rate = {rate_text(machine.rate)}  # bytes per second, of a NIC in each direction"
        yield from names_lines(site, 0)
        yield ""
    if machine.wan_seconds:
        yield "[wan]"
        yield f"seconds = {machine.wan_seconds:.3g}  # in one direction"


def graph_lines(machine: Graph) -> Iterator[str]:
    for name in machine.nodes:
        yield from ("[[node]]", f"name = {quoted(name)}", "")
    for link in machine.links:
        yield from ("[[link]]", f"between = [{quoted(link.a)}, {quoted(link.b)}]", f"rate = {rate_text(link.rate)}", "")


def names_lines(names: Sequence[str], row: int) -> Iterator[str]:
    """`row`: this many on a line, if they fit; 0: as many as fit."""
    yield "nodes = ["
    whole = ", ".join(map(quoted, names[:row]))
    rows = [names[at : at + row] for at in range(0, len(names), row)] if 0 < len(whole) < WIDTH else [names]
    for one in rows:
        yield from filled(quoted(name) + "," for name in one)
    yield "]"


def filled(words: Iterable[str]) -> Iterator[str]:
    line = "   "
    for word in words:
        if len(line) + 1 + len(word) > WIDTH and line.strip():
            yield line
            line = "   "
        line += " " + word
    yield line


def quoted(name: str) -> str:
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def rate_text(rate: float) -> str:
    """Three digits are as many as a measurement has; whole numbers of a site's own stay what they are."""
    return f"{float(f'{rate:.4g}'):g}"
