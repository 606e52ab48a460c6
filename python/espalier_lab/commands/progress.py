# SPDX-License-Identifier: Apache-2.0
"""What all that measures for long has: a line that says what is being done, and files that are not lost."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.progress import Progress, TextColumn, TimeElapsedColumn

from espalier import output, texts
from espalier.failure import Failure


def set_aside(file: Path) -> None:
    """What was measured for hours is not lost by a forgotten word."""
    if file.exists():
        file.replace(file.with_suffix(".before.json"))


def fail_if_any(failures: Sequence[str]) -> None:
    if failures:
        raise Failure("Not as it should be:\n" + "\n".join(failures), "Go on with --resume.", status=1)


@contextmanager
def progress(title: str) -> Iterator[output.Announce]:
    """A line on the terminal with what is being done and for how long; to be called with the former."""
    columns = TextColumn("{task.description}", markup=False), TimeElapsedColumn()
    with Progress(*columns, console=output.console(stderr=True)) as bar:
        task = bar.add_task(title, total=None)

        def announce(text: str, *, is_step: bool = False) -> None:
            bar.update(task, description=texts.printable(text)[:70])
            if is_step and not bar.console.is_terminal:  # a log is told less
                bar.console.print(text, highlight=False)

        yield announce
