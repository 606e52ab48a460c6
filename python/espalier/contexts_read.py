# SPDX-License-Identifier: Apache-2.0
"""The contexts of a report, as its JSON has them."""

from __future__ import annotations

from collections.abc import Iterator, Sized
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from espalier import report, stored
from espalier.contexts import NONE, Arrivals, Block, CallOfAll, Candidate, Context, Facts
from espalier.failure import Failure
from espalier.older_python import pairwise

STATES = ("before", "racing", "for ever", "given up")
STARTS = ("cold", "memory", "pinned", "other sizes", "estimate")


def of(one: report.Report) -> tuple[Context, ...]:
    """In the report's order; none where the library was not asked to choose by time."""
    if "contexts" not in one.raw:
        return ()
    try:
        found = stored.list_in(one.raw, "contexts")
        return tuple(context_of(raw, f"contexts[{index}]") for index, raw in enumerate(found))
    except ValueError as error:
        raise Failure(f"The report's contexts are not understood: {error}", status=1) from error


def context_of(raw: Any, place: str) -> Context:
    with named(place):
        facts = stored.dataclass_of(Facts, raw)
        check_word("state", facts.state, STATES)
        check_word("start", facts.start, STARTS)
        listed = stored.list_in(raw, "candidates")
        blocks = stored.list_in(raw, "blocks") if "blocks" in raw else []
    candidates = tuple(candidate_of(one, f"{place}.candidates[{k}]") for k, one in enumerate(listed))
    with named(place):
        check_index("incumbent", facts.incumbent, len(candidates), least=NONE)
        if candidates:
            check_index("first", facts.first, len(candidates))
    return Context(
        **vars(facts),
        candidates=candidates,
        blocks=tuple(blocks_of(blocks, len(candidates), place)),
        arrivals=arrivals_of(raw["arrivals"], facts.ranks, f"{place}.arrivals") if "arrivals" in raw else None,
    )


def candidate_of(raw: Any, place: str) -> Candidate:
    with named(place):
        one = stored.dataclass_of(Candidate, raw)
        if one.timed > one.calls:
            raise ValueError(f"{one.timed} of {one.calls} calls cannot have been timed")
        return one


def blocks_of(raw: list[Any], candidates: int, place: str) -> Iterator[Block]:
    """In the order of their calls."""
    end = 0
    for index, one in enumerate(raw):
        with named(f"{place}.blocks[{index}]"):
            block = block_of(one, candidates)
            if block.at < end:
                raise ValueError(f"'at' is {block.at}, but the block before ends at {end}")
            end = block.at + block.run * len(block.calls)
            yield block


def block_of(raw: Any, candidates: int) -> Block:
    plain = stored.dataclass_of(PlainBlock, raw)
    calls = stored.numbers_in(raw, "calls", int)
    seconds = stored.numbers_in(raw, "seconds", float)
    least = stored.numbers_in(raw, "least", float) if "least" in raw else ()
    if len(seconds) != len(calls) or len(least) not in (0, len(calls)):
        raise ValueError(f"there are {len(calls)} calls, but {len(seconds)} 'seconds' and {len(least)} 'least'")
    for candidate in calls:
        check_index("calls", candidate, candidates)
    check_index("incumbent", plain.incumbent, candidates)
    if plain.run < 1:
        raise ValueError(f"'run' is {plain.run}; allowed: 1 and more")
    return Block(plain.at, calls, seconds, least, plain.beside + plain.once, plain.rest, plain.incumbent, plain.run)


@dataclass(frozen=True)
class PlainBlock:
    at: int
    incumbent: int
    beside: float  # as the report names it
    rest: int
    run: int = 1
    once: float = 0.0


def arrivals_of(raw: Any, ranks: int, place: str) -> Arrivals:
    with named(place):
        plain = stored.dataclass_of(PlainArrivals, raw)
        rearranged_at = stored.numbers_in(raw, "rearranged_at", int)
        if not rearranged_at or any(now <= former for former, now in pairwise(rearranged_at)):
            raise ValueError("'rearranged_at' must list at least one call, in their order")
        by_place = stored.numbers_in(raw, "ranks", int)
        check_length("ranks", by_place, ranks)
        if sorted(by_place) != list(range(ranks)):
            raise ValueError("'ranks' must have each rank once")
    before, latest = (
        call_of_all(raw[name], ranks, f"{place}.{name}") if name in raw else None for name in ("before", "latest")
    )
    return Arrivals(rearranged_at, by_place, plain.transfer_seconds, before, latest, plain.reports or None)


def call_of_all(raw: Any, ranks: int, place: str) -> CallOfAll:
    with named(place):
        plain = stored.dataclass_of(PlainCall, raw)
        come = stored.numbers_in(raw, "come", float, signed=True)
        left = stored.numbers_in(raw, "left", float, signed=True)
        waited = stored.numbers_in(raw, "waited", float)
        for name, found in (("come", come), ("left", left), ("waited", waited)):
            check_length(name, found, ranks)
        for rank in range(ranks):
            if left[rank] < come[rank]:
                raise ValueError(f"rank {rank} cannot have left before it came")
        return CallOfAll(plain.call, come, left, waited)


@dataclass(frozen=True)
class PlainArrivals:
    transfer_seconds: float
    reports: int = 0


@dataclass(frozen=True)
class PlainCall:
    call: int


def check_length(name: str, found: Sized, ranks: int) -> None:
    if not 0 < len(found) == ranks:
        raise ValueError(f"'{name}' is of {len(found)} ranks, but there are {ranks}")


def check_word(name: str, word: str, allowed: tuple[str, ...]) -> None:
    if word not in allowed:
        raise ValueError(f"'{name}' is {word!r}; allowed: {', '.join(allowed)}")


def check_index(name: str, index: int, candidates: int, least: int = 0) -> None:
    if not least <= index < candidates:
        raise ValueError(f"'{name}' has {index}, which is none of {candidates} candidates")


@contextmanager
def named(place: str) -> Iterator[None]:
    """Errors say where they are."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from None
