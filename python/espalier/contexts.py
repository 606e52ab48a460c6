# SPDX-License-Identifier: Apache-2.0
"""The contexts of a report: what was chosen by time, and from which timings.

The fields are described in docs/reference/report.md. A report without contexts has none; one whose contexts are not as
described there is refused, with the place.
"""

from collections.abc import Iterator, Sized
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

from espalier import report, stored
from espalier.failure import Failure

NONE = -1
STATES = ("before", "racing", "for ever", "given up")
STARTS = ("cold", "memory", "pinned", "estimate")
NO_ROOT = -1
AS_GOOD = 1.05  # times the best
ARRANGED = "arranged"  # a parameter


@dataclass(frozen=True)
class Candidate:
    algorithm: str
    parameters: str
    estimate: float  # times the best estimate of all
    calls: int
    timed: int  # of these
    seconds: float  # believed, of a call, the mean over the ranks; 0: never timed
    sd: float  # of its natural logarithm
    lost_seconds: float = stored.signed()  # against candidate 0; less than 0: saved

    @property
    def is_native(self) -> bool:
        return self.algorithm == report.NATIVE

    @property
    def is_arranged(self) -> bool:
        """Its ranks stand in the tree by when they come."""
        return ARRANGED in self.parameters.split(",")

    @property
    def plain_parameters(self) -> str:
        """All others: 'segment=16KiB window=4'."""
        return " ".join(one for one in self.parameters.split(",") if one != ARRANGED)

    @property
    def name(self) -> str:
        arranged = f" ({ARRANGED})" if self.is_arranged else ""
        return f"{self.algorithm}{arranged} {self.plain_parameters}".rstrip()


@dataclass(frozen=True)
class Block:
    """Calls between two agreements of the ranks."""

    at: int  # ordinal of the first one in the context
    calls: tuple[int, ...]  # the candidate of each
    seconds: tuple[float, ...]  # of each, the mean over the ranks; 0: not known
    least: tuple[float, ...]  # the least over the ranks; empty: the library did not say
    beside: float  # what agreeing and planning took
    rest: int  # so many calls of the incumbent before them, which nobody timed
    incumbent: int

    @property
    def end(self) -> int:
        return self.at + len(self.calls) + self.rest


@dataclass(frozen=True)
class CallOfAll:
    """A call as all its ranks told of it, by rank. Seconds; `come` and `left` by one clock."""

    call: int  # its ordinal in the context
    come: tuple[float, ...]
    left: tuple[float, ...]
    waited: tuple[float, ...]  # since it came, until its first message was there or had left; 0: not known

    @cached_property
    def begin(self) -> float:
        """When the first rank came."""
        return min(self.come)

    def seconds_of(self, rank: int) -> float:
        """In the call."""
        return self.left[rank] - self.come[rank]


@dataclass(frozen=True)
class Arrivals:
    """How the ranks were arranged by when they come."""

    rearranged_at: tuple[int, ...]  # ordinals of calls; at least one
    ranks: tuple[int, ...]  # by place in a plain tree, now
    transfer_seconds: float  # 0: not known
    before: CallOfAll | None  # the last one before they were arranged; None: it is known to the root alone
    latest: CallOfAll | None  # of which all have told


@dataclass(frozen=True)
class Facts:
    """What a context says of itself in plain fields."""

    collective: str
    communicator: int
    ranks: int
    bytes: int
    policy: str
    start: str
    state: str
    calls: int
    agreements: int
    agreement_seconds: float  # on one rank, all together
    incumbent: int = stored.signed()
    root: int = stored.signed(default=NO_ROOT)
    arithmetic: str = ""
    uneven: bool = False
    bytes_high: int = 0  # of the class of sizes; 0: `bytes` alone
    leader: int = (
        0  # the communicator's lowest rank in MPI_COMM_WORLD; numbers of communicators are those of one leader
    )
    first: int = 0  # the candidate that ran before anything was tried
    bound_seconds: float = 0.0  # what the network allows at best; 0: not known
    waiting_seconds: float = 0.0  # for others, in agreements
    measured_calls: int = 0  # on a rank; without those behind requests
    measured_seconds: float = 0.0  # these, the mean over the ranks


@dataclass(frozen=True, kw_only=True)
class Context(Facts):
    candidates: tuple[Candidate, ...]
    blocks: tuple[Block, ...]  # the first agreements alone: 1024
    arrivals: Arrivals | None  # None: the ranks were not arranged

    @property
    def reference(self) -> Candidate | None:
        """What all is measured by: native, or what would run without a choice by time where bits depend on it."""
        return self.candidates[0] if self.candidates else None

    @property
    def fastest(self) -> Candidate | None:
        """So far; None: nothing is known yet."""
        return self.candidates[self.incumbent] if self.incumbent != NONE else None


def short_name(context: Context, index: int) -> str:
    """The algorithm alone, if no other candidate has it."""
    one = context.candidates[index]
    is_alone = sum(1 for other in context.candidates if other.algorithm == one.algorithm) == 1
    return one.algorithm if is_alone else one.name


def of(one: report.Report) -> tuple[Context, ...]:
    """In the report's order; none where the library was not asked to choose by time."""
    if "contexts" not in one.raw:
        return ()
    try:
        found = stored.list_in(one.raw, "contexts")
        return tuple(context_of(raw, f"contexts[{index}]") for index, raw in enumerate(found))
    except ValueError as error:
        raise Failure(f"The report's contexts are not understood: {error}", status=1) from error


def first_over_best(context: Context) -> float:
    """How much longer what ran first takes than the best of all that was timed, 1: it is the best; 0: not known."""
    timed = [one.seconds for one in context.candidates if one.seconds > 0]
    return context.candidates[context.first].seconds / min(timed) if timed else 0.0


def by_time(contexts: tuple[Context, ...]) -> list[Context]:
    """Those first whose calls took the most time."""
    return sorted(contexts, key=seconds_of, reverse=True)


def seconds_of(context: Context) -> float:
    """What its calls took on one rank, as measured; an older library says only what is believed of them."""
    if context.measured_calls:
        return context.measured_seconds * context.calls / context.measured_calls
    return believed_seconds_of(context)


def believed_seconds_of(context: Context) -> float:
    """Calls of what was never timed count as those of the reference."""
    usual = context.candidates[0].seconds if context.candidates else 0.0
    return sum(calls * (one.seconds or usual) for calls, one in zip(calls_of(context), context.candidates, strict=True))


def calls_of(context: Context) -> list[int]:
    """Of each candidate, with those that the library counts for none: before the first block, and since the last."""
    found = [one.calls for one in context.candidates]
    if found:
        rest = max(0, context.calls - sum(found))
        before = min(rest, context.blocks[0].at) if context.blocks else rest
        found[context.first] += before
        found[max(0, context.incumbent)] += rest - before
    return found


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
            end = block.at + len(block.calls)
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
    return Block(plain.at, calls, seconds, least, plain.beside, plain.rest, plain.incumbent)


@dataclass(frozen=True)
class PlainBlock:
    at: int
    incumbent: int
    beside: float
    rest: int


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
    return Arrivals(rearranged_at, by_place, plain.transfer_seconds, before, latest)


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
