# SPDX-License-Identifier: Apache-2.0
"""The part of the page that is about one context."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from espalier import account, arrival_words, explain_run
from espalier.account import Account
from espalier.chosen_by_time import faster_cell
from espalier.context_words import details_of, name_of, reference_name, size_of
from espalier.contexts import Candidate, Context, calls_of
from espalier.story import arrival_chart, budget_chart, cumulative_chart, marks, race_chart, waiting_chart, words


@dataclass(frozen=True)
class Line:
    """Of the table of candidates."""

    index: int
    candidate: Candidate
    calls: int
    key: Markup
    saved: str
    verdict: str
    is_fastest: bool
    is_timed: bool  # so the race shows it


@dataclass(frozen=True)
class Pictures:
    """Empty where there is nothing to be seen."""

    race: Markup
    arrivals: Markup
    cumulative: Markup
    budget: Markup
    waiting: Markup


@dataclass(frozen=True)
class ContextPart:
    name: str  # of the part in the page
    context: Context
    title: str
    size: str
    details: str
    result: str
    facts: str
    faster: str
    reference: str
    costs: Account
    sentences: list[str]
    arrivals: list[str]  # sentences
    arrival_keys: list[tuple[str, str]]
    arrival_notes: str
    has_late_ranks: bool
    lines: list[Line]
    has_arranged: bool
    pictures: Pictures | None


def part_of(name: str, context: Context, costs: Account, *, has_pictures: bool) -> ContextPart:
    return ContextPart(
        name=name,
        context=context,
        title=name_of(context),
        size=size_of(context),
        details=details_of(context),
        result=explain_run.result_of(context),
        facts=explain_run.facts_of(context),
        faster=faster_cell(context),
        reference=reference_name(context),
        costs=costs,
        sentences=[words.micro(one) for one in explain_run.account_sentences(context, costs)],
        arrivals=[words.micro(one) for one in arrival_words.sentences(context)],
        arrival_keys=arrival_chart.keys(context) if has_pictures else [],
        arrival_notes=arrival_chart.notes_on(context),
        has_late_ranks=arrival_chart.has_late_ranks(context),
        lines=lines_of(context),
        has_arranged=any(one.is_arranged for one in context.candidates),
        pictures=pictures_of(name, context, costs) if has_pictures else None,
    )


def pictures_of(name: str, context: Context, costs: Account) -> Pictures:
    return Pictures(
        race=race_chart.draw(f"{name}-race", context),
        arrivals=arrival_chart.draw(f"{name}-come", context),
        cumulative=cumulative_chart.draw(f"{name}-sum", context),
        budget=budget_chart.draw(f"{name}-cost", context, costs),
        waiting=waiting_chart.draw(f"{name}-wait", context),
    )


def lines_of(context: Context) -> list[Line]:
    timed = race_chart.points_of(context)
    calls, saved = calls_of(context), account.saved_by_each(context)
    return [
        Line(
            index=k,
            candidate=context.candidates[k],
            calls=calls[k],
            key=marks.key(k),
            saved=words.micro(explain_run.saved_text(saved[k])),
            verdict=account.verdict(context, k),
            is_fastest=k == context.incumbent,
            is_timed=k in timed,
        )
        for k in account.ranking(context)
    ]
