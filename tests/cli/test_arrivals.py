# SPDX-License-Identifier: Apache-2.0
"""When ranks arrive, in the report of a run: as it is read, told and drawn."""

import dataclasses
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import made_runs
import pytest
from conftest import ROOT, Espalier
from test_explain_run import flat, written
from test_story import charts_in, page_of, title_of

from espalier import arrival_words, contexts, contexts_read, report
from espalier.failure import Failure
from espalier.story import arrival_chart, arrival_lines

SAMPLE = Path(__file__).parent / "sample_arrivals.json"
RANKS = 4
TRANSFER = 2e-3
EARLY, LATE = [0.0, 1e-3, 1e-3, 1e-3], [0.0, 1e-3, 11e-3, 1e-3]


def sample() -> Any:
    return json.loads(SAMPLE.read_text())


def sample_context(**changes: Any) -> contexts.Context:
    raw = sample()["jobs"][0]
    raw["contexts"][0] |= changes
    return contexts_read.of(report.of(raw))[0]


def call(ordinal: int, come: list[float], seconds: list[float], waited: list[float] | None = None) -> dict[str, Any]:
    left = [one + taken for one, taken in zip(come, seconds, strict=True)]
    return {"call": ordinal, "come": come, "left": left, "waited": waited or [0] * len(come)}


BEFORE = call(6, LATE, [13e-3, 13e-3, 4e-3, 13e-3], [12e-3, 12e-3, 3e-3, 12e-3])
AFTER = call(40, LATE, [2e-3, 2e-3, 3e-3, 13e-3], [1e-3, 1e-3, 3e-3, 12e-3])


def arranged(**changes: Any) -> contexts.Context:
    made = {
        "rearranged_at": [8],
        "ranks": [0, 1, 3, 2],
        "transfer_seconds": TRANSFER,
        "before": BEFORE,
        "latest": AFTER,
    }
    found = {name: value for name, value in (made | changes).items() if value is not None}
    return sample_context(ranks=len(found["ranks"]), arrivals=found)


def call_of(context: contexts.Context, name: str) -> contexts.CallOfAll:
    found: contexts.CallOfAll | None = getattr(context.arrivals, name)
    assert found is not None
    return found


def told(**changes: Any) -> list[str]:
    return list(arrival_words.sentences(arranged(**changes)))


def drawn(context: contexts.Context) -> ElementTree.Element:
    return ElementTree.fromstring(arrival_chart.draw("a", context))


def texts_in(chart: ElementTree.Element, class_: str) -> list[str]:
    found = ("".join(one.itertext()) for one in chart.iter() if class_ in (one.get("class") or "").split())
    return [text.replace("\N{NO-BREAK SPACE}", " ") for text in found]


def test_what_is_read_is_what_was_written() -> None:
    arrivals = sample_context().arrivals
    assert arrivals is not None
    assert arrivals.rearranged_at == (17,)
    assert (arrivals.ranks[0], arrivals.ranks[15]) == (0, 1)
    assert arrivals.before is not None
    assert arrivals.before.come[1] == -0.0023924
    assert arrivals.before.seconds_of(1) == pytest.approx(0.0026515)


def test_reports_of_waits_are_counted() -> None:
    words = told(before=None, latest=None, reports=49)
    assert words[-1] == "The ranks reported 49 times that their waits have changed."


def test_most_contexts_have_no_arrivals() -> None:
    raw = sample()["jobs"][0]
    raw["contexts"][0].pop("arrivals")
    (context,) = contexts_read.of(report.of(raw))
    assert context.arrivals is None
    assert list(arrival_words.sentences(context)) == []
    assert arrival_chart.draw("a", context) == ""


@pytest.mark.parametrize(
    ("place", "value", "complaint"),
    [
        ([], [], r"contexts\[0\]\.arrivals: not an object"),
        (["transfer_seconds"], -1, r"'transfer_seconds' is out of range"),
        (["rearranged_at"], [], r"arrivals: 'rearranged_at' must list at least one call, in their order"),
        (["rearranged_at"], [17, 17], r"in their order"),
        (["rearranged_at"], [1.5], r"what 'rearranged_at' lists must be of type int"),
        (["ranks"], [0, 1], r"'ranks' is of 2 ranks, but there are 16"),
        (["ranks", 3], 0, r"'ranks' must have each rank once"),
        (["before"], None, r"contexts\[0\]\.arrivals\.before: not an object"),
        (["before", "call"], "15", r"arrivals\.before: 'call' must be of type int"),
        (["before", "come"], [], r"'come' is of 0 ranks, but there are 16"),
        (["latest", "left", 5], 0.0, r"arrivals\.latest: rank 5 cannot have left before it came"),
        (["latest", "waited", 5], -1e-9, r"what 'waited' lists is out of range"),
        (["latest", "come", 5], -1e30, r"what 'come' lists is out of range"),
    ],
)
def test_arrivals_of_another_format_are_refused_with_the_place(place: list[Any], value: Any, complaint: str) -> None:
    raw = sample()["jobs"][0]
    at, keys = raw["contexts"][0], ["arrivals", *place]
    for key in keys[:-1]:
        at = at[key]
    at[keys[-1]] = value
    with pytest.raises(Failure, match=complaint):
        contexts_read.of(report.of(raw))


