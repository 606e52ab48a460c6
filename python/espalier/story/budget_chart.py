# SPDX-License-Identifier: Apache-2.0
"""What learning cost in a context, next to what it was allowed to cost."""

from __future__ import annotations

from markupsafe import Markup

from espalier import svg
from espalier.account import Account
from espalier.context_words import name_of
from espalier.contexts import Context
from espalier.story import bars, words
from espalier.story.bars import Bar, Layout, Part

WIDTH = 480.0
LAYOUT = Layout(WIDTH, 176, 130, 8)


def draw(name: str, context: Context, costs: Account) -> Markup:
    """Nothing, where there was no budget."""
    if not costs.budget_seconds:
        return Markup("")
    found = (
        Bar(
            "learning took",
            (
                Part(cap(costs.lost_seconds), "lost", f"slower candidates: {words.seconds(costs.lost_seconds)}"),
                Part(cap(costs.agreement_seconds), "agreed", f"agreeing: {words.seconds(costs.agreement_seconds)}"),
            ),
            words.seconds(costs.learning_seconds),
        ),
        Bar("budget", (Part(cap(costs.budget_seconds), "allowed", "allowed"),), words.seconds(costs.budget_seconds)),
    )
    title = f"What learning cost: {name_of(context)}"
    scale = LAYOUT.scale(found)
    return svg.picture(name, WIDTH, LAYOUT.height(found), title, description(costs), bars.draw(found, LAYOUT, scale))


def cap(seconds: float) -> float:
    return min(seconds, 1e9)


def description(costs: Account) -> str:
    return (
        f"Slower candidates took {words.seconds(costs.lost_seconds)} more, agreeing "
        f"{words.seconds(costs.agreement_seconds)}. Allowed were {words.seconds(costs.budget_seconds)}, and what "
        f"faster candidates saved: {words.seconds(costs.saved_seconds)}."
    )
