# SPDX-License-Identifier: Apache-2.0
"""The page of a run, and that of many jobs, in a real browser: `make browser` installs one."""

from pathlib import Path
from typing import Any

import made_runs
import pytest
from browsers import found_by, needs_browser
from conftest import Espalier
from test_site import BARRIER, BCAST, log, write
from test_story import hostile_run, page_of

pytestmark = needs_browser


def long_names() -> Any:
    raw = made_runs.run(4, 2)
    for context in raw["jobs"][0]["contexts"]:
        for one in context["candidates"]:
            one["parameters"] = "segment=128KiB,window=4,radix=12,and=much_more_than_this_in_one_word_without_an_end"
    return raw


def arranged() -> Any:
    """Few ranks and many, of which few arrive late, and many."""
    found = []
    for seed, ranks, late in ((1, 16, 1), (2, 5, 2), (3, 100, 20), (4, 512, 3), (5, 3000, 40)):
        context = made_runs.context(seed)
        found.append(context | {"ranks": ranks, "arrivals": made_runs.arrivals(seed, ranks, context["calls"], late)})
    found[0]["arrivals"]["before"]["waited"] = [0] * 16
    return {"jobs": [made_runs.report(found)]}


RUNS = {
    "arranged": arranged(),
    "default": made_runs.run(1, 6),
    "hostile": hostile_run(),
    "long": long_names(),
    "empty": {"jobs": []},
}


@pytest.fixture(scope="module", params=RUNS)
def looks(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """What was found in each colour scheme, wide and narrow."""
    page = tmp_path_factory.mktemp("page") / "run.html"
    page.write_text(page_of(RUNS[request.param]), encoding="utf-8")
    return found_by("look_at_page.py", page)


def test_the_browser_complains_of_nothing_and_asks_for_nothing(looks: list[dict[str, Any]]) -> None:
    for look in looks:
        assert look["console"] == []
        assert look["requests"] == []
        assert look["scripts"] == 1


def test_every_chart_has_a_size_and_a_text(looks: list[dict[str, Any]]) -> None:
    for look in looks:
        for chart in look["charts"]:
            assert chart["width"] > 100
            assert chart["height"] > 10
            assert chart["text"]


def test_no_text_leaves_its_place_or_lies_on_another(looks: list[dict[str, Any]]) -> None:
    for look in looks:
        assert look["outside"] == []
        assert look["overlapping"] == []
        assert look["overflowing"] == []


def test_what_is_cut_off_on_a_narrow_screen_says_so(looks: list[dict[str, Any]]) -> None:
    for look in looks:
        assert look["width"] > 600 or look["cut"] == []


def test_both_colour_schemes_can_be_read(looks: list[dict[str, Any]]) -> None:
    assert len({look["background"] for look in looks}) == 2
    for look in looks:
        assert look["faint"] == [], look["scheme"]


def test_a_name_of_the_legend_hides_and_shows_its_marks(looks: list[dict[str, Any]]) -> None:
    for look in looks:
        assert look["toggled"] in ([0, 1, 0], [0])


def test_the_page_of_many_jobs_can_be_read_wide_and_narrow(espalier: Espalier, tmp_path: Path) -> None:
    names = ["<b>&amp;", "app", "in-one-word-" * 12, *(f"program-{number}" for number in range(20))]
    logs = write(tmp_path / "logs", *[log(program=name, collectives=[BCAST, BARRIER], failures=1) for name in names])
    page = tmp_path / "site.html"
    assert espalier("site", logs, "--report", page).returncode == 0
    for look in found_by("look_at_page.py", page):
        assert (look["console"], look["requests"], look["scripts"]) == ([], [], 0)
        assert (look["outside"], look["overlapping"], look["overflowing"], look["faint"]) == ([], [], [], [])
        assert look["width"] > 600 or look["cut"] == []
