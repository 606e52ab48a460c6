# SPDX-License-Identifier: Apache-2.0
"""What is in a memory: for one placement of a communicator, how long its collectives took, and as what.

Somebody else may have written the file: all that is wrong with it is a ValueError.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from espalier.memory import choice
from espalier.memory.choice import Choice
from espalier.older_python import toml

FORMAT = 1
LARGEST_NUMBER = 2**63
COLLECTIVES = (
    "bcast reduce allreduce barrier allgather alltoall reduce_scatter gather scatter scan exscan".split()  # noqa: SIM905
)
REDUCTIONS = ("reduce", "allreduce", "reduce_scatter", "scan", "exscan")
ROOTED = ("bcast", "reduce", "gather", "scatter")
ARITHMETICS = {
    "exact": "any order gives the same bits",
    "commutative": "any order is allowed, and shows in the bits",
    "rank_order": "does not commute",
}


@dataclass(frozen=True)
class Candidate:
    choice: Choice
    seconds: float  # believed mean of a call over the ranks; 0: never timed
    sd: float  # of its natural logarithm


@dataclass(frozen=True)
class Context:
    """Calls that are alike. `candidates`: the best first."""

    collective: str
    bytes_low: int
    bytes_high: int
    calls: int
    candidates: tuple[Candidate, ...]
    root: int = 0
    element_bytes: int = 0  # 0: of any size
    arithmetic: str = "exact"
    uneven: bool = False

    @property
    def best(self) -> Candidate:
        return self.candidates[0]

    @property
    def native(self) -> Candidate | None:
        return next((one for one in self.candidates if one.choice.is_native), None)


@dataclass(frozen=True)
class Memory:
    library: str  # Espalier's version
    mpi: str
    ranks: int
    nodes: int
    placement: str
    cores: int
    network: str  # empty: not described
    pinned: bool
    contexts: tuple[Context, ...]
    raw: dict[str, Any]  # all that the file says


def read(text: str) -> Memory:
    try:
        raw = toml.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    check_format(raw)
    contexts = raw.get("context", [])
    if not isinstance(contexts, list):
        raise ValueError("'context' must be a list")
    memory = Memory(
        library=text_in(raw, "library"),
        mpi=text_in(raw, "mpi"),
        ranks=number_in(raw, "ranks", least=1),
        nodes=number_in(raw, "nodes", least=1),
        placement=text_in(raw, "placement"),
        cores=number_in(raw, "cores"),
        network=text_in(raw, "network"),
        pinned=flag_in(raw, "pinned"),
        contexts=tuple(context_of(one, number) for number, one in enumerate(contexts, start=1)),
        raw=raw,
    )
    if memory.nodes > memory.ranks:
        raise ValueError(f"{memory.nodes} nodes for {memory.ranks} ranks")
    if root := next((one.root for one in memory.contexts if one.root >= memory.ranks), None):
        raise ValueError(f"root {root} of {memory.ranks} ranks")
    return memory


def check_format(raw: dict[str, Any]) -> None:
    found = raw.get("format")
    if type(found) is not int:
        raise ValueError("no memory: it does not say 'format'")
    if found != FORMAT:
        raise ValueError(f"format {found} is another one than {FORMAT}, which this Espalier knows")


def context_of(raw: Any, number: int) -> Context:
    try:
        return checked_context(raw)
    except ValueError as error:
        raise ValueError(f"context {number}: {error}") from None


def checked_context(raw: Any) -> Context:
    if not isinstance(raw, dict):
        raise ValueError("not a table")
    collective = text_in(raw, "collective")
    if collective not in COLLECTIVES:
        raise ValueError(f"there is no collective '{collective}'")
    reduces = collective in REDUCTIONS
    arithmetic = text_in(raw, "arithmetic") if reduces else "exact"
    if arithmetic not in ARITHMETICS:
        raise ValueError(f"arithmetic '{arithmetic}' is none of {', '.join(ARITHMETICS)}")
    candidates = raw.get("candidates")
    if not isinstance(candidates, list) or not candidates:
        raise ValueError("'candidates' must be a list, and not empty")
    context = Context(
        collective=collective,
        bytes_low=number_in(raw, "bytes_low"),
        bytes_high=number_in(raw, "bytes_high"),
        calls=number_in(raw, "calls"),
        candidates=tuple(candidate_of(one) for one in candidates),
        root=number_in(raw, "root") if "root" in raw else 0,
        element_bytes=number_in(raw, "element_bytes", least=1) if reduces and "element_bytes" in raw else 0,
        arithmetic=arithmetic,
        uneven=flag_in(raw, "uneven"),
    )
    if context.bytes_low > context.bytes_high:
        raise ValueError("bytes_low is above bytes_high")
    return context


def candidate_of(raw: Any) -> Candidate:
    if not isinstance(raw, dict):
        raise ValueError("a candidate must be a table")
    return Candidate(choice.read(text_in(raw, "choice")), real_in(raw, "seconds"), real_in(raw, "sd"))


def text_in(raw: dict[str, Any], name: str) -> str:
    value = raw.get(name)
    if not isinstance(value, str):
        raise ValueError(f"'{name}' must be a text")
    return value


def number_in(raw: dict[str, Any], name: str, least: int = 0) -> int:
    value = raw.get(name)
    if type(value) is not int or not least <= value < LARGEST_NUMBER:
        raise ValueError(f"'{name}' must be a whole number of at least {least}")
    return value


def real_in(raw: dict[str, Any], name: str) -> float:
    value = raw.get(name)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < LARGEST_NUMBER:
        raise ValueError(f"'{name}' must be a number of at least 0")
    return float(value)


def flag_in(raw: dict[str, Any], name: str) -> bool:
    value = raw.get(name, False)
    if type(value) is not bool:
        raise ValueError(f"'{name}' must be true or false")
    return value
