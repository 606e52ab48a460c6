# SPDX-License-Identifier: Apache-2.0
"""Changes of files, under the directory's lock: a file is always the old one or the new one, also after a crash."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import tomli_w

from espalier.failure import Failure
from espalier.memory import lock, stored
from espalier.memory.contents import Memory

COMMENT = "How long collectives took under Espalier, and what was the fastest; docs/reference/memory.md"


def rewrite(path: Path, edit: Callable[[Memory], dict[str, Any] | None]) -> None:
    """What `edit` makes of the values of the file; None: the file goes. Reads again, now that nobody else writes."""
    with lock.held(path.parent):
        _, memory = stored.usable(path)
        values = edit(memory)
        if values is None:
            delete(path)
        elif values != memory.raw:
            replace(path, text_of(values))


def text_of(values: dict[str, Any]) -> str:
    """A file, which holds these values."""
    return f"# {COMMENT}\n{tomli_w.dumps(values, indent=2)}"


def remove(path: Path) -> None:
    with lock.held(path.parent):
        delete(path)


def delete(path: Path) -> None:
    try:
        path.unlink()
        make_lasting(path.parent)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise Failure(f"{path}: could not be removed: {error.strerror}", status=1) from None


def replace(path: Path, text: str) -> None:
    temporary = ""
    try:
        descriptor, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            os.fchmod(file.fileno(), path.lstat().st_mode & 0o777)
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
        temporary = ""
        make_lasting(path.parent)
    except OSError as error:
        raise Failure(f"{path}: could not be written: {error.strerror}", status=1) from None
    finally:
        if temporary:
            with suppress(OSError):
                Path(temporary).unlink()


def make_lasting(directory: Path) -> None:
    """What is called how in it."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
