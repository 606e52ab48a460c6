# SPDX-License-Identifier: Apache-2.0
"""A signal that asks us to end is heeded between two steps: the running job is ended, and what is there is shown."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

from espalier import ending


@dataclass
class Interruption:
    number: int = 0  # of the signal; 0: none came


@contextmanager
def caught() -> Iterator[Interruption]:
    interruption = Interruption()

    def on_signal(number: int, _: FrameType | None) -> None:
        interruption.number = number

    with ending.received_by(on_signal):
        yield interruption
