# SPDX-License-Identifier: Apache-2.0
"""Histories of jobs as the library writes them; docs/reference/memory.md."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

FILE = "3f2a00000000beef.jobs"
DAY = 24 * 3600
MARCH = 1_772_625_600  # 4 March 2026, noon
SPREAD = 0.05  # of a job's calls: the quartiles are so far from the median
KEEPS = 16  # timings of an algorithm


def times(median: float, timed: int = 40, choice: str = "native", spread: float = SPREAD) -> dict[str, Any]:
    low, high = median * (1 - spread), median * (1 + spread)
    return {"choice": choice, "timed": timed, "low": low, "median": median, "high": high}


def sampled(choice: str, seconds: Sequence[float]) -> dict[str, Any]:
    """What the library keeps of the timed calls of an algorithm."""
    kept: list[float] = []
    stride = 1
    for number, one in enumerate(seconds):
        if number % stride:
            continue
        if len(kept) == KEEPS:
            kept, stride = kept[::2], 2 * stride
        kept.append(one)
    kept.sort()
    low, median, high = (kept[len(kept) * quarter // 4] for quarter in (1, 2, 3))
    return {"choice": choice, "timed": len(seconds), "low": low, "median": median, "high": high}


def context(collective: str, size: int, *of_choices: Mapping[str, Any]) -> dict[str, Any]:
    return {"collective": collective, "bytes_low": size, "bytes_high": 2 * size - 1, "times": list(of_choices)}


def job(*contexts: Mapping[str, Any], **other: Any) -> dict[str, Any]:
    return {
        "at": MARCH,
        "run": "",
        "program": "app",
        "world_ranks": 8,
        "library": "0.1.0",
        "mpi": "Open MPI v5.0.11",
        "network": "",
        "ranks": 8,
        "nodes": 4,
        "host": "n1",
        "host_list": "n[1-4]",
        "kernel": "Linux 6.1",
        "nics": ["ib0 100 Gb/sec"],
        "load": 0.5,
        "waited": 0.001,
        "contexts": list(contexts),
        **other,
    }


def both(seconds: float, **other: Any) -> dict[str, Any]:
    """A job with two contexts, which take so long."""
    return job(context("allreduce", 1 << 20, times(seconds)), context("bcast", 1 << 16, times(seconds / 4)), **other)


def text(*jobs: Mapping[str, Any]) -> str:
    return "".join(json.dumps(one) + "\n" for one in jobs)


def write(directory: Path, *jobs: Mapping[str, Any]) -> Path:
    directory.mkdir(exist_ok=True)
    path = directory / FILE
    path.write_text(text(*jobs))
    return path
