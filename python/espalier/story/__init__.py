# SPDX-License-Identifier: Apache-2.0
"""The story of a run in pictures: one web page that needs nothing else, made of its reports."""

from __future__ import annotations

from collections.abc import Sequence

from espalier.report import Report

MADE_BY = "<!-- Made by Espalier."


def page(title: str, reports: Sequence[Report]) -> str:
    """`title`: what was run, or the name of the file."""
    # What draws takes long to load, and few runs write a page.
    from espalier.story import whole_page

    return whole_page.page(title, reports)


def is_page(text: str) -> bool:
    return MADE_BY in text[:200]
