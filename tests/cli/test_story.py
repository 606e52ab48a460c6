# SPDX-License-Identifier: Apache-2.0
"""The page that tells the story of a run: what is on it. How it looks is for test_story_in_browser.py."""

import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import made_runs
import pytest
from conftest import Espalier
from test_explain_run import SAMPLE, sample, sample_context, written

from espalier import contexts_read, report, story, texts
from espalier.story import axes, cumulative_chart, job_part, race_chart, scales, waiting_chart, words

HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(1)>&\x1b\u202e\ud800]]>--><style>{{7*7}}'
VOID = {"meta", "link", "img", "br"}
OPTIONAL_END = {"tr", "td", "th"}


class Elements(HTMLParser):
    """All elements of a page, and whether each one ends."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in VOID | OPTIONAL_END:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if tag not in OPTIONAL_END:
            assert self.open.pop() == tag

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.found if name == tag]


def page_of(raw: Any, title: str = "run.json") -> str:
    return story.page(title, [report.of(job) for job in raw["jobs"]])


def charts_in(page: str) -> list[ElementTree.Element]:
    return [ElementTree.fromstring(one) for one in re.findall(r"<svg xmlns.*?</svg>", page, re.DOTALL)]


def title_of(chart: ElementTree.Element) -> str:
    return chart.findtext("{http://www.w3.org/2000/svg}title", "")


def test_a_run_has_its_charts(espalier: Espalier, tmp_path: Path) -> None:
    file = tmp_path / "run.html"
    done = espalier("explain", SAMPLE, "--html", file)
    assert done.returncode == 0, done.stderr
    assert [
        title_of(chart).partition(":")[0].replace("\N{NO-BREAK SPACE}", " ") for chart in charts_in(file.read_text())
    ] == [
        "The wall time of 1 s",
        "Time of one rank in its calls, by kind of call",
        "The race",
        "Time of all calls",
        "What learning cost",
        "Moving and waiting",
    ]


def test_every_chart_says_in_words_what_it_shows() -> None:
    for chart in charts_in(page_of(made_runs.run(1, 3))):
        identities = {element.get("id") for element in chart.iter()}
        assert set((chart.get("aria-labelledby") or "").split()) <= identities
        assert len(chart.findtext("{http://www.w3.org/2000/svg}desc", "")) > 20
        assert chart.get("role") == "img"


def test_the_page_is_well_formed_and_asks_for_nothing() -> None:
    page = page_of(made_runs.run(2, 4))
    elements = Elements(page)
    assert elements.open == []
    assert "http" not in re.sub(r'xmlns="http://www.w3.org/2000/svg"|http-equiv', "", page)
    assert [each.get("href") for each in elements.named("link")] == ["data:,"]
    assert not any("src" in attributes for _, attributes in elements.found)
    assert len(elements.named("script")) == 1
    (policy,) = (each["content"] for each in elements.named("meta") if "http-equiv" in each)
    assert policy is not None
    assert policy.startswith("default-src 'none'")
    assert "script-src 'sha256-" in policy


def test_identities_are_unique_over_all_jobs() -> None:
    raw = made_runs.run(2, 2)
    raw["jobs"] *= 2
    page = page_of(raw)
    identities = [attributes["id"] for _, attributes in Elements(page).found if "id" in attributes]
    assert len(identities) == len(set(identities))
    assert "Job 2" in page


def hostile_run() -> Any:
    """Every text of it that is free."""
    raw = sample()
    job = raw["jobs"][0]
    job |= {"version": HOSTILE, "mpi": HOSTILE, "settings": {HOSTILE: HOSTILE, "ESPALIER_POLICY": HOSTILE}}
    for row in job["rows"]:
        row |= {"collective": HOSTILE, "algorithm": HOSTILE, "parameters": HOSTILE, "reason": HOSTILE}
    context = job["contexts"][0]
    context |= {"collective": HOSTILE, "arithmetic": HOSTILE, "policy": HOSTILE}
    for one in context["candidates"]:
        one |= {"algorithm": HOSTILE, "parameters": HOSTILE}
    return raw


def test_hostile_texts_are_shown_and_do_nothing() -> None:
    page = page_of(hostile_run(), HOSTILE)
    page.encode()
    elements = Elements(page)
    assert len(elements.named("script")) == 1
    assert len(elements.named("style")) == 1
    assert not elements.named("img")
    assert not any(name.startswith("on") for _, attributes in elements.found for name in attributes)
    assert not any(character in page for character in "\x1b\u202e\ud800")
    assert "49<" not in page
    assert "&lt;script&gt;" in page
    assert "\\u202e" in page
    assert len(charts_in(page)) > 2


def test_a_hostile_file_is_written_as_a_page(espalier: Espalier, tmp_path: Path) -> None:
    file = tmp_path / "run.html"
    done = espalier("explain", written(tmp_path, hostile_run()), "--html", file)
    assert done.returncode == 0, done.stderr
    assert "&lt;script&gt;" in file.read_text(encoding="utf-8")


def test_very_long_texts_are_cut() -> None:
    assert len(texts.clean("x" * 10_000)) == texts.LONGEST


def test_a_run_without_contexts_still_has_where_the_time_went() -> None:
    raw = sample()
    raw["jobs"][0].pop("contexts")
    page = page_of(raw)
    assert len(charts_in(page)) == 2
    assert "Nothing was chosen by time in this run" in page


@pytest.mark.parametrize("jobs", [[], [made_runs.report([])]])
def test_a_run_without_jobs_or_calls_has_a_page(jobs: list[Any]) -> None:
    page = page_of({"jobs": jobs})
    assert "no collective calls" in page or "no MPI job" in page


def test_no_more_contexts_than_these_have_pictures() -> None:
    some = [made_runs.context(seed) for seed in range(30)]
    part = job_part.part_of(1, report.of(made_runs.report(some)))
    assert sum(1 for one in part.contexts if one.pictures) == job_part.MOST_STORIES
    assert len(part.contexts) == 30


def test_the_race_has_all_timed_calls_and_no_other() -> None:
    points = race_chart.points_of(sample_context())
    assert points[0] == [(9, 5e-4), (10, 5.1e-4)]
    assert points[1] == [(11, 2.4e-4), (12, 2.6e-4), (13, 2.5e-4)]
    assert sorted(points) == [0, 1, 2, 3]


def test_the_incumbent_steps_where_another_one_took_over() -> None:
    assert race_chart.steps_of(sample_context()) == [(9, 5e-4), (13, 5e-4), (13, 2.5e-4), (32, 2.5e-4)]


def test_the_bound_of_the_network_is_drawn_where_it_is_known() -> None:
    assert "bound of the network" in race_chart.draw("r", sample_context())
    assert "bound of the network" not in race_chart.draw("r", sample_context(bound_seconds=0))


def test_a_long_race_stays_small_and_keeps_those_that_were_tried_seldom() -> None:
    context = contexts_read.of(report.of(made_runs.report([made_runs.context_of(1, 200_000)])))[0]
    drawn = race_chart.draw("r", context)
    assert 512 <= len(context.blocks) <= 1024
    assert len(drawn) < 100_000
    for candidate in race_chart.points_of(context):
        assert f'data-candidate="{candidate}"' in drawn


def test_the_sum_counts_timed_calls_as_they_were_and_others_as_believed() -> None:
    course = cumulative_chart.course_of(sample_context(measured_calls=0))
    assert course is not None
    blocks = (1.51e-3 + 4e-5, 2.5e-4 * 2 + 6.7e-4 + 10 * 2.5e-4 + 4e-5, 1.6e-3 + 4 * 2.5e-4 + 4e-5)
    after = 8 * 5e-4 + sum(blocks)
    assert course.timed[-1] == (32, pytest.approx(after))
    assert course.believed[-1] == (300, pytest.approx(after + 268 * 2.5e-4))
    assert course.reference == pytest.approx(5e-4)


def test_the_sum_ends_at_what_was_measured() -> None:
    context = sample_context(measured_seconds=0.758)
    course = cumulative_chart.course_of(context)
    assert course is not None
    overhead = sum(block.overhead for block in context.blocks)
    assert course.believed[-1] == (300, pytest.approx(0.758 + overhead))
    assert "758\N{NO-BREAK SPACE}ms" in page_of(sample_with(measured_seconds=0.758))


def sample_with(**changes: Any) -> Any:
    raw = sample()
    raw["jobs"][0]["contexts"][0] |= changes
    return raw


def test_marks_that_lie_close_have_different_labels() -> None:
    close = axes.labelled([0.129, 0.1292, 0.1294, 0.1296], words.seconds)
    assert [label.replace("\N{NO-BREAK SPACE}", " ") for _, label in close] == [
        "129 ms",
        "129.2 ms",
        "129.4 ms",
        "129.6 ms",
    ]
    assert axes.labelled([0.0, 0.5, 1.0], axes.count) == [(0.0, "0"), (1.0, "1")]


def test_waiting_is_the_mean_less_the_least() -> None:
    first, second, third = waiting_chart.splits_of(sample_context())
    assert (first.candidate, first.least, first.waiting) == (0, pytest.approx(4.05e-4), pytest.approx(1e-4))
    assert (second.candidate, third.candidate) == (1, 2)


def test_without_least_times_there_is_no_picture_of_waiting() -> None:
    blocks = [
        {key: value for key, value in block.items() if key != "least"}
        for block in sample()["jobs"][0]["contexts"][0]["blocks"]
    ]
    assert waiting_chart.draw("w", sample_context(blocks=blocks)) == ""


@pytest.mark.parametrize(
    ("kind", "low", "high"),
    [
        (scales.linear, 0, 7),
        (scales.linear, 3, 3),
        (scales.linear, 0, 2**64),
        (scales.logarithmic, 1e-6, 1e-3),
        (scales.logarithmic, 2e-4, 2.1e-4),
        (scales.logarithmic, 1, 1),
        (scales.logarithmic, 1e-9, 1e9),
    ],
)
def test_marks_are_few_and_on_the_axis(kind: Callable[..., scales.Scale], low: float, high: float) -> None:
    scale = kind(low, high, 0.0, 100.0)
    marks = scale.marks(5)
    assert 2 <= len(marks) <= 12
    assert all(-0.001 <= scale(value) <= 100.001 for value in marks)


def test_run_writes_the_page_next_to_its_table(
    espalier: Espalier, launcher: Callable[[str, str], Path], tmp_path: Path
) -> None:
    mpirun, source, page = launcher("mpirun", "mpirun (Open MPI) 5.0.11"), tmp_path / "source", tmp_path / "run.html"
    source.write_text(json.dumps(sample()["jobs"][0]).replace('"ESPALIER": "on"', '"ESPALIER_RUN": "RUN"'))
    command = f'sed "s/RUN\\"/$ESPALIER_RUN\\"/2" {source} >"$ESPALIER_REPORT"'
    done = espalier("run", "--report", page, "--", mpirun, "--run", "sh", "-c", command)
    assert done.returncode == 0, done.stderr
    assert "Chosen by time" in done.stderr
    assert f"The story of this run: {page}" in " ".join(done.stderr.split())
    assert "LD_PRELOAD" not in page.read_text()
    assert len(charts_in(page.read_text())) == 6


def test_a_page_that_cannot_be_written_is_refused_before_anything_runs(espalier: Espalier, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    done = espalier("run", "--report", "/nowhere/page.html", "--", "touch", ran)
    assert done.returncode == 2
    assert "--report /nowhere/page.html: there is no directory /nowhere" in done.stderr
    assert not ran.exists()


def test_a_run_without_a_report_says_that_there_is_no_page(espalier: Espalier, tmp_path: Path) -> None:
    page = tmp_path / "run.html"
    done = espalier("run", "--report", page, "--", "true")
    assert "was not written: there is no report" in " ".join(done.stderr.split())
    assert not page.exists()


def test_page_and_json_replace_nothing_but_what_they_wrote(espalier: Espalier, tmp_path: Path) -> None:
    for option in ("--json", "--report"):
        notes = tmp_path / "notes"
        notes.write_text('{"jobs": "mine"}')
        done = espalier("run", option, notes, "--", "true")
        assert done.returncode == 2
        assert f"{option} {notes}: exists, and is not what this writes" in " ".join(done.stderr.split())
        assert notes.read_text() == '{"jobs": "mine"}'
    for kept in (SAMPLE.read_text(), ""):
        (tmp_path / "run.json").write_text(kept)
        assert espalier("run", "--json", tmp_path / "run.json", "--", "true").returncode == 0
        assert json.loads((tmp_path / "run.json").read_text()) == {"status": 0, "jobs": []}


def test_a_dash_is_standard_output(espalier: Espalier) -> None:
    assert json.loads(espalier("run", "--json", "-", "--", "true").stdout) == {"status": 0, "jobs": []}
    assert espalier("explain", SAMPLE, "--html", "-").stdout.startswith("<!DOCTYPE html>")


def test_page_and_json_in_one_file_are_refused(espalier: Espalier, tmp_path: Path) -> None:
    file = tmp_path / "run"
    done = espalier("run", "--report", file, "--json", file, "--", "true")
    assert done.returncode == 2
    assert "is what --json writes, too; allowed: another name" in " ".join(done.stderr.split())
