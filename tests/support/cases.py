# SPDX-License-Identifier: Apache-2.0
"""Cases of the differential test as text (tests/apps/differential/case.hpp), and smaller ones that fail, too."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

MOST_SECONDS = 120.0  # what hangs takes long


@dataclass(frozen=True)
class Call:
    """One function with its fields."""

    function: str
    fields: dict[str, str]

    def __str__(self) -> str:
        return " ".join([self.function, *(f"{key}={value}" for key, value in self.fields.items())])

    def having(self, **fields: str) -> Call:
        return replace(self, fields={**self.fields, **fields})


@dataclass(frozen=True)
class Case:
    """Calls that are under way at once, on this many ranks."""

    calls: tuple[Call, ...]
    ranks: int

    def __str__(self) -> str:
        return f"{' + '.join(map(str, self.calls))} ranks={self.ranks}"


def read_case(text: str) -> Case:
    calls = []
    ranks = 1
    for part in text.strip().split(" + "):
        function, *words = part.split()
        fields = dict(word.split("=", 1) for word in words)
        ranks = int(fields.pop("ranks", ranks))
        calls.append(Call(function, fields))
    return Case(tuple(calls), ranks)


def case_in(errors: str) -> Case | None:
    """The first one that a program complained of; what hung, where all got stuck."""
    found = re.search(r"^(?:case: |(?:no progress|died) in: rank \d+: )(.*ranks=\d+)$", errors, re.MULTILINE)
    return read_case(found.group(1)) if found else None


def shrink(case: Case, fails: Callable[[Case], bool], seconds: float = MOST_SECONDS) -> Case:
    """As long as something simpler fails, too, that; as far as one gets in this many seconds."""
    end = time.monotonic() + seconds
    tried = {str(case)}
    progress = True
    while progress:
        progress = False
        for simpler in simpler_cases(case):
            if str(simpler) in tried or time.monotonic() > end:
                continue
            tried.add(str(simpler))
            if fails(simpler):
                case, progress = simpler, True
                break
    return case


def simpler_cases(case: Case) -> Iterator[Case]:
    """What is simpler by one step, the largest steps first."""
    for left_out in range(len(case.calls) if len(case.calls) > 1 else 0):
        yield replace(case, calls=case.calls[:left_out] + case.calls[left_out + 1 :])
    for ranks in (2, 3, case.ranks - 1):
        if 0 < ranks < case.ranks:
            yield replace(case, ranks=ranks)
    for position, call in enumerate(case.calls):
        for simpler in simpler_calls(call):
            yield replace(case, calls=(*case.calls[:position], simpler, *case.calls[position + 1 :]))


def simpler_calls(call: Call) -> Iterator[Call]:
    for function in simpler_functions(call.function):
        yield replace(call, function=function)
    plain = {"root": "0", "in_place": "no", "calls": "1", "finish": "Wait", "comm": "world"}
    for key, value in plain.items():
        if call.fields.get(key) != value:
            yield call.having(**{key: value})
    yield from simpler_types(call)
    yield from simpler_counts(call)
    algorithm, comma, _ = call.fields["algorithm"].partition(",")
    if comma:
        yield call.having(algorithm=algorithm)


def simpler_functions(name: str) -> Iterator[str]:
    """With small counts; blocking."""
    if name.endswith("_c"):
        yield name.removesuffix("_c")
    if "_init" in name:
        yield name.replace("_init", "")
    if name.startswith("MPI_I"):
        yield f"MPI_{name.removeprefix('MPI_I').capitalize()}"


def simpler_types(call: Call) -> Iterator[Call]:
    if "op" not in call.fields:
        if call.fields["type"] != "MPI_INT":
            yield call.having(type="MPI_INT")
    elif (call.fields["type"], call.fields["op"]) != ("MPI_INT", "MPI_SUM"):
        yield call.having(type="MPI_INT", op="MPI_SUM")
        yield call.having(type="MPI_INT")


def simpler_counts(call: Call) -> Iterator[Call]:
    pattern, _, text = call.fields["counts"].partition(":")
    count = int(text)
    for fewer in (1, 2, count // 2, count - 1):
        if 0 < fewer < count:
            yield call.having(counts=f"{pattern}:{fewer}")
    if pattern != "equal":
        yield call.having(counts=f"equal:{count}")
