# SPDX-License-Identifier: Apache-2.0
"""The contexts of a report: what was chosen by time, and from which timings.

The fields are described in docs/reference/report.md. A report without contexts has none; one whose contexts are not as
described there is refused, with the place.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from espalier import report, stored
from espalier.older_python import zipped

NONE = -1
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
        """Its ranks stand in the tree by when they arrive."""
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
    overhead: float  # what agreeing and planning took, and what was done besides
    rest: int  # this many calls of the incumbent before them, which nobody timed
    incumbent: int
    run: int = 1  # this many calls stand behind each of `calls`; `seconds` are of one

    @property
    def end(self) -> int:
        return self.at + self.run * len(self.calls) + self.rest


@dataclass(frozen=True)
class CallOfAll:
    """A call as all its ranks reported of it, by rank. Seconds; `come` and `left` by one clock."""

    call: int  # its ordinal in the context
    come: tuple[float, ...]
    left: tuple[float, ...]
    waited: tuple[float, ...]  # since it arrived, until its first message was there or had left; 0: not known

    @cached_property
    def begin(self) -> float:
        """When the first rank arrived."""
        return min(self.come)

    def seconds_of(self, rank: int) -> float:
        """In the call."""
        return self.left[rank] - self.come[rank]


@dataclass(frozen=True)
class Arrivals:
    """How the ranks were arranged by when they arrive."""

    rearranged_at: tuple[int, ...]  # ordinals of calls; at least one
    ranks: tuple[int, ...]  # by place in a plain tree, now
    transfer_seconds: float  # 0: not known
    before: CallOfAll | None  # the last one before they were arranged; None: it is known to the root alone
    latest: CallOfAll | None  # of which all have reported
    reports: int | None = None  # of waits, where ranks report when these change, and it is known here


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


@dataclass(frozen=True)
class Context(Facts):
    candidates: tuple[Candidate, ...] = ()
    blocks: tuple[Block, ...] = ()  # the first agreements alone: 1024
    arrivals: Arrivals | None = None  # None: the ranks were not arranged

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
    baseline = context.candidates[0].seconds if context.candidates else 0.0
    return sum(calls * (one.seconds or baseline) for calls, one in zipped(calls_of(context), context.candidates))


def calls_of(context: Context) -> list[int]:
    """Of each candidate, with those that the library counts for none: before the first block, and since the last."""
    found = [one.calls for one in context.candidates]
    if found:
        rest = max(0, context.calls - sum(found))
        before = min(rest, context.blocks[0].at) if context.blocks else rest
        found[context.first] += before
        found[max(0, context.incumbent)] += rest - before
    return found
