# SPDX-License-Identifier: Apache-2.0
"""espalier explain RUNFILE, and the table of what was chosen by time at the end of a run."""

import json
from pathlib import Path
from typing import Any

import made_runs
import pytest
from conftest import ROOT, Espalier
from rich.console import Console

from espalier import account, chosen_by_time, contexts, contexts_read, explain_run, report, run_file
from espalier.failure import Failure

SAMPLE = Path(__file__).parent / "sample_run.json"


def sample() -> dict[str, Any]:
    raw: dict[str, Any] = json.loads(SAMPLE.read_text())
    return raw


def sample_context(**changes: Any) -> contexts.Context:
    raw = sample()["jobs"][0]
    raw["contexts"][0] |= changes
    return contexts_read.of(report.of(raw))[0]


def candidate(context: contexts.Context, name: str) -> int:
    return next(k for k, one in enumerate(context.candidates) if one.algorithm == name)


def flat(text: str) -> str:
    return " ".join(text.split())


def written(directory: Path, raw: Any) -> Path:
    file = directory / "run.json"
    file.write_text(json.dumps(raw))
    return file


def test_a_run_is_explained_by_what_was_tried_and_why_it_was_dropped(espalier: Espalier) -> None:
    done = espalier("explain", SAMPLE)
    assert done.returncode == 0, done.stderr
    text = flat(done.stdout)
    assert "allreduce of 64 KiB among 16 ranks: ring segment=64KiB window=4, 2 times as fast as native" in text
    assert "exact arithmetic" in text
    assert "root" not in text
    assert "nothing was known at the start; still looking" in text
    assert "Learning took 720 us" in text
    assert "In 1 context, with 1 call in all, nothing was tried" in text


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("ring", "the fastest so far"),
        ("native", "2 times as long"),
        ("rabenseifner", "34% slower"),
        ("linear", "3.2 times as long"),
        ("chain", "estimated 5 times the best: never tried"),
        ("binary_tree", "not worth a try so far"),
    ],
)
def test_each_candidate_is_told_why(name: str, why: str) -> None:
    context = sample_context()
    assert account.verdict(context, candidate(context, name)) == why


def test_a_difference_within_the_uncertainty_is_said_to_be_none_for_sure() -> None:
    near = sample()["jobs"][0]["contexts"][0]["candidates"]
    near[2] |= {"seconds": 0.000255, "sd": 0.05}
    assert account.verdict(sample_context(candidates=near), 2) == "2% slower, which is not certain"


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"state": "for ever"}, "the fastest, chosen for good"),
        ({"start": "pinned"}, "pinned by hand"),
        ({"state": "given up"}, "aborted: decisions differed between ranks"),
    ],
)
def test_state_and_start_say_why_the_incumbent_runs(changes: dict[str, str], why: str) -> None:
    context = sample_context(**changes)
    assert account.verdict(context, context.incumbent) == why


def test_what_an_earlier_run_knew_to_be_slower_is_not_tried() -> None:
    known = sample()["jobs"][0]["contexts"][0]["candidates"]
    known[4] |= {"seconds": 0.0005, "sd": 0.02}
    assert (
        account.verdict(sample_context(candidates=known, start="memory"), 4)
        == "2 times as long by the memory: not tried"
    )


def test_what_was_never_tried_in_a_race_that_is_over_was_not_worth_it() -> None:
    assert account.verdict(sample_context(state="for ever"), 5) == "not worth a try"


def test_calls_that_the_library_counts_for_no_candidate_are_those_before_and_since() -> None:
    context = sample_context(calls=1000, first=2, measured_calls=0)
    assert contexts.calls_of(context) == [26, 270 + 692, 2 + 8, 2, 0, 0]
    saved = account.saved_by_each(context)
    assert saved[1] == pytest.approx(962 * 0.00025)
    assert saved[2] == pytest.approx(10 * 0.000165)
    assert contexts.seconds_of(context) == pytest.approx(1000 * 0.0005 - sum(saved))


