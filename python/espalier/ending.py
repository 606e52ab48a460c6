# SPDX-License-Identifier: Apache-2.0
"""The signals that ask a process to end."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import Optional, Union

Handler = Union[Callable[[int, Optional[FrameType]], None], int, signal.Handlers]
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def received_by(handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Meanwhile `handler` receives them; but what was ignored stays so, as nohup wants it."""
    watched = [number for number in SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
    with handled(dict.fromkeys(watched, handler)):
        yield


@contextmanager
def handled(handlers: Mapping[signal.Signals, Handler]) -> Iterator[None]:
    former = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield
    finally:
        for number, handler in former.items():
            # None: a library of our LD_PRELOAD had it, in C. Python can neither name that nor put it back.
            signal.signal(number, signal.SIG_DFL if handler is None else handler)


def keep_children() -> None:
    """From here on a child that has ended waits until we ask for its status. Where SIGCHLD is ignored, or a library of
    our LD_PRELOAD asks first, there is none to be had, which Python takes for success."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
