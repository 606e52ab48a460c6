# SPDX-License-Identifier: Apache-2.0
"""What was learnt, as JSON."""

from typing import Any, Optional

from espalier.memory import belief
from espalier.memory.contents import REDUCTIONS, ROOTED, Context, Memory
from espalier.memory.stored import File


def as_json(file: File, version: str) -> dict[str, Any]:
    if file.memory is None:
        return {"fingerprint": file.fingerprint, "wrong": file.wrong}
    memory = file.memory
    return {
        "fingerprint": file.fingerprint,
        "mpi": memory.mpi,
        "library": memory.library,
        "is_used": not file.is_foreign_to(version),
        "ranks": memory.ranks,
        "nodes": memory.nodes,
        "placement": memory.placement,
        "network": memory.network,
        "contexts": len(memory.contexts),
        "pinned": memory.pinned,
        "age_seconds": round(file.age),
    }


def contexts_as_json(memory: Optional[Memory]) -> list[dict[str, Any]]:
    return [context_as_json(one) for one in memory.contexts] if memory else []


def context_as_json(context: Context) -> dict[str, Any]:
    rival = belief.rival_of_best(context)
    best = context.best
    return {
        "collective": context.collective,
        **({"root": context.root} if context.collective in ROOTED else {}),
        "bytes_low": context.bytes_low,
        "bytes_high": context.bytes_high,
        **({"element_bytes": context.element_bytes} if context.element_bytes else {}),
        **({"arithmetic": context.arithmetic} if context.collective in REDUCTIONS else {}),
        "uneven": context.uneven,
        "calls": context.calls,
        "best": best.choice.text,
        "seconds": best.seconds,
        "compared_with": rival.choice.text if rival else None,
        "times_faster": belief.times_faster(best, rival) if rival else None,
        "probability": belief.probability_faster(best, rival) if rival else None,
    }