def test_a_class_of_sizes_and_a_communicator_of_other_ranks_are_named(espalier: Espalier, tmp_path: Path) -> None:
    raw = sample()
    raw["jobs"][0]["contexts"][0] |= {"bytes_high": 131071, "leader": 4}
    text = flat(espalier("explain", written(tmp_path, raw)).stdout)
    assert "allreduce of 64 - 128 KiB among 16 ranks" in text
    assert "communicator 3 led by rank 4" in text


def test_costs_and_savings_add_up() -> None:
    costs = account.account_of(sample_context(), 0.01)
    assert costs.lost_seconds == pytest.approx(0.0006)
    assert costs.learning_seconds == pytest.approx(0.00072)
    assert costs.saved_seconds == pytest.approx(0.06783)
    assert costs.reference_seconds == pytest.approx(0.15)
    assert costs.budget_seconds == pytest.approx(0.01 * 400 * 0.0005)
    assert costs.seconds == pytest.approx(0.15 - costs.saved_seconds + costs.lost_seconds)


def test_the_time_of_calls_is_the_measured_one_and_not_what_few_timings_make_believe() -> None:
    native = {"algorithm": "native", "parameters": "", "estimate": 1, "calls": 200, "timed": 2, "seconds": 7.9e-6}
    context = sample_context(
        calls=200,
        measured_calls=200,
        measured_seconds=0.477,
        agreement_seconds=0.0048,
        waiting_seconds=0.0062,
        incumbent=0,
        blocks=[],
        candidates=[native | {"sd": 0.1, "lost_seconds": 0.0}],
    )
    costs = account.account_of(context, 0.01)
    assert costs.seconds == pytest.approx(0.477)
    assert chosen_by_time.cells_of(context, 0.01)[-1] == "4.8 ms (1.0%)"
    assert costs.over_budget == 0
    text = " ".join(explain_run.account_sentences(context, costs))
    assert "Learning took 4.8 ms (1.0% of the time)" in text
    assert "ranks waited 6.2 ms for others" in text
    assert "exceeded" not in text


@pytest.mark.parametrize("measured", [0, 5, 29])
def test_of_few_calls_no_percentage_is_told_but_how_many_they_were(measured: int) -> None:
    context = sample_context(calls=300, measured_calls=measured, measured_seconds=measured * 3e-4)
    costs = account.account_of(context, 0.01)
    plural = "s" if measured != 1 else ""
    assert chosen_by_time.cells_of(context, 0.01)[-1] == f"720 us ({measured} call{plural} timed)"
    text = " ".join(explain_run.account_sentences(context, costs))
    assert f"({measured} calls timed: too few for a percentage)" in text
    assert "%" not in text


def test_a_budget_that_was_exceeded_is_said_to_be() -> None:
    context = sample_context(agreement_seconds=0.1)
    sentences = explain_run.account_sentences(context, account.account_of(context, 0.01))
    assert "The budget was 2 ms, besides what was saved: it was exceeded by 30.8 ms." in sentences


def test_the_budget_is_that_of_the_run() -> None:
    raw = sample()["jobs"][0]
    for text, share in (("1%", 0.01), ("0.25%", 0.0025), ("100%", 1.0), ("much", 0.0), (7, 0.0)):
        raw["settings"]["ESPALIER_BUDGET"] = text
        assert account.budget_share(report.of(raw)) == pytest.approx(share)


def test_json_has_the_numbers_and_the_reasons(espalier: Espalier) -> None:
    answer = json.loads(espalier("explain", SAMPLE, "--json").stdout)
    (job,) = answer["jobs"]
    first = job["contexts"][0]
    assert (first["collective"], first["incumbent"], first["times_faster"]) == ("allreduce", 1, 2.0)
    assert [one["why"] for one in first["candidates"]][2:4] == ["34% slower", "3.2 times as long"]


def test_a_report_of_espalier_report_is_read_too(espalier: Espalier, tmp_path: Path) -> None:
    done = espalier("explain", written(tmp_path, sample()["jobs"][0]))
    assert "the fastest so far" in flat(done.stdout)


