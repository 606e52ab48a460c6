# SPDX-License-Identifier: Apache-2.0
"""A signal that asks us to end is heard, and heeded between two steps: the running job is ended, and what is there is
shown."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass
class Interruption:
    number: int = 0  # of the signal; 0: none came


@contextmanager
def heard() -> Iterator[Interruption]:
    interruption = Interruption()

    def hear(number: int, _: FrameType | None) -> None:
        interruption.number = number

    former = {number: signal.getsignal(number) for number in SIGNALS}
    for number, handler in former.items():
        if handler is not signal.SIG_IGN:  # as nohup wants it
            signal.signal(number, hear)
    try:
        yield interruption
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)
