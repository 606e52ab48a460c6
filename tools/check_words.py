#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finds words in src, python and docs that the glossary has replaced: those of replaced_words.txt.

Prints each with file and line and what to say instead, and ends with 1 if there was any.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from checking import main

LIST = "tools/replaced_words.txt"
CHECKED = ("src", "python", "docs", "include", "README.md", "CONTRIBUTING.md", "SECURITY.md")
TEXTS = {".cpp", ".hpp", ".c", ".h", ".def", ".py", ".md", ".j2", ".S"}

NAME_BOUNDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|_")


@dataclass(frozen=True)
class Replaced:
    """One line of the list."""

    words: re.Pattern[str]
    instead: str
    paths: re.Pattern[str]


@dataclass(frozen=True)
class Rules:
    """The list."""

    replaced: tuple[Replaced, ...]
    kept: re.Pattern[str]


@dataclass(frozen=True)
class Finding:
    """A word that stands where it should not."""

    line: int
    word: str
    instead: str


def rules_in(text: str) -> Rules:
    """Of a list. Raises ValueError if a line is neither of the forms."""
    replaced, kept = [], []
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        if line.startswith("keep "):
            kept.append(re.escape(line.removeprefix("keep ")))
            continue
        words, arrow, rest = line.partition(" => ")
        if not arrow:
            raise ValueError(f"{line!r}: neither `keep TEXT` nor `WORDS => WHAT TO SAY`")
        instead, _, paths = rest.partition(" | ")
        replaced.append(Replaced(re.compile(rf"\b(?:{words})\b", re.IGNORECASE), instead, re.compile(paths)))
    return Rules(tuple(replaced), re.compile("|".join(kept) or r"(?!)", re.IGNORECASE))


def findings_in(text: str, path: str, rules: Rules) -> Iterator[Finding]:
    """By line; what goes over the end of a line is not found."""
    here = [one for one in rules.replaced if one.paths.search(path)]
    for number, line in enumerate(text.splitlines(), 1):
        plain = rules.kept.sub("", NAME_BOUNDS.sub(" ", line))
        for one in here:
            for found in one.words.finditer(plain):
                yield Finding(number, found.group(0), one.instead)


def files(root: Path) -> Iterator[Path]:
    """All texts that are checked."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", *CHECKED]
    listed = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout
    for name in listed.split("\0"):
        if name and Path(name).suffix in TEXTS and (root / name).is_file():
            yield root / name


def complaints(root: Path) -> list[str]:
    """A line for each finding."""
    rules = rules_in((root / LIST).read_text())
    return [
        f"{path.relative_to(root)}:{found.line}: {found.word}: say {found.instead}"
        for path in files(root)
        for found in findings_in(path.read_text(), str(path.relative_to(root)), rules)
    ]


if __name__ == "__main__":
    raise SystemExit(main(complaints, __doc__))
