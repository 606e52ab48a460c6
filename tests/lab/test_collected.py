# SPDX-License-Identifier: Apache-2.0
"""What is measured part by part: kept at once, and a part that fails does not end it. Needs no network."""

from espalier.failure import Failure
from espalier_lab.experiments.collected import Collected


def fail() -> int:
    raise Failure("no such thing")


def test_what_fails_is_said_and_left_out_and_what_is_found_is_kept_at_once() -> None:
    said: list[str] = []
    kept: list[list[int]] = []
    collected = Collected([1], [5, 5, 5, 5], lambda text, **_: said.append(text), lambda rows: kept.append(list(rows)))
    assert collected.attempt("first", lambda: 2) == 2
    collected.add([2])
    assert collected.attempt("second", fail) is None
    collected.leave_out(1)
    assert collected.attempt("last", lambda: 3) == 3
    collected.add([3])
    assert kept == [[1, 2], [1, 2, 3]]
    assert collected.failures == ["second: no such thing"]
    assert [line.partition(",")[0] for line in said[:2]] == ["[1/4", "[2/4"]
    assert said[2] == "second: no such thing"
    assert said[3].startswith("[3/3, ")
