# SPDX-License-Identifier: Apache-2.0
"""Every fenced `console` and `bash` block of the README and of the tutorial is run, from the project's root.

A bash block is one script. In a console block, lines that begin with "$ " are commands, and the lines below are what
they print, in this order: numbers and times may differ, and "..." stands for any lines.
"""

import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from espalier.failure import Failure
from espalier_lab.network import namespaces

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "docs/tutorial/first-run.md")

FENCED = re.compile(r"^```(console|bash)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
VARIABLE = re.compile(r"[\d,]*\d(?:\.\d+)?(?:e[+-]?\d+)?(?: ?(?:ns|us|ms|s)\b)?|[-=─━]{3,}|/\S+")
TIMEOUT_SECONDS = 600


@dataclass
class Command:
    document: str
    text: str
    expected: list[str] = field(default_factory=list)


def commands_in(document: str) -> list[Command]:
    result: list[Command] = []
    for kind, body in FENCED.findall((ROOT / document).read_text()):
        if kind == "bash":
            result.append(Command(document, body.strip()))
            continue
        for line in body.splitlines():
            if line.startswith("$ "):
                result.append(Command(document, line.removeprefix("$ ")))
            else:
                result[-1].expected.append(line)
    return result


def pattern_of(line: str) -> str:
    """Numbers and times may be others, and so may the width of columns."""
    parts = VARIABLE.split(" ".join(line.split()))
    return r"\S*?(?: ?(?:ns|us|ms|s)\b)?".join(re.escape(part).replace(r"\ ", r"\s+") for part in parts)


def missing_line(expected: list[str], printed: str) -> str | None:
    """The first expected line that does not occur, in order; None if all do."""
    at = 0
    for line in expected:
        if not line.strip() or line.strip() == "...":
            continue
        found = re.compile(r"^\s*" + pattern_of(line) + r"\s*$", re.MULTILINE).search(printed, at)
        if found is None:
            return line
        at = found.end()
    return None


def lab_is_allowed() -> bool:
    try:
        namespaces.require()
    except Failure:
        return False
    return True


def without_lab(expected: list[str]) -> list[str]:
    """Where network namespaces are not allowed, the demonstration says so and ends."""
    heading = next((k for k, line in enumerate(expected) if line.startswith("The lab:")), len(expected))
    return expected[: heading + 1]


def every_command() -> list[Command]:
    return [command for document in DOCUMENTS if (ROOT / document).exists() for command in commands_in(document)]


@pytest.mark.parametrize(
    "command", every_command(), ids=lambda command: f"{command.document}: {command.text.splitlines()[0]}"
)
def test_a_snippet_does_what_the_text_says(command: Command) -> None:
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command.text],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=TIMEOUT_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    expected = command.expected if lab_is_allowed() else without_lab(command.expected)
    line = missing_line(expected, done.stdout)
    assert line is None, f"not printed: {line}\n--- printed:\n{done.stdout}"


def test_the_readme_has_snippets() -> None:
    assert len(commands_in("README.md")) >= 3


def test_numbers_may_differ_and_words_may_not() -> None:
    assert missing_line(["ring   12.5 us  1,024"], "noise\nring 3 ms 7\n") is None
    assert missing_line(["ring 12.5 us"], "tree 12.5 us\n") is not None


def test_lines_must_come_in_order() -> None:
    assert missing_line(["a", "...", "b"], "a\nx\nb\n") is None
    assert missing_line(["b", "a"], "a\nb\n") is not None
