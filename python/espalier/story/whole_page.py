# SPDX-License-Identifier: Apache-2.0
"""The page as a whole: what is on it, in which order. How it looks is in templates/.

It loads nothing from anywhere, and its policy (Content-Security-Policy) lets no script run but its own.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from importlib import resources

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from espalier import explain_run, texts, units
from espalier.report import Report, Row
from espalier.story import job_part, words

TEMPLATES = "templates"


def page(title: str, reports: Sequence[Report]) -> str:
    script = asset("page.js")
    jobs = [job_part.part_of(number, one) for number, one in enumerate(reports, 1)]
    return (
        environment()
        .get_template("page.html.j2")
        .render(
            title=title,
            jobs=jobs,
            early=explain_run.EARLY,
            arranged=explain_run.ARRANGED,
            many_jobs=len(jobs) > 1,
            style=Markup(asset("page.css")),
            script=Markup(script),
            script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        )
    )


@cache
def environment() -> Environment:
    result = Environment(
        loader=PackageLoader("espalier.story", TEMPLATES),
        autoescape=True,
        finalize=shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    result.filters |= {"clean": texts.clean, "seconds": words.seconds, "percent": words.percent}
    result.filters |= {"count": units.count_text, "message": message}
    return result


def shown(value: object) -> object:
    """What a template inserts: texts do nothing, anyone who wrote them."""
    return texts.clean(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def message(row: Row) -> str:
    return units.size_class_text(row.bytes_low, row.bytes_high)


@cache
def asset(name: str) -> str:
    """Ours, so it goes into the page as it is."""
    return resources.files("espalier.story").joinpath(TEMPLATES, name).read_text(encoding="utf-8")