def test_a_run_tells_who_arrives_late_and_what_came_of_it(espalier: Espalier) -> None:
    done = espalier("explain", SAMPLE)
    assert done.returncode == 0, done.stderr
    text = flat(done.stdout)
    assert "Rank 1 arrived 19.8 ms after the median rank in call 16, and 15.7 ms after it in call 189." in text
    assert "Call 16 took 21.7 ms, the mean over the ranks, call 189 1.64 ms: 13.2 times as fast." in text
    assert "knomial (arranged) segment=16KiB" in text
    assert "Arranged: the ranks stand in the tree by when they arrive." in text


def test_the_sentences_in_the_documentation_are_what_is_printed() -> None:
    page = flat((ROOT / "docs/how-to/read-the-report.md").read_text())
    assert " ".join(arrival_words.sentences(sample_context())) in page


@pytest.mark.parametrize("kind", [contexts.Arrivals, contexts.CallOfAll])
def test_every_field_is_described(kind: Any) -> None:
    page = (ROOT / "docs/reference/report.md").read_text()
    assert [field.name for field in dataclasses.fields(kind) if f"`{field.name}`" not in page] == []


def test_json_has_them_as_the_report_has_them(espalier: Espalier) -> None:
    answer = json.loads(espalier("explain", SAMPLE, "--json").stdout)
    assert answer["jobs"][0]["contexts"][0]["arrivals"] == sample()["jobs"][0]["contexts"][0]["arrivals"]


def test_calls_are_counted_from_1_and_others_in_them_are_counted() -> None:
    assert told() == [
        "From call 9 on there are candidates in whose trees the ranks stand by when they arrive.",
        "Rank 2 arrived 10 ms after the median rank in call 7, and 10 ms after it in call 41.",
        "Of the 3 others, 3 were in call 7 when the last one arrived, and 1 in call 41.",
        "Call 7 took 10.8 ms, the mean over the ranks, call 41 5 ms: 2.15 times as fast.",
    ]


@pytest.mark.parametrize(
    ("rearranged_at", "said"),
    [
        ([8, 30], "From call 9 on, and again from call 31 on, there are"),
        ([8, 20, 30], "From call 9 on, and again 2 times, the last time from call 31 on, there are"),
    ],
)
def test_it_is_said_how_often_ranks_were_arranged(rearranged_at: list[int], said: str) -> None:
    assert told(rearranged_at=rearranged_at)[0].startswith(said)


def test_it_is_said_if_no_candidate_came_of_it() -> None:
    plain = [one for one in sample()["jobs"][0]["contexts"][0]["candidates"] if "arranged" not in one["parameters"]]
    context = sample_context(candidates=plain, blocks=[], incumbent=0)
    assert next(arrival_words.sentences(context)) == (
        "From call 18 on it was known when the ranks arrive, but no tree was expected to gain by it."
    )


def test_other_late_ranks_in_the_latest_call_are_named() -> None:
    latest = call(40, [5e-3, 0.0, 0.0, 4e-3], [1e-3] * RANKS)
    assert told(latest=latest)[1] == (
        "In call 7 rank 2 arrived 10 ms after the median rank; "
        "in call 41 ranks 0 and 3 arrived 4 ms to 5 ms after the median rank."
    )


def test_where_nobody_is_late_any_more_that_is_said_and_nobody_is_counted() -> None:
    said = told(latest=call(40, EARLY, [20e-3] * RANKS))
    assert said[1] == (
        "In call 7 rank 2 arrived 10 ms after the median rank; "
        "in call 41 no rank arrived much later than the median rank."
    )
    assert not any("others" in one for one in said)


def test_many_late_ranks_are_counted() -> None:
    raw = made_runs.arrivals(1, 64, 100, late=10)
    assert "10 of 64 ranks arrived" in told(**raw)[1].lower()


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(3e-3, "3.58 times as fast."), (9e-3, "16% faster."), (12e-3, "12% slower, so that nothing was gained.")],
)
def test_what_came_of_it_may_be_nothing(seconds: float, said: str) -> None:
    assert told(latest=call(40, LATE, [seconds] * RANKS))[-1].endswith(f": {said}")


@pytest.mark.parametrize("latest", [None, BEFORE])
def test_without_a_later_call_there_is_nothing_to_compare(latest: Any) -> None:
    assert told(latest=latest)[1:] == [
        "In call 7 rank 2 arrived 10 ms after the median rank.",
        "Of the 3 others, 3 were in call 7 when the last one arrived.",
        "Call 7 took 10.8 ms, the mean over the ranks.",
        "No later call is known of all ranks.",
    ]


def test_what_only_the_root_knows_is_said_to_be_so() -> None:
    assert told(before=None, latest=None)[1:] == [
        "When they arrived is known only to rank 0, the root, so it is not in this report."
    ]


