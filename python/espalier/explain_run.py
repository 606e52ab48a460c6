# SPDX-License-Identifier: Apache-2.0
"""What was chosen by time in a run: as text, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Console

from espalier import account, arrival_words, contexts, contexts_read, output, report, units
from espalier.account import Account
from espalier.context_words import details_of, name_of, reference_name
from espalier.contexts import Arrivals, Context, calls_of
from espalier.older_python import zipped

NOTHING = "Nothing was chosen by time in this run: its report has no contexts (ESPALIER_POLICY={policy})."
LEAST_WAITING = 0.001  # of the time; less is not worth a sentence
EARLY = "nothing was tried: too few calls, no other candidate, or ranks that did not decide alike."
LEGEND = (
    "Calls: of one rank. Time: of a call, as believed in the end, the mean over the ranks. Saved: against native or, "
    "where bits depend on it, what would run without a choice by time; less than 0 is lost. Slower: than the fastest."
)
ARRANGED = "Arranged: the ranks stand in the tree by when they arrive."


def show(reports: Sequence[report.Report], console: Console) -> None:
    for number, one in enumerate(reports, 1):
        if len(reports) > 1:
            console.print(f"Job {number} of {len(reports)}", style="bold")
        console.print(report.headline(one))
        show_contexts(one, contexts.by_time(contexts_read.of(one)), console)


def show_contexts(one: report.Report, found: Sequence[Context], console: Console) -> None:
    if not found:
        console.print(NOTHING.format(policy=policy_of(one)))
    compared = [context for context in found if not is_early(context)]
    for context in compared:
        show_context(context, account.account_of(context, account.budget_share(one)), console)
    if compared:
        is_arranged = any(one.is_arranged for context in compared for one in context.candidates)
        console.print(f"\n{LEGEND} {ARRANGED if is_arranged else ''}".rstrip())
    show_early([context for context in found if is_early(context)], console)


def policy_of(one: report.Report) -> str:
    settings = one.raw.get("settings")
    value = settings.get("ESPALIER_POLICY") if isinstance(settings, dict) else None
    return value if isinstance(value, str) else "not said"


def is_early(context: Context) -> bool:
    """Nothing was compared yet."""
    return context.state == "before" or not context.candidates


def show_early(early: Sequence[Context], console: Console) -> None:
    if not early:
        return
    calls = units.plural(sum(context.calls for context in early), "call")
    console.print(f"\nIn {units.plural(len(early), 'context')}, with {calls} in all, {EARLY} --json names them.")


def show_context(context: Context, costs: Account, console: Console) -> None:
    console.print(f"\n{name_of(context)}: {result_of(context)}", style="bold")
    console.print(facts_of(context))
    numbers = ("Calls", "Time", "Saved")
    table = output.table("Candidate", *numbers, "Why", right=numbers)
    calls, saved = calls_of(context), account.saved_by_each(context)
    for index in account.ranking(context):
        one = context.candidates[index]
        table.add_row(
            one.name,
            units.count_text(calls[index]),
            units.seconds_text(one.seconds or None),
            saved_text(saved[index]),
            account.verdict(context, index),
            style="bold" if index == context.incumbent else "",
        )
    console.print(table)
    for sentence in (*account_sentences(context, costs), *arrival_words.sentences(context)):
        console.print(sentence)


def facts_of(context: Context) -> str:
    """How it was, in one sentence."""
    words = [units.plural(context.calls, "call"), details_of(context), f"policy {context.policy}"]
    return f"{', '.join(words)}; {account.STARTS[context.start]}; {account.STATES[context.state]}."


def result_of(context: Context) -> str:
    fastest = context.fastest
    if fastest is None:
        return "not decided"
    factor = account.times_faster(context)
    return f"{fastest.name}, {faster_text(factor)} {reference_name(context)}" if factor else fastest.name


def faster_text(factor: float) -> str:
    """'1.65 times as fast as'; nobody reads more digits."""
    return f"{factor:.3g} times as fast as"


def account_sentences(context: Context, costs: Account) -> list[str]:
    if context.policy == account.FORCED:
        return []
    return [*learning_sentences(context, costs), gain_sentence(context, costs)]


def learning_sentences(context: Context, costs: Account) -> Iterator[str]:
    agreeing = f"agreeing, {units.plural(context.agreements, 'time')}, {units.seconds_text(costs.agreement_seconds)}"
    lost = f"slower candidates {units.seconds_text(costs.lost_seconds)}" if costs.lost_seconds else "nothing else"
    yield f"Learning took {learning_text(costs)}: {agreeing}; {lost}."
    if costs.waiting_seconds >= LEAST_WAITING * costs.seconds and costs.waiting_seconds > 0:
        waited = units.seconds_text(costs.waiting_seconds)
        yield f"While they agreed, ranks waited {waited} for others, as they would have in the calls: that is no cost."
    if costs.budget_seconds:
        over = f": it was exceeded by {units.seconds_text(costs.over_budget)}" if costs.over_budget else ""
        yield f"The budget was {units.seconds_text(costs.budget_seconds)}, besides what was saved{over}."


def gain_sentence(context: Context, costs: Account) -> str:
    if not any(one.seconds for one in context.candidates):
        return "No call was timed, so nothing is known of what was saved."
    if not costs.reference_seconds:
        return f"{reference_name(context)} was never timed, so nothing is known of what was saved."
    baseline = context.candidates[0]
    few = f" (by {units.plural(baseline.timed, 'timed call')} of {baseline.name})"
    share = (
        f" ({abs(costs.net_seconds) / costs.reference_seconds:.1%})" if baseline.timed >= account.FEWEST_CALLS else few
    )
    saved = f"Faster candidates saved {units.seconds_text(costs.saved_seconds)}: " if costs.saved_seconds else ""
    word = "gained" if costs.net_seconds >= 0 else "lost"
    net, reference = units.seconds_text(abs(costs.net_seconds)), units.seconds_text(costs.reference_seconds)
    start = "in the end" if saved else "In the end"
    return f"{saved}{start} {net} of {reference} were {word}{share}."


def learning_text(costs: Account) -> str:
    seconds = units.seconds_text(costs.learning_seconds)
    if costs.learning_share is None:
        return f"{seconds} ({units.plural(costs.measured_calls, 'call')} timed: too few for a percentage)"
    return f"{seconds} ({account.share_text(costs.learning_share)} of the time)"


def saved_text(seconds: float) -> str:
    """Less than 0: lost."""
    if not seconds:
        return "-"
    return f"{'-' if seconds < 0 else ''}{units.seconds_text(abs(seconds))}"


def as_json(reports: Sequence[report.Report]) -> dict[str, Any]:
    return {"jobs": [job_json(one) for one in reports]}


def job_json(one: report.Report) -> dict[str, Any]:
    share = account.budget_share(one)
    found = contexts.by_time(contexts_read.of(one))
    return {**vars(one.head), "contexts": [context_json(context, share) for context in found]}


def context_json(context: Context, budget_share: float) -> dict[str, Any]:
    costs = account.account_of(context, budget_share)
    facts = {name: value for name, value in vars(context).items() if name not in ("candidates", "blocks", "arrivals")}
    return {
        **facts,
        **({"arrivals": arrivals_json(context.arrivals)} if context.arrivals else {}),
        "seconds": costs.seconds,
        "reference_seconds": costs.reference_seconds,
        "lost_seconds": costs.lost_seconds,
        "saved_seconds": costs.saved_seconds,
        "budget_seconds": costs.budget_seconds,
        "times_faster": account.times_faster(context),
        "candidates": candidates_json(context),
    }


def arrivals_json(arrivals: Arrivals) -> dict[str, Any]:
    """As in the report."""
    return {name: value for name, value in asdict(arrivals).items() if value is not None}


def candidates_json(context: Context) -> list[dict[str, Any]]:
    columns = zipped(context.candidates, calls_of(context), account.saved_by_each(context))
    return [
        {**vars(one), "calls_in_all": calls, "saved_seconds": saved, "why": account.verdict(context, index)}
        for index, (one, calls, saved) in enumerate(columns)
    ]
