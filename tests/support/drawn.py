# SPDX-License-Identifier: Apache-2.0
"""Which MPIs a case of a test runs on: with THOROUGH_TESTS in the environment on all that it names, else on one of each
family, or of all where it is marked `on_any_mpi`, as those are that take long. Which one is drawn by the case's name:
every MPI gets its share of the cases, always the same ones.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Sequence
from zlib import crc32

import pytest
from mpis import ALL

# With this in the environment, tests try much more; without a prefix of ours, which would make it a (wrong) setting.
IS_THOROUGH = bool(os.environ.get("THOROUGH_TESTS"))

# By name; some tests name the family alone.
FAMILIES = {mpi.name: mpi.family for mpi in ALL} | {mpi.family: mpi.family for mpi in ALL}


def drawn(items: Sequence[pytest.Item]) -> list[pytest.Item]:
    """In their order, those that are to run."""
    if IS_THOROUGH:
        return list(items)
    alike = defaultdict(list)
    for item in items:
        alike[case_of(item)].append(item)
    chosen = {id(one_of(same)) for same in alike.values()}
    return [item for item in items if id(item) in chosen]


def case_of(item: pytest.Item) -> str:
    """The test and its parameters but for the MPI, of which at most the family counts."""
    name = mpi_of(item)
    if name is None:
        return item.nodeid
    return item.nodeid.replace(name, "" if item.get_closest_marker("on_any_mpi") else FAMILIES[name])


def mpi_of(item: pytest.Item) -> str | None:
    """As its parameter has it; None: the test runs on none, or chooses for itself."""
    call = getattr(item, "callspec", None)
    name = str(call.params.get("mpi")) if call else None
    return name if name in FAMILIES else None


def one_of(alike: Sequence[pytest.Item]) -> pytest.Item:
    present = [item for item in alike if item.get_closest_marker("skip") is None] or alike
    return present[crc32(case_of(alike[0]).encode()) % len(present)]
