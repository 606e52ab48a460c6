# SPDX-License-Identifier: Apache-2.0
"""Job after job, until all is measured or the time is over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from espalier.launchers import Launch
from espalier.memory.contents import Context, Memory
from espalier.older_python import StrEnum
from espalier.tune import bounded_job, program
from espalier.tune.bounded_job import Done
from espalier.tune.clock import LEAST_SECONDS, Clock
from espalier.tune.interruption import Interruption
from espalier.tune.pieces import Piece
from espalier.tune.placement import Placement

CALLS = 100_000  # of a piece; races of the shortest messages are over by then
FEW = 3  # a number of times as many calls must be possible, for the piece to be worth another job
MOST_FAILURES = 3  # in a row


class State(StrEnum):
    KNOWN = "known before"
    MEASURED = "measured"
    NOTHING = "nothing to choose"  # or too few calls
    LATE = "took too long"
    FAILED = "failed"
    NOT_REACHED = "not reached"


class End(StrEnum):
    DONE = "done"
    TIME_OVER = "time over"
    INTERRUPTED = "interrupted"
    FAILURES = "failures"


@dataclass
class Result:
    piece: Piece
    state: State
    seconds: float = 0.0
    calls: int = 0
    why: str = ""


Report = Callable[[Result, int, float], None]  # a result, how many pieces are left, and about how many seconds


def context_of(memory: Memory | None, piece: Piece) -> Context | None:
    if memory is None:
        return None
    key = piece.key(memory.ranks)
    # One that was learnt of this very size rather than one that a user widened.
    matching = [one for one in memory.contexts if key.is_of(one)]
    return min(matching, key=lambda one: one.bytes_high - one.bytes_low, default=None)


class Sweep:
    def __init__(self, launch: Launch, placement: Placement, clock: Clock, interruption: Interruption) -> None:
        self._launch, self._placement, self._clock, self._interruption = launch, placement, clock, interruption
        self.end = End.DONE

    def run(
        self, pieces: Sequence[Piece], again: bool, begin: Callable[[Piece, int], None], report: Report
    ) -> list[Result]:
        memory = self._placement.memory()
        results = [
            Result(piece, State.NOT_REACHED if again or context_of(memory, piece) is None else State.KNOWN)
            for piece in pieces
        ]
        left = [one for one in results if one.state is State.NOT_REACHED]
        for done, result in enumerate(left):
            if not self._may_go_on(left[:done]):
                break
            begin(result.piece, len(left) - done)
            self._measure(result, len(left) - done)
            if self._interruption.number:
                self.end = End.INTERRUPTED
                break
            report(result, len(left) - done - 1, self._seconds_for(left, done + 1))
        return results

    def _may_go_on(self, done: Sequence[Result]) -> bool:
        last = done[-MOST_FAILURES:]
        if len(last) == MOST_FAILURES and all(one.state is State.FAILED for one in last):
            self.end = End.FAILURES
        elif self._interruption.number:
            self.end = End.INTERRUPTED
        elif self._clock.is_over:
            self.end = End.TIME_OVER
        return self.end is End.DONE

    def _seconds_for(self, all_of_them: Sequence[Result], done: int) -> float:
        mean = sum(one.seconds for one in all_of_them[:done]) / done
        return min(max(self._clock.left, 0.0), mean * (len(all_of_them) - done))

    def _measure(self, result: Result, pieces_left: int) -> None:
        limit = self._clock.limit(pieces_left)
        done = self._job(result, CALLS, limit, limit)
        if result.state is not State.NOTHING:
            return
        # How many calls there is time for, its first ones told; where these had connections to make, far too few.
        rest = max(limit - sum(done.calls), LEAST_SECONDS)
        possible = min(CALLS, int(rest / done.baseline_call)) if done.baseline_call > 0 else 0
        if possible > FEW * len(done.calls) and self._clock.has_time_for_another(pieces_left - 1):
            second = self._job(result, possible, 0, rest)
            if second.is_late and not self._interruption.number:  # what the first job wrote is there
                result.state, result.why = State.NOTHING, ""
        if result.state is State.NOTHING and context_of(self._placement.memory(), result.piece) is not None:
            result.state = State.MEASURED

    def _job(self, result: Result, calls: int, limit: float, expected: float) -> Done:
        """`limit` 0: this many calls, whatever the first ones take; they are expected to take this many seconds."""
        piece = result.piece
        words = program.words_for(piece.function, piece.bytes, piece.numbers, calls, limit)
        done = bounded_job.run(self._launch, words, self._clock.allowance(expected), self._interruption)
        result.seconds += done.seconds
        result.calls += len(done.calls)
        result.state = State.NOTHING
        if self._interruption.number:
            result.state = State.NOT_REACHED
        elif done.is_late:
            result.state, result.why = State.LATE, f"was ended after {done.seconds:.0f} s"
        elif done.status != 0:
            result.state, result.why = State.FAILED, f"ended with status {done.status}:\n{done.last_words}"
        else:
            self._clock.learn(done.seconds, sum(done.calls))
        return done
