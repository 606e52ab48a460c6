# SPDX-License-Identifier: Apache-2.0
"""Who arrives late to the calls of a context, and what came of arranging the ranks by that: in sentences.

Calls are counted from 1 here, as in the pictures; the report's ordinals begin at 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean, median_low

from espalier import account, units
from espalier.context_words import rooted_at
from espalier.contexts import Arrivals, CallOfAll, Context
from espalier.older_python import zipped

LATE = 0.5  # of what the last rank is late
LATE_IN_CALL = 0.1  # of the time in the call: what is less does not matter
MOST_NAMED = 4
MANY_TIMES = 2.0


def sentences(context: Context) -> Iterator[str]:
    """None, where the ranks were not arranged."""
    arrivals = context.arrivals
    if arrivals is None:
        return
    yield f"{rearranged_text(context, arrivals)}."
    if arrivals.reports:
        yield f"The ranks reported {units.count_text(arrivals.reports)} times that their waits have changed."
        return
    if arrivals.before is None:
        root = rooted_at(context)
        whom = "the root" if root is None else f"rank {root}, the root"
        yield f"When they arrived is known only to {whom}, so it is not in this report."
        return
    latest = later_call(arrivals)
    calls = [arrivals.before] if latest is None else [arrivals.before, latest]
    yield f"{lateness_text(calls)}."
    if all(late_ranks(call) for call in calls):
        yield f"{held_up_text(calls)}."
    if latest is None:
        yield f"{call_name(arrivals.before).capitalize()} took {mean_text(arrivals.before)}, the mean over the ranks."
        yield "No later call is known of all ranks."
    else:
        yield f"{comparison_text(arrivals.before, latest)}."


def later_call(arrivals: Arrivals) -> CallOfAll | None:
    """The latest one, if it was after the ranks were arranged."""
    latest = arrivals.latest
    return latest if latest is not None and latest.call >= arrivals.rearranged_at[0] else None


def call_name(call: CallOfAll) -> str:
    return f"call {units.count_text(call.call + 1)}"


def rearranged_text(context: Context, arrivals: Arrivals) -> str:
    since = f"From call {units.count_text(arrivals.rearranged_at[0] + 1)} on{settled_text(arrivals)}"
    if context.policy == account.FORCED:
        return f"{since} the ranks stand in the tree by when they arrive"
    if not any(one.is_arranged for one in context.candidates):
        return f"{since} it was known when the ranks arrive, but no tree was expected to gain by it"
    return f"{since} there are candidates in whose trees the ranks stand by when they arrive"


def settled_text(arrivals: Arrivals) -> str:
    """How often they were arranged otherwise later."""
    more, last = len(arrivals.rearranged_at) - 1, units.count_text(arrivals.rearranged_at[-1] + 1)
    if more < 2:
        return f", and again from call {last} on," if more else ""
    return f", and again {units.count_text(more)} times, the last time from call {last} on,"


def lateness_of(call: CallOfAll) -> list[float]:
    """By rank: how long after the median rank it arrived; less than 0: before it."""
    middle = median_low(call.come)
    return [come - middle for come in call.come]


def late_ranks(call: CallOfAll) -> list[int]:
    """Those that arrive about as late as the last one, unless that is nothing next to the call itself."""
    lateness = lateness_of(call)
    least = max(LATE * max(lateness), LATE_IN_CALL * mean_seconds(call))
    return [rank for rank, seconds in enumerate(lateness) if seconds >= least and seconds > 0]


def mean_seconds(call: CallOfAll) -> float:
    """In the call, over the ranks."""
    return fmean(call.seconds_of(rank) for rank in range(len(call.come)))


def mean_text(call: CallOfAll) -> str:
    return units.seconds_text(mean_seconds(call))


def lateness_text(calls: Sequence[CallOfAll]) -> str:
    """Of one call, or of two."""
    late = [late_ranks(call) for call in calls]
    if late[0] and len(calls) == 2 and late[0] == late[1]:
        first, second = (how_late(call) for call in calls)
        who = f"{named_ranks(calls[0]).capitalize()} arrived {first} after the median rank in {call_name(calls[0])}"
        return f"{who}, and {second} after it in {call_name(calls[1])}"
    said = "; ".join(f"in {call_name(call)} {who_was_late(call)}" for call in calls)
    return f"{said[0].upper()}{said[1:]}"


def who_was_late(call: CallOfAll) -> str:
    if not late_ranks(call):
        return "no rank arrived much later than the median rank"
    return f"{named_ranks(call)} arrived {how_late(call)} after the median rank"


def named_ranks(call: CallOfAll) -> str:
    """Of those that were late."""
    late = [str(rank) for rank in late_ranks(call)]
    if len(late) == 1:
        return f"rank {late[0]}"
    if len(late) <= MOST_NAMED:
        return f"ranks {', '.join(late[:-1])} and {late[-1]}"
    return f"{units.count_text(len(late))} of {units.plural(len(call.come), 'rank')}"


def how_late(call: CallOfAll) -> str:
    lateness = lateness_of(call)
    found = [lateness[rank] for rank in late_ranks(call)]
    least, most = units.seconds_text(min(found)), units.seconds_text(max(found))
    return least if least == most else f"{least} to {most}"


def held_up(call: CallOfAll) -> int:
    """Ranks that had arrived before the last one, and were still in the call when it arrived."""
    last = max(call.come)
    return sum(1 for come, left in zipped(call.come, call.left) if come < last < left)


def held_up_text(calls: Sequence[CallOfAll]) -> str:
    """Of one call, or of two."""
    others = units.plural(len(calls[0].come) - 1, "other")
    count = held_up(calls[0])
    first = f"{units.count_text(count)} {'was' if count == 1 else 'were'} in {call_name(calls[0])}"
    later = [f", and {units.count_text(held_up(call))} in {call_name(call)}" for call in calls[1:]]
    return f"Of the {others}, {first} when the last one arrived{''.join(later)}"


def comparison_text(before: CallOfAll, latest: CallOfAll) -> str:
    """Of their means; what came of it."""
    took = f"{call_name(before).capitalize()} took {mean_text(before)}, the mean over the ranks"
    words = f"{took}, {call_name(latest)} {mean_text(latest)}"
    former, now = mean_seconds(before), mean_seconds(latest)
    if not former or not now:
        return words
    factor = min(former / now, account.LARGEST_RATIO)
    if factor >= MANY_TIMES:
        return f"{words}: {factor:.3g} times as fast"
    slower = account.slower_text(min(now / former, account.LARGEST_RATIO))
    return f"{words}: {slower}{', so that nothing was gained' if now >= former else ''}"
