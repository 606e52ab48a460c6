# SPDX-License-Identifier: Apache-2.0
"""One lab at a time on a machine: brought up, found again by later commands, and always cleaned up.

A lab belongs to the process that brought it up (`run`), or to nobody (`up`). What a process left behind that was killed
is removed by the next command.
"""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from filelock import FileLock

from espalier.failure import Failure
from espalier_lab.network import delays, namespaces
from espalier_lab.network.plan import Plan
from espalier_lab.network.spec import Options, plan_of

STATE = namespaces.DIRECTORY / "lab.json"
LOCK = namespaces.DIRECTORY / "lock"


@dataclass(frozen=True)
class State:
    spec: str
    options: Options
    owner: int  # a process; 0: nobody, it stays until `lab down`

    @property
    def plan(self) -> Plan:
        return plan_of(self.spec, self.options)

    @property
    def is_alive(self) -> bool:
        return self.owner == 0 or Path(f"/proc/{self.owner}").exists()


@contextmanager
def locked() -> Iterator[None]:
    """Only one command at a time changes what exists. Not inherited by what is started meanwhile."""
    namespaces.DIRECTORY.mkdir(parents=True, exist_ok=True)
    with FileLock(LOCK, fallback_to_soft=False):
        yield


def read() -> State | None:
    if not STATE.exists():
        return None
    raw = json.loads(STATE.read_text())
    return State(raw["spec"], Options(**raw["options"]), raw["owner"])


def remove_leftovers() -> None:
    """Of a command that was killed."""
    state = read()
    if state and state.is_alive and namespaces.existing():
        raise Failure(
            f"There is a lab already: {state.spec}" + (f", of process {state.owner}" if state.owner else ""),
            "Use it (espalier lab exec), or take it down: espalier lab down",
        )
    take_away()


def take_away() -> int:
    count = namespaces.down()
    STATE.unlink(missing_ok=True)
    return count


def bring_up(spec: str, options: Options, *, stays: bool) -> Plan:
    namespaces.require()
    plan = plan_of(spec, options)
    with locked():
        remove_leftovers()
        state = {"spec": spec, "options": asdict(options), "owner": 0 if stays else os.getpid()}
        STATE.write_text(json.dumps(state) + "\n")
        try:
            namespaces.up(plan)
            delays.start(plan)
        except BaseException:
            take_away()
            raise
    return plan


@contextmanager
def lab(spec: str, options: Options) -> Iterator[Plan]:
    """A lab for as long as the context lasts."""
    plan = bring_up(spec, options, stays=False)
    try:
        yield plan
    finally:
        with locked():
            take_away()


def current() -> State:
    state = read()
    if state is None or not namespaces.existing():
        raise Failure("There is no lab.", "Bring one up: espalier lab up torus:3x3x3")
    return state
