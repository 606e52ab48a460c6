# SPDX-License-Identifier: Apache-2.0
"""Files that are written: what refuses them before any work is done, and how they are written."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from espalier import svg
from espalier.failure import Failure

STANDARD = Path("-")
IsOurs = Callable[[str], bool]  # whether such a text is of the kind that is to be written


def is_standard(file: Path | None) -> bool:
    """'-': standard output."""
    return file == STANDARD


def check_can_be_written(option: str, file: Path | None, is_ours: IsOurs) -> None:
    """Refuses, before any work is done, what is sure to fail after it, and what would replace a file that is not of the
    kind that is to be written."""
    if file is None or is_standard(file):
        return
    if file.is_dir():
        raise Failure(f"{option} {file}: is a directory; allowed: the name of a file")
    if not file.parent.is_dir():
        raise Failure(f"{option} {file}: there is no directory {file.parent}")
    if not os.access(file if file.exists() else file.parent, os.W_OK):
        raise Failure(f"{option} {file}: may not be written")
    if file.is_file() and not holds(file, is_ours):
        raise Failure(
            f"{option} {file}: exists, and is not what this writes; allowed: another name, or such a file to replace"
        )


def holds(file: Path, is_ours: IsOurs) -> bool:
    """An empty file, or one of our kind."""
    try:
        text = file.read_text(encoding="utf-8")
        return not text.strip() or is_ours(text)
    except (OSError, ValueError, RecursionError):
        return False


def json_with(*names: str) -> IsOurs:
    """An object with these members, or a list of such."""

    def is_ours(text: str) -> bool:
        raw = json.loads(text)
        one = raw[0] if isinstance(raw, list) and raw else raw
        return isinstance(one, dict) and set(names) <= set(one)

    return is_ours


def is_svg(text: str) -> bool:
    """As all our pictures begin; those of drawing programs begin with a declaration of XML."""
    return text.startswith(f'<svg xmlns="{svg.NAMESPACE}"')


def check_is_no_standard(option: str, file: Path | None) -> None:
    """Refuses it where something else is printed."""
    if is_standard(file):
        raise Failure(f"{option} -: standard output has all else that is shown; allowed: the name of a file")


def write_text(text: str, file: Path) -> None:
    if is_standard(file):
        sys.stdout.write(text)
        return
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Failure(f"{file} could not be written: {error.strerror}", status=1) from error


def write_json(value: Any, file: Path | None = None) -> None:
    """To `file`, or on standard output."""
    text = json.dumps(value, indent=2) + "\n"
    if file is None:
        sys.stdout.write(text)
    else:
        write_text(text, file)


def make_directory(directory: Path) -> None:
    """Of results: before long work, not after it."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Failure(f"{directory}: the directory could not be made: {error.strerror}") from error


def write_rows(rows: Iterable[Any], file: Path) -> None:
    """Dataclasses, one on a line."""
    write_text("[\n" + ",\n".join(json.dumps(asdict(row)) for row in rows) + "\n]\n", file)
