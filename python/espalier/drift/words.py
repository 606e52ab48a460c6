# SPDX-License-Identifier: Apache-2.0
"""What is slower than before, in words. Made of JSON, as reports have it, for these may be read long after the job."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from espalier import texts, units
from espalier.memory.contents import flag_in, number_in, real_in, text_in

LONGEST = 80  # of what changed
NOTHING_ELSE = "nothing else that is known changed"


@dataclass(frozen=True)
class Told:
    """A drift as a report has it."""

    calls: str
    where: str
    choice: str
    before: str
    now: str
    times: str
    when_before: str
    since: str
    changed: str


def told(raw: Any) -> Told:
    """ValueError: it is none."""
    if not isinstance(raw, dict):
        raise ValueError("a drift must be an object")
    before, now = real_in(raw, "seconds_before"), real_in(raw, "seconds")
    return Told(
        calls=calls_text(raw),
        where=f"{units.plural(number_in(raw, 'ranks'), 'rank')} on {units.plural(number_in(raw, 'nodes'), 'node')}",
        choice=texts.one_line(text_in(raw, "choice")),
        before=units.seconds_text(before),
        now=units.seconds_text(now),
        times=times_text(real_in(raw, "times")),
        when_before=when_text(raw),
        since=day_text(number_in(raw, "since")),
        changed=changed_text(raw.get("changed")),
    )


def told_in(report: dict[str, Any]) -> list[Told]:
    found = report.get("drift", [])
    if not isinstance(found, list):
        raise ValueError("'drift' must be a list")
    return [told(one) for one in found]


def sentence(all_: Sequence[Told]) -> str:
    """One line of the worst one."""
    worst = all_[0]
    rest = f"; {units.plural(len(all_) - 1, 'more context')} too" if len(all_) > 1 else ""
    return (
        f"Slower than before: {worst.calls} among {worst.where} takes {worst.times} times as long as "
        f"{worst.when_before} ({worst.now}, not {worst.before}; {worst.choice}){rest}. {capital(worst.changed)}."
    )


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def calls_text(raw: dict[str, Any]) -> str:
    low, high = number_in(raw, "bytes"), number_in(raw, "bytes_high")
    words = [text_in(raw, "collective")]
    words += ["uneven"] if flag_in(raw, "uneven") else []
    words += [f"of {units.size_class_text(low, high)}"] if high else []
    words += [f"from root {number_in(raw, 'root')}"] if raw.get("root") else []
    return texts.one_line(" ".join(words))


def times_text(times: float) -> str:
    return f"{times:.2g}" if times < 99.5 else f"{times:.0f}"


def when_text(raw: dict[str, Any]) -> str:
    count = number_in(raw, "jobs_before")
    first, last = day_text(number_in(raw, "first_before")), day_text(number_in(raw, "last_before"))
    if count == 1:
        return f"in the job of {first}"
    return f"in {count} jobs of {first}" if first == last else f"in {count} jobs from {first} to {last}"


def day_text(at: int) -> str:
    try:
        return time.strftime("%Y-%m-%d", time.localtime(at))
    except (OverflowError, ValueError, OSError):
        return "an unknown day"


def changed_text(raw: Any) -> str:
    if not isinstance(raw, list) or not all(isinstance(one, dict) for one in raw):
        raise ValueError("'changed' must be a list of objects")
    found = [f"{text_in(one, 'what')} ({short(one, 'before')} -> {short(one, 'now')})" for one in raw]
    return f"changed since: {', '.join(map(texts.one_line, found))}" if found else NOTHING_ELSE


def short(raw: dict[str, Any], name: str) -> str:
    text = " ".join(text_in(raw, name).split()) or "none"
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."
