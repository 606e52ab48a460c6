# SPDX-License-Identifier: Apache-2.0
"""What choosing by time cost in a context, what it saved, and why each candidate is where it is."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from espalier import units
from espalier.contexts import NONE, Candidate, Context, calls_of, seconds_of
from espalier.older_python import zipped
from espalier.report import Report

CREDIT_CALLS = 400  # lent at the start: docs/explanation/choosing.md
FEWEST_CALLS = 30  # timed; of fewer no percentage is told
FORCED = "forced"  # a policy: nothing was tried, but ranks were arranged
CLEARLY = 2.0  # standard deviations between times that differ for sure
HOPELESS = 1.5  # times the best estimate
LARGEST_RATIO = 1e9

STARTS = {
    "cold": "nothing was known at the start",
    "memory": "began with what earlier runs had learnt",
    "pinned": "pinned by hand: the first candidate of the memory is law",
    "other sizes": "began with what such calls of other sizes had taken",
    "estimate": "began with estimates",
}
STATES = {
    "before": "too few calls so far to try anything",
    "racing": "still looking",
    "for ever": "decided for good",
    "given up": "aborted: decisions differed between ranks, native for good",
}


@dataclass(frozen=True)
class Account:
    """All in seconds of one rank. What was saved and lost is believed, against the reference."""

    seconds: float  # of all calls, as measured
    measured_calls: int
    reference_seconds: float  # what they would have taken; 0: not known
    lost_seconds: float  # by candidates that are slower
    agreement_seconds: float
    waiting_seconds: float  # in agreements, as it would have been in the calls: not of the cost
    saved_seconds: float  # by those that are faster
    budget_seconds: float  # what may be lost, next to what was saved; 0: no budget, or not known

    @property
    def learning_seconds(self) -> float:
        return self.lost_seconds + self.agreement_seconds

    @property
    def learning_share(self) -> float | None:
        """Of the time of the calls; None: too few were measured for that to mean something."""
        return self.learning_seconds / self.seconds if self.measured_calls >= FEWEST_CALLS and self.seconds else None

    @property
    def over_budget(self) -> float:
        """By so much what was saved does not make up for it, either."""
        return (
            max(0.0, self.learning_seconds - self.budget_seconds - self.saved_seconds) if self.budget_seconds else 0.0
        )

    @property
    def net_seconds(self) -> float:
        """Gained in the end; less than 0: lost."""
        return self.saved_seconds - self.learning_seconds


def account_of(context: Context, budget_share: float) -> Account:
    saved = saved_by_each(context)
    reference = reference_seconds(context, sum(saved))
    baseline = reference / context.calls if context.calls else 0.0
    return Account(
        seconds=seconds_of(context),
        measured_calls=context.measured_calls,
        reference_seconds=reference,
        lost_seconds=sum(max(0.0, -one) for one in saved),
        agreement_seconds=context.agreement_seconds,
        waiting_seconds=context.waiting_seconds,
        saved_seconds=sum(max(0.0, one) for one in saved),
        budget_seconds=budget_share * max(context.calls, CREDIT_CALLS) * baseline if context.policy == "race" else 0.0,
    )


def reference_seconds(context: Context, saved: float) -> float:
    """What all calls would have taken: what they took, and what is believed to have been saved; 0: not known."""
    baseline = context.candidates[0].seconds if context.candidates else 0.0
    return max(0.0, seconds_of(context) + saved) if baseline else 0.0


def saved_by_each(context: Context) -> list[float]:
    """Less than 0: lost. What the library says of the calls that it counts, and the same for the others."""
    baseline = context.candidates[0].seconds if context.candidates else 0.0
    return [
        -one.lost_seconds + (calls - one.calls) * (baseline - one.seconds if baseline and one.seconds else 0.0)
        for calls, one in zipped(calls_of(context), context.candidates)
    ]


def budget_share(report: Report) -> float:
    """As ESPALIER_BUDGET says; 0 where the report does not."""
    settings = report.raw.get("settings")
    value = settings.get("ESPALIER_BUDGET") if isinstance(settings, dict) else None
    number = re.fullmatch(r"(\d{1,3}(?:\.\d{1,9})?)%?", value) if isinstance(value, str) else None
    return float(number[1]) / 100 if number else 0.0


def times_faster(context: Context) -> float | None:
    """The fastest so far against the reference; None: it is the reference, or nothing is known."""
    fastest, reference = context.fastest, context.reference
    if context.incumbent in (NONE, 0) or not fastest or not reference or not fastest.seconds:
        return None
    return reference.seconds / fastest.seconds or None


def tried(context: Context) -> int:
    return sum(1 for calls in calls_of(context) if calls)


def ranking(context: Context) -> list[int]:
    """The candidates: the fastest so far, the others by their times, then those without one by their estimates."""

    def place(index: int) -> tuple[bool, bool, float]:
        one = context.candidates[index]
        return index != context.incumbent, one.seconds == 0, one.seconds or one.estimate

    return sorted(range(len(context.candidates)), key=place)


def verdict(context: Context, index: int) -> str:
    """Why the candidate runs, or why it does not."""
    one, fastest = context.candidates[index], context.fastest
    if context.state == "given up":
        return "aborted: decisions differed between ranks"
    if index == context.incumbent:
        return why_it_runs(context)
    if fastest is None:
        return "runs until times are known" if index == 0 else "not tried yet"
    if one.seconds and fastest.seconds:
        return compared(one, fastest)
    if calls_of(context)[index]:
        return "ran, but was not timed"
    if one.estimate >= HOPELESS:
        return f"estimated {one.estimate:.2g} times the best: never tried"
    return "not worth a try so far" if context.state == "racing" else "not worth a try"


def why_it_runs(context: Context) -> str:
    if context.start == "pinned":
        return "pinned by hand"
    if context.policy == FORCED:
        return "forced"
    return "the fastest, chosen for good" if context.state == "for ever" else "the fastest so far"


def compared(one: Candidate, fastest: Candidate) -> str:
    ratio = min(max(one.seconds / fastest.seconds, 1 / LARGEST_RATIO), LARGEST_RATIO)
    text = slower_text(ratio)
    certain = abs(math.log(ratio)) >= CLEARLY * math.hypot(one.sd, fastest.sd)
    if not one.calls:
        return f"{text} by the memory: not tried"
    return text if certain else f"{text}, which is not certain"


def share_text(share: float) -> str:
    return "<0.1%" if 0 < share < 0.001 else f"{share:.1%}"


def slower_text(ratio: float) -> str:
    if ratio >= 10:
        return f"{units.count_text(round(ratio))} times as long"
    if ratio >= 2:
        return f"{ratio:.2g} times as long"
    percent = round(abs(ratio - 1) * 100)
    if percent == 0:
        return "about as fast"
    return f"{percent}% {'slower' if ratio > 1 else 'faster'}"