def test_the_page_has_the_picture_and_the_sentences() -> None:
    page = page_of(sample())
    assert "When the ranks arrive" in [title_of(chart).partition(":")[0] for chart in charts_in(page)]
    assert "Rank 1 arrived 19.8 ms after the median rank in call 16" in page
    assert '<span class="tag">arranged</span> <span class="soft">segment=16KiB window=4 radix=2</span>' in page


def test_the_page_without_times_has_the_sentences_alone() -> None:
    raw = sample()
    for name in ("before", "latest"):
        raw["jobs"][0]["contexts"][0]["arrivals"].pop(name)
    page = page_of(raw)
    assert "is known only to rank 0" in page
    assert "When the ranks arrive:" not in page


def test_waiting_ends_with_the_transfer_and_the_rest_follows() -> None:
    first, second, third = arrival_lines.stretches_of(call_of(arranged(), "before"), 1, TRANSFER)
    assert (first.phase, first.begin, first.end) == ("waiting", 1e-3, pytest.approx(11e-3))
    assert (second.phase, second.end) == ("under-way", pytest.approx(13e-3))
    assert (third.phase, third.end) == ("onward", pytest.approx(14e-3))


@pytest.mark.parametrize(
    ("rank", "transfer_seconds", "phases"),
    [(0, TRANSFER, ["under-way", "onward"]), (2, TRANSFER, ["waiting", "under-way"]), (0, 0.0, ["waiting", "onward"])],
)
def test_phases_that_took_no_time_are_left_out(rank: int, transfer_seconds: float, phases: list[str]) -> None:
    found = arrival_lines.stretches_of(call_of(arranged(), "latest"), rank, transfer_seconds)
    assert [one.phase for one in found] == phases


def test_a_call_of_which_no_waiting_is_known_is_drawn_as_a_whole() -> None:
    context = arranged(before=call(6, LATE, [13e-3] * RANKS), latest=None)
    assert arrival_chart.keys(context) == [("in-call", "in the call")]
    assert texts_in(drawn(context), "heading") == [
        "call 7, before the ranks were arranged: a rank took 13 ms on average"
    ]


def test_both_calls_have_one_scale() -> None:
    chart = drawn(arranged())
    assert texts_in(chart, "heading") == [
        "call 7, before the ranks were arranged: a rank took 10.8 ms on average",
        "call 41, the latest that all ranks reported of: a rank took 5 ms on average",
    ]
    last = [one.get("x1") for one in chart.iter() if one.get("class") == "last-came"]
    assert len(last) == 2
    assert last[0] == last[1]
    assert texts_in(chart, "late-rank") == ["2", "2"]
    assert [one for one in texts_in(chart, "label") if one.endswith("late")] == ["10 ms late"] * 2


def test_nothing_marks_late_ranks_where_there_are_none() -> None:
    chart = drawn(arranged(before=call(6, EARLY, [20e-3] * RANKS), latest=None))
    assert [texts_in(chart, name) for name in ("late-rank", "last-came", "late")] == [[], [], []]


@pytest.mark.parametrize("ranks", [512, 20_000])
def test_the_picture_of_many_ranks_stays_small_and_has_the_late_ones(ranks: int) -> None:
    context = arranged(**made_runs.arrivals(3, ranks, 100, late=3))
    late = arrival_words.late_ranks(call_of(context, "before"))
    rows = arrival_chart.shown_ranks(arrival_chart.calls_of(context.arrivals)) if context.arrivals else []
    assert set(late) <= set(rows)
    assert 400 < len(rows) <= arrival_chart.MOST_ROWS
    picture = arrival_chart.draw("a", context)
    assert len(picture) < 100_000
    chart = ElementTree.fromstring(picture)
    assert {int(one) for one in texts_in(chart, "late-rank")} <= set(late)
    assert float((chart.get("viewBox") or "").split()[3]) < 1000


def test_it_is_said_that_ranks_are_left_out() -> None:
    assert "Of 2 ranks side by side only" in arrival_chart.notes_on(arranged(**made_runs.arrivals(3, 1024, 100)))
    assert "side by side" not in arrival_chart.notes_on(arranged())


def test_a_context_with_another_root_names_it(espalier: Espalier, tmp_path: Path) -> None:
    raw = sample()
    raw["jobs"][0]["contexts"][0] |= {
        "root": 3,
        "arrivals": {"rearranged_at": [4], "ranks": list(range(16)), "transfer_seconds": 0},
    }
    assert "known only to rank 3, the root" in flat(espalier("explain", written(tmp_path, raw)).stdout)


def test_of_what_was_forced_it_is_said_who_arrived_late(espalier: Espalier, tmp_path: Path) -> None:
    raw = sample()
    one = raw["jobs"][0]["contexts"][0]
    one |= {"policy": "forced", "state": "for ever", "blocks": [], "agreements": 0, "agreement_seconds": 0}
    one |= {"candidates": [one["candidates"][0] | {"timed": 0, "seconds": 0, "sd": 0}], "first": 0, "incumbent": 0}
    done = espalier("explain", written(tmp_path, raw))
    assert done.returncode == 0, done.stderr
    text = flat(done.stdout)
    assert "policy forced" in text
    assert "the ranks stand in the tree by when they arrive" in text
    assert "Learning took" not in text
