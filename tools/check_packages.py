#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the Python packages to their order: each imports only itself and those before it. And to files that are short.

Prints what is wrong, with file and line and what to do, and ends with 1 if there was anything.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from checking import main

FOLDER = "python"
PACKAGES = ("espalier", "espalier_lab")  # in their order
MOST_LINES = 250


def imports_of(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and module, wherever in the file it is imported."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, name.name) for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.lineno, node.module


def wrong_imports(file: Path, text: str, later: tuple[str, ...]) -> Iterator[str]:
    for line, module in imports_of(ast.parse(text)):
        package = module.partition(".")[0]
        if package in later:
            yield (
                f"{file}:{line}: imports {module}, but {package} uses this package, not the other way; "
                f"move what is needed from {package} to here, or hand it in from there"
            )


def complaints(root: Path) -> list[str]:
    found: list[str] = []
    for place, package in enumerate(PACKAGES):
        for path in sorted((root / FOLDER / package).rglob("*.py")):
            file, text = path.relative_to(root), path.read_text()
            found += wrong_imports(file, text, PACKAGES[place + 1 :])
            if (lines := len(text.splitlines())) > MOST_LINES:
                found.append(f"{file}: {lines} lines; divide what has more than {MOST_LINES}")
    for path in sorted((root / FOLDER).iterdir()):
        if path.name not in PACKAGES:
            found.append(f"{path.relative_to(root)}: is no package of tools/check_packages.py; give it a place there")
    return found


if __name__ == "__main__":
    raise SystemExit(main(complaints, __doc__))
