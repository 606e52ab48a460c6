# SPDX-License-Identifier: Apache-2.0
"""The signals that ask a process to end."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def heard_by(handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Meanwhile `handler` hears them; but what was ignored stays so, as nohup wants it."""
    former = {number: signal.getsignal(number) for number in SIGNALS}
    heard = [number for number, before in former.items() if before is not signal.SIG_IGN]
    for number in heard:
        signal.signal(number, handler)
    try:
        yield
    finally:
        for number in heard:
            signal.signal(number, former[number])