def test_a_report_without_contexts_gets_one_sentence(espalier: Espalier, tmp_path: Path) -> None:
    raw = sample()
    raw["jobs"][0].pop("contexts")
    raw["jobs"][0]["settings"]["ESPALIER_POLICY"] = "estimate"
    done = espalier("explain", written(tmp_path, raw))
    assert done.returncode == 0
    assert "Nothing was chosen by time in this run: its report has no contexts (ESPALIER_POLICY=estimate)." in flat(
        done.stdout
    )


def test_a_context_in_which_no_call_was_timed_gets_one_sentence() -> None:
    untimed = [
        one | {"seconds": 0, "timed": 0, "lost_seconds": 0} for one in sample()["jobs"][0]["contexts"][0]["candidates"]
    ]
    context = sample_context(candidates=untimed, blocks=[])
    costs = account.account_of(context, 0.01)
    assert explain_run.gain_sentence(context, costs) == ("No call was timed, so nothing is known of what was saved.")


def test_a_barrier_has_no_size(espalier: Espalier, tmp_path: Path) -> None:
    raw = sample()
    raw["jobs"][0]["contexts"] = [raw["jobs"][0]["contexts"][0] | {"collective": "barrier", "bytes": 0}]
    assert "barrier among 16 ranks: ring" in flat(espalier("explain", written(tmp_path, raw)).stdout)


@pytest.mark.parametrize(
    "words", [["--ranks", "4"], ["--bytes", "8"], ["--torus", "3x3"], ["--mpi", "mpich"], ["--root", "0"]]
)
def test_options_of_a_collective_are_refused_with_a_file(espalier: Espalier, words: list[str]) -> None:
    done = espalier("explain", SAMPLE, *words)
    assert done.returncode == 2
    assert f"{words[0]}: does not go with the file of a run; allowed: --html and --json" in flat(done.stderr)


def test_a_page_of_a_collective_is_refused(espalier: Espalier, tmp_path: Path) -> None:
    done = espalier("explain", "bcast", "--html", tmp_path / "page.html")
    assert done.returncode == 2
    assert "goes with the file of a run only, not with bcast" in flat(done.stderr)


def test_a_file_that_is_not_there_is_named(espalier: Espalier) -> None:
    done = espalier("explain", "nowhere/run.json")
    assert done.returncode == 2
    assert "nowhere/run.json cannot be read as a run: No such file or directory; allowed:" in flat(done.stderr)


@pytest.mark.parametrize("text", ["", "no json", "[]", "{}", '{"jobs": 1}', '{"jobs": [1]}', '{"rows": []}'])
def test_a_file_that_is_no_run_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "run.json"
    file.write_text(text)
    with pytest.raises(Failure, match="cannot be read as a run"):
        run_file.read(file)


@pytest.mark.parametrize(
    ("place", "value", "complaint"),
    [
        (["state"], "asleep", r"contexts\[0\]: 'state' is 'asleep'; allowed: before, racing, for ever, given up"),
        (["start"], "", r"'start' is ''; allowed: cold"),
        (["incumbent"], 6, r"contexts\[0\]: 'incumbent' has 6, which is none of 6 candidates"),
        (["incumbent"], -2, r"'incumbent' has -2"),
        (["first"], 6, r"contexts\[0\]: 'first' has 6"),
        (["calls"], "many", r"contexts\[0\]: 'calls' must be of type int"),
        (["candidates", 1, "sd"], -1, r"contexts\[0\]\.candidates\[1\]: 'sd' is out of range"),
        (["candidates", 1, "timed"], 271, r"271 of 270 calls cannot have been timed"),
        (["blocks", 0, "calls", 2], 6, r"contexts\[0\]\.blocks\[0\]: 'calls' has 6"),
        (["blocks", 0, "calls", 2], 1.5, r"what 'calls' lists must be of type int"),
        (["blocks", 0, "seconds"], [], r"there are 4 calls, but 0 'seconds' and 4 'least'"),
        (["blocks", 1, "at"], 11, r"blocks\[1\]: 'at' is 11, but the block before ends at 12"),
        (["blocks", 1, "beside"], None, r"blocks\[1\]: 'beside' must be of type float"),
    ],
)
def test_contexts_of_another_format_are_refused_with_the_place(place: list[Any], value: Any, complaint: str) -> None:
    raw = sample()["jobs"][0]
    at = raw["contexts"][0]
    for key in place[:-1]:
        at = at[key]
    at[place[-1]] = value
    with pytest.raises(Failure, match=complaint):
        contexts_read.of(report.of(raw))


