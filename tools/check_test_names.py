#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the names of tests to one style: a sentence in snake_case, *thing does what when*, of three words or more.

Looks at TEST, TEST_F, TEST_P and their typed forms in C++, and at test functions in Python. Prints what is wrong, with
file and line, and ends with 1 if there was anything. With --fix, names in CamelCase are written in snake_case first.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import checking

LEAST_WORDS = 3

SENTENCE = re.compile(r"[a-z0-9]+(_[a-z0-9]+)*")
CPP_TEST = re.compile(r"^[ \t]*(?:TYPED_)?TEST(?:_F|_P)?\(\s*(?P<suite>\w+)\s*,\s*(?P<name>\w+)\s*\)", re.MULTILINE)
PYTHON_TEST = re.compile(r"^[ \t]*(?:async )?def test_(?P<name>\w+)\(", re.MULTILINE)
PATTERNS = {".cpp": CPP_TEST, ".hpp": CPP_TEST, ".py": PYTHON_TEST}


@dataclass(frozen=True)
class Named:
    """One test."""

    place: str  # file and line
    suite: str  # "" in Python
    name: str


def sources(root: Path) -> Iterator[Path]:
    """All files in which tests may stand."""
    for path in sorted((root / "tests").rglob("*")):
        if path.suffix in PATTERNS and path.is_file():
            yield path


def tests_of(path: Path, root: Path) -> Iterator[Named]:
    text = path.read_text()
    for found in PATTERNS[path.suffix].finditer(text):
        line = text.count("\n", 0, found.start("name")) + 1
        yield Named(f"{path.relative_to(root)}:{line}", found.groupdict().get("suite", ""), found["name"])


def wrong_name(name: str) -> str | None:
    """What is wrong with a name; None: nothing."""
    if SENTENCE.fullmatch(name) is None:
        return f"is not in snake_case; write {snake_case(name)}"
    if len(name.split("_")) < LEAST_WORDS:
        return f"is shorter than {LEAST_WORDS} words; say what the thing does, and when"
    return None


def snake_case(name: str) -> str:
    """The same words: `FindsWhatMPIsSay` is `finds_what_mpis_say`."""
    apart = re.sub(r"([A-Z]+)([A-Z][a-z]{2,})", r"\1_\2", name)
    apart = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", apart)
    apart = re.sub(r"([a-z])([0-9])", r"\1_\2", apart)
    return re.sub(r"__+", "_", apart).strip("_").lower()


def complaints(root: Path) -> list[str]:
    """All that is wrong in a project."""
    found = []
    for path in sources(root):
        for test in tests_of(path, root):
            wrong = wrong_name(test.name)
            if wrong is not None:
                found.append(f"{test.place}: test {test.name} {wrong}")
    return found


def renamed(text: str, pattern: re.Pattern[str]) -> str:
    """With snake_case in the place of CamelCase, where that makes no two tests of a suite the same."""
    tests = [(found.groupdict().get("suite", ""), found["name"]) for found in pattern.finditer(text)]
    after = Counter((suite, snake_case(name)) for suite, name in tests)

    def rename(found: re.Match[str]) -> str:
        suite, name = found.groupdict().get("suite", ""), found["name"]
        if SENTENCE.fullmatch(name) is not None or after[suite, snake_case(name)] > 1:
            return found[0]
        start, end = found.start("name") - found.start(), found.end("name") - found.start()
        return found[0][:start] + snake_case(name) + found[0][end:]

    return pattern.sub(rename, text)


def fix(root: Path) -> None:
    for path in sources(root):
        text = path.read_text()
        after = renamed(text, PATTERNS[path.suffix])
        if after != text:
            path.write_text(after)


def main() -> int:
    parser = checking.parser(__doc__)
    parser.add_argument("--fix", action="store_true", help="rename what is in CamelCase")
    options = parser.parse_args()
    if options.fix:
        fix(options.root)
    return checking.end(complaints(options.root))


if __name__ == "__main__":
    raise SystemExit(main())
