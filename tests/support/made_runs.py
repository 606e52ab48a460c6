# SPDX-License-Identifier: Apache-2.0
"""Reports of runs that never were, with contexts chosen by time; plausible, and the same for the same seed.

python tests/support/made_runs.py FILE [SEED [CONTEXTS]]
"""

from __future__ import annotations

import json
import math
import random
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Json = dict[str, Any]

ALGORITHMS = (
    ("ring", "segment=64KiB,window=4"),
    ("rabenseifner", "window=4"),
    ("recursive_doubling", ""),
    ("binary_tree", "segment=16KiB,window=4"),
    ("chain", "segment=32KiB,window=4"),
    ("circulant", "radix=3"),
    ("linear", ""),
    ("packed", "segment=128KiB,window=4"),
)
COLLECTIVES = ("allreduce", "bcast", "alltoall", "allgather", "reduce", "reduce_scatter")
NOISE = 0.06
SPIKES = 0.02
BLOCK_CALLS = (2, 4, 4, 8, 8, 16, 16, 32)
TRIES = 3


@dataclass
class Entrant:
    """A candidate with its true time."""

    algorithm: str
    parameters: str
    true_seconds: float
    estimate: float
    calls: int = 0
    seconds: list[float] = field(default_factory=list)

    @property
    def believed(self) -> float:
        logs = sorted(math.log(one) for one in self.seconds)
        return math.exp(logs[len(logs) // 2]) if logs else 0.0


def entrants(chance: random.Random, seconds: float, count: int) -> list[Entrant]:
    """The native MPI first; the estimates are not quite right."""
    algorithms = chance.sample(ALGORITHMS, count)
    made = [Entrant("native", "", seconds, 0)]
    made += [Entrant(name, words, seconds * chance.lognormvariate(0, 0.6), 0) for name, words in algorithms]
    for one in made:
        one.estimate = one.true_seconds * chance.lognormvariate(0, 0.2)
    best = min(one.estimate for one in made)
    for one in made:
        one.estimate /= best
    return made


def timing(chance: random.Random, one: Entrant) -> tuple[float, float]:
    """The mean over the ranks, and the least."""
    seconds = one.true_seconds * chance.lognormvariate(0, NOISE)
    if chance.random() < SPIKES:
        seconds *= chance.uniform(2, 8)
    return seconds, seconds * chance.uniform(0.6, 0.95)


def block(chance: random.Random, field_: list[Entrant], at: int, length: int, incumbent: int, rest: int) -> Json:
    """Some calls of those that were tried least, then the incumbent's."""
    open_ones = [k for k, one in enumerate(field_) if len(one.seconds) < TRIES and (k == 0 or one.estimate < 3)]
    calls = ([open_ones[0]] * min(2, length) if open_ones else []) or ([0] if chance.random() < 0.05 else [])
    calls += [incumbent] * (length - len(calls))
    timings = [timing(chance, field_[k]) for k in calls]
    for k, (seconds, _) in zip(calls, timings, strict=True):
        field_[k].calls += 1
        field_[k].seconds.append(seconds)
    field_[incumbent].calls += rest
    return {
        "at": at,
        "calls": calls,
        "seconds": [seconds for seconds, _ in timings],
        "least": [least for _, least in timings],
        "beside": chance.uniform(4e-6, 9e-6),
        "rest": rest,
        "incumbent": incumbent,
    }


def played(chance: random.Random, field_: list[Entrant], calls: int) -> list[Json]:
    """As the library does, the calls before the first block and since the last one count for no candidate."""
    at, incumbent, blocks = 8, 0, []
    while at < calls and len(blocks) < 1024:
        length = min(BLOCK_CALLS[min(len(blocks), len(BLOCK_CALLS) - 1)], calls - at)
        rest = min(calls - at - length, len(blocks))
        blocks.append(block(chance, field_, at, length, incumbent, rest))
        at += length + rest
        known = [k for k, one in enumerate(field_) if one.seconds]
        incumbent = min(known, key=lambda k: field_[k].believed)
    return blocks


def context(seed: int, **changes: Any) -> Json:
    calls = random.Random(seed).choice((60, 300, 1000, 5000))
    return context_of(seed, calls) | changes


def context_of(seed: int, calls: int) -> Json:
    chance = random.Random(seed)
    collective = chance.choice(COLLECTIVES)
    size = 1 << chance.randint(10, 22)
    field_ = entrants(chance, 2e-5 + size / 1e9 * chance.uniform(1, 3), chance.randint(3, 8))
    blocks = played(chance, field_, calls)
    incumbent = blocks[-1]["incumbent"]
    baseline = field_[0].believed or field_[0].true_seconds
    made = {
        "collective": collective,
        "leader": chance.choice((0, 0, 4)),
        "communicator": chance.randint(0, 3),
        "ranks": 16,
        "bytes": size,
        "bytes_high": 2 * size - 1,
        "uneven": False,
        "policy": "race",
        "start": chance.choice(("cold", "other sizes", "memory")),
        "state": chance.choice(("racing", "for ever")),
        "calls": calls,
        "first": 0,
        "incumbent": incumbent,
        "agreements": len(blocks),
        "agreement_seconds": sum(one["beside"] for one in blocks),
        "candidates": [candidate(one, baseline) for one in field_],
        "blocks": blocks,
    }
    if collective in ("bcast", "reduce"):
        made["root"] = 0
    if collective in ("allreduce", "reduce", "reduce_scatter"):
        made["arithmetic"] = chance.choice(("exact", "commutative"))
    if collective in ("bcast", "reduce", "allreduce"):
        made["arrivals"] = arrivals(seed, made["ranks"], calls)
        last = made["candidates"][-1]
        last["parameters"] = f"{last['parameters']},arranged".lstrip(",")
    if seed % 2:
        made["bound_seconds"] = min(one.true_seconds for one in field_) * 0.6
    return made


def arrivals(seed: int, ranks: int, calls: int, late: int = 1) -> Json:
    """Some ranks arrive late, and all wait for them before they are arranged. `calls`: that there were, at least 20."""
    chance = random.Random(seed)
    last = sorted(chance.sample(range(1, ranks), late))
    lateness = {rank: chance.uniform(8e-3, 12e-3) for rank in last}
    places = [rank for rank in range(ranks) if rank not in lateness] + last
    return {
        "rearranged_at": [17] if seed % 2 else [17, calls - 2],
        "ranks": places,
        "transfer_seconds": 4e-4,
        "before": call_of_all(chance, 14, ranks, lateness, all_wait=True),
        "latest": call_of_all(chance, calls - 1, ranks, lateness, all_wait=False),
    }


def call_of_all(chance: random.Random, call: int, ranks: int, lateness: dict[int, float], all_wait: bool) -> Json:
    come = [-3.0 + chance.uniform(0, 3e-4) + lateness.get(rank, 0.0) for rank in range(ranks)]
    ready = max(come) if all_wait else -3.0 + 3e-4
    there = [max(one, ready) + 4e-4 * (1 + rank.bit_count()) for rank, one in enumerate(come)]
    return {
        "call": call,
        "come": come,
        "left": [one + chance.uniform(0, 8e-4) for one in there],
        "waited": [late - early for early, late in zip(come, there, strict=True)],
    }


def candidate(one: Entrant, baseline: float) -> Json:
    seconds = one.believed
    return {
        "algorithm": one.algorithm,
        "parameters": one.parameters,
        "estimate": one.estimate,
        "calls": one.calls,
        "timed": len(one.seconds),
        "seconds": seconds,
        "sd": NOISE / math.sqrt(len(one.seconds)) if one.seconds else 0.25,
        "lost_seconds": one.calls * (seconds - baseline) if seconds else 0.0,
    }


def context_before(seed: int) -> Json:
    """Too few calls to try anything."""
    made = context(seed, state="before", incumbent=-1, calls=5, agreements=0, agreement_seconds=0.0)
    return made | {"candidates": [], "blocks": []}


def rows(contexts: list[Json], wall_seconds: float, ranks: int) -> list[Json]:
    return [row for one in contexts for row in rows_of(one, wall_seconds, ranks)]


def rows_of(one: Json, wall_seconds: float, ranks: int) -> list[Json]:
    low = 1 << (max(1, one["bytes"]).bit_length() - 1)
    made = []
    for each in one["candidates"]:
        if not each["calls"]:
            continue
        mean = each["calls"] * (each["seconds"] or 1e-5)
        made.append(
            {
                "collective": one["collective"],
                "form": "blocking",
                "bytes_low": low,
                "bytes_high": 2 * low - 1,
                "algorithm": each["algorithm"],
                "parameters": each["parameters"],
                "reason": "by time: tried",
                "ranks": ranks,
                "calls": each["calls"] * ranks,
                "bytes": each["calls"] * ranks * one["bytes"],
                "seconds_min": mean * 0.8,
                "seconds_mean": mean,
                "seconds_max": mean * 1.4,
                "share": mean / wall_seconds,
            }
        )
    return made


def report(contexts: list[Json], **changes: Any) -> Json:
    ranks = 16
    took = sum(one["calls"] * (one["seconds"] or 1e-5) for made in contexts for one in made["candidates"])
    wall_seconds = max(0.01, took * 2.5)
    made = rows(contexts, wall_seconds, ranks)
    return {
        "version": "0.1.0",
        "mpi": "Open MPI v5.0.11, package: made up",
        "ranks": ranks,
        "settings": {"ESPALIER": "on", "ESPALIER_POLICY": "race", "ESPALIER_BUDGET": "1%"},
        "wall_seconds": wall_seconds,
        "own": together([row for row in made if row["algorithm"] != "native"]),
        "native": together([row for row in made if row["algorithm"] == "native"]),
        "rows": made,
        "contexts": contexts,
    } | changes


def together(some: list[Json]) -> Json:
    return {
        "calls": sum(row["calls"] for row in some),
        "bytes": sum(row["bytes"] for row in some),
        "seconds": sum(row["seconds_mean"] for row in some),
        "share": sum(row["share"] for row in some),
    }


def run(seed: int = 1, contexts: int = 4) -> Json:
    """What `run --json` writes."""
    made = [context(seed * 1000 + k) for k in range(contexts)]
    return {"status": 0, "jobs": [report([*made, context_before(seed)])]}


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(json.dumps(run(*map(int, sys.argv[2:]))))