def test_control_characters_of_a_file_do_nothing(espalier: Espalier, tmp_path: Path) -> None:
    raw = sample()
    raw["jobs"][0]["contexts"][0]["candidates"][1]["algorithm"] = "ring\x1b[2J"
    done = espalier("explain", written(tmp_path, raw))
    assert "\x1b" not in done.stdout
    assert "ring\\x1b[2J" in done.stdout


@pytest.mark.parametrize("seed", range(5))
def test_made_up_runs_are_explained_in_80_columns(tmp_path: Path, seed: int) -> None:
    console = Console(width=80, record=True, file=(tmp_path / "out").open("w"))
    explain_run.show([report.of(job) for job in made_runs.run(seed, 5)["jobs"]], console)
    text = console.export_text()
    assert max(map(len, text.splitlines())) <= 80
    assert "the fastest" in text


def table(directory: Path, raw: Any, width: int = 100, file: Path | None = None) -> str:
    console = Console(width=width, record=True, file=(directory / "out").open("w"))
    chosen_by_time.show([report.of(job) for job in raw["jobs"]], console, file)
    return console.export_text()


def test_the_table_at_the_end_of_a_run_has_a_row_for_each_context(tmp_path: Path) -> None:
    lines = table(tmp_path, sample()).splitlines()
    assert "Chosen by time" in lines
    assert flat(lines[2]) == "Collective Message Ranks Calls Fastest so far Faster Tried Learning"
    assert flat(lines[4]) == "allreduce 64 KiB 16 300 ring segment=64KiB window=4 2.00x 4 of 6 720 us (0.9%)"
    assert not any("barrier" in line for line in lines)


def test_a_reference_that_is_not_native_is_named(tmp_path: Path) -> None:
    raw = sample()
    raw["jobs"][0]["contexts"][0]["candidates"][0]["algorithm"] = "binomial"
    assert "2.00x (binomial)" in flat(table(tmp_path, raw))


@pytest.mark.parametrize("width", [80, 100])
def test_the_table_is_short_and_narrow_and_says_where_the_rest_is(tmp_path: Path, width: int) -> None:
    raw = {"jobs": [made_runs.report([made_runs.context(seed) for seed in range(20)])]}
    text = table(tmp_path, raw, width, Path("run.json"))
    assert max(map(len, text.splitlines())) <= width
    assert text.count(" of ") >= chosen_by_time.MOST_ROWS
    assert "... and 8 more: ./espalier explain run.json" in text


def test_there_is_no_table_without_contexts(tmp_path: Path) -> None:
    raw = sample()
    raw["jobs"][0].pop("contexts")
    assert table(tmp_path, raw) == ""


def test_contexts_with_the_most_time_come_first() -> None:
    found = contexts.by_time(contexts_read.of(report.of(made_runs.run(3, 6)["jobs"][0])))
    times = [contexts.seconds_of(one) for one in found]
    assert times == sorted(times, reverse=True)


def test_the_examples_in_the_documentation_are_what_is_printed(tmp_path: Path) -> None:
    page = flat((ROOT / "docs/how-to/read-the-report.md").read_text())
    console = Console(width=110, record=True, file=(tmp_path / "out").open("w"))
    explain_run.show(run_file.read(SAMPLE), console)
    explained = console.export_text().split("\n\n")[1]
    assert flat(explained) in page
    for line in table(tmp_path, sample()).splitlines()[1:5]:
        assert flat(line.strip("─")) in page
