# SPDX-License-Identifier: Apache-2.0
"""Finds the constants of Fugaku's machine files by what was measured on 4x4x4.

    PYTHONPATH=python .deps/tools/bin/python -m espalier_lab.simulation.fugaku_fit

It goes along one constant after the other, by smaller and smaller factors, as long as anything is gained. Few rows
that no constant can explain shall not draw all others along: what is gained at a row counts less the farther it is off.

What comes once in a call and what comes with each hop can hardly be told apart where all trees are equally high, as on
4x4x4. So there are two searches: from where nothing comes once, and from where a hop takes what paper 1 says of K,
1.27 us. Each finds the other constants; what is taken lies in the middle. Neither search looks at other jobs. But that
the middle is taken was decided after theirs had been seen.
"""

import math
import tempfile
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from espalier.installation import ROOT, Installation
from espalier_lab.simulation.fugaku import FITTED, is_two_calls, machine, measured, parts_of
from espalier_lab.simulation.program import play
from espalier_lab.simulation.rows import Wanted

NOTHING_ONCE = {
    "hop_seconds": 8.4e-7,
    "arrival_seconds": 2.2e-6,
    "call_seconds": 1e-9,
    "put_rate": 6.1e9,
    "arithmetic": 2e10,
    "reduction_seconds": 3.5e-7,
}
HOPS_OF_K = {
    "hop_seconds": 7e-7,
    "arrival_seconds": 5.7e-7,
    "call_seconds": 1e-5,
    "put_rate": 6.1e9,
    "arithmetic": 2e10,
    "reduction_seconds": 5e-7,
}
MOST = {"put_rate": 6.8e9}  # as much as a link
FACTORS = (1.2, 1.1, 1.05)
HALF = 0.05  # so far off a row counts half of what it can count
DIGITS = 3
PLAYED_AT_ONCE = 2

Constants = Mapping[str, float]

TEXT = """
hop_seconds = {hop_seconds}
arithmetic = {arithmetic}
engines = 6
[tofu]
box = [4, 4, 4]
rate = 6.8e9
nodes = "n[0-63]"
[simulation]
put_rate = {put_rate}
arrival_seconds = {arrival_seconds}
call_seconds = {call_seconds}
reduction_seconds = {reduction_seconds}
"""


class Fit:
    def __init__(self, installation: Installation, place: Path) -> None:
        self.installation = installation
        self.file = place / "machine.toml"
        self.calls = [one for one in measured() if one.machine == machine(FITTED)[0]]
        self.known: dict[tuple[float, ...], float] = {}

    def loss(self, constants: Constants) -> float:
        key = tuple(constants.values())
        if key not in self.known:
            self.file.write_text(TEXT.format(**constants))
            with ThreadPoolExecutor(PLAYED_AT_ONCE) as pool:
                self.known[key] = sum(map(lost, pool.map(self.off, self.calls))) / len(self.calls)
        return self.known[key]

    def off(self, one: Wanted) -> float:
        assert one.reference_s is not None
        return math.log(sum(map(self.seconds, parts_of(one) if is_two_calls(one) else [one])) / one.reference_s)

    def seconds(self, one: Wanted) -> float:
        there = ("--topology", str(self.file))
        return play(self.installation, Wanted(one.machine, there, one.collective, one.bytes, one.algorithm, "")).seconds


def lost(off: float) -> float:
    return abs(off) / (abs(off) + HALF)


def neighbours(constants: Constants, factor: float) -> Iterator[Constants]:
    for name, value in constants.items():
        if (name, value) == ("call_seconds", NOTHING_ONCE["call_seconds"]):
            continue  # nothing stays nothing
        for changed in (value * factor, value / factor):
            yield {**constants, name: float(f"{min(changed, MOST.get(name, math.inf)):.{DIGITS}g}")}


def search(fit: Fit, start: Constants) -> Constants:
    best = start
    for factor in FACTORS:
        while (better := min(neighbours(best, factor), key=fit.loss)) and fit.loss(better) < fit.loss(best):
            best = better
            print(f"{fit.loss(best):.4f}", words_of(best), flush=True)
    return best


def words_of(constants: Constants) -> str:
    return ", ".join(f"{name} = {value:.{DIGITS}g}" for name, value in constants.items())


def middle(first: Constants, second: Constants) -> Constants:
    """Between factors, as the search goes by them; half of what comes once."""
    between = {name: math.sqrt(value * second[name]) for name, value in first.items()}
    return {**between, "call_seconds": (first["call_seconds"] + second["call_seconds"]) / 2}


def main() -> None:
    with tempfile.TemporaryDirectory() as place:
        fit = Fit(Installation(ROOT / "build"), Path(place))
        found = middle(search(fit, NOTHING_ONCE), search(fit, HOPS_OF_K))
        print(f"in the middle {fit.loss(found):.4f}", words_of(found))


if __name__ == "__main__":
    main()
