# SPDX-License-Identifier: Apache-2.0
"""How long something goes on that has many parts, from what its first parts took and from guesses at all of them."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from espalier.units import duration_text


class Remaining:
    def __init__(self, weights: Sequence[float]) -> None:
        """About how many seconds each part takes; only their proportion counts, once some were done."""
        self._weights = list(weights)
        self._done = 0
        self._seconds = 0.0

    @property
    def seconds(self) -> float:
        done, left = sum(self._weights[: self._done]), sum(self._weights[self._done :])
        return left * (self._seconds / done if done > 0 else 1.0)

    @property
    def text(self) -> str:
        return f"[{self._done + 1}/{len(self._weights)}, about {duration_text(self.seconds)} left]"

    @contextmanager
    def measuring(self) -> Iterator[None]:
        """While one part is done, however it ends."""
        start = time.monotonic()
        try:
            yield
        finally:
            self.took(time.monotonic() - start)

    def took(self, seconds: float) -> None:
        """The next part."""
        self._seconds += seconds
        self._done += 1

    def leave_out(self, count: int) -> None:
        """This many of the next parts."""
        del self._weights[self._done : self._done + count]
