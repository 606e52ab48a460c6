#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the variables of src that outlive all functions against "What is global" in how-a-call-travels.md.

Those are what namespaces define, what is `static` in a class or a function, and what a thread keeps, unless it is
constant. A row there has them, or the functions that keep them (`requests()`), in its first column, and their files in
the second. Prints what is wrong, and ends with 1 if there was anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from checking import main
from cpp_outline import Kind, Statement, outline, sources_of, without_angles

PAGE = "docs/explanation/how-a-call-travels.md"
HEADING = "## What is global"

NO_VARIABLE = re.compile(
    r"^(?:using|typedef|friend|static_assert|template|namespace|return|goto|asm|concept)\b|^(?:\w+ )?extern\b(?!.*[={])"
)
TYPE = re.compile(r"^(?:requires\b.*)?\b(?:enum|class|struct|union)\b[^(={]*(?:\{\})?$")
ASIDE = re.compile(r"\[\[[^\]]*\]\]|\balignas\s*\([^)]*\)|__attribute__\s*\(\(.*?\)\)")
POINTER_TO_FUNCTION = re.compile(r"^[^(]*\(\s*\*\s*(\w+)\s*\)\s*\(")
STORED = re.compile(r"^(?:inline\s+)?(?:static|thread_local)\b")
DECLARED = re.compile(r"([A-Za-z_]\w*)\s*$")
FUNCTION_NAME = re.compile(r"([\w~]+)\s*\(")
LISTED = re.compile(r"`([^`]+)`")


@dataclass(frozen=True)
class Global:
    """A variable, and the function or class that has it to itself."""

    file: Path
    line: int
    name: str
    owner: str = ""  # a function: "requests()"


def _type_and_name(text: str) -> str:
    """A declaration up to its initializer, without template arguments."""
    plain = re.split(r"(?<![=!<>])=(?!=)|\{", ASIDE.sub("", text), maxsplit=1)[0]
    while (shorter := re.sub(r"<[^<>]*>|\[[^\[\]]*\]", "", plain)) != plain:
        plain = shorter
    return plain.strip()


def _is_constant(declared: str) -> bool:
    """What a const stands before may be pointed to; then the pointer itself must be const, too."""
    return bool(re.search(r"\bconstexpr\b", declared)) or bool(re.search(r"\bconst\b[^*]*$", declared))


def _defines_nothing(text: str) -> bool:
    """Whether it can be no variable: a type, a declaration, a word that does something else."""
    plain = without_angles(text).strip()
    return NO_VARIABLE.match(plain) is not None or TYPE.match(plain) is not None


def variable(statement: Statement) -> Global | None:
    """What a statement defines, if that is global and changes."""
    text = ASIDE.sub("", statement.text).strip()
    inner = statement.scopes[-1] if statement.scopes else None
    kind = inner.kind if inner else Kind.namespace
    if (kind is not Kind.namespace and not STORED.match(text)) or _defines_nothing(text):
        return None
    declared = _type_and_name(text)
    pointer = POINTER_TO_FUNCTION.search(declared)
    in_function = [scope for scope in statement.scopes if scope.kind is Kind.function]
    if "(" in declared and not pointer and (not in_function or not STORED.match(text)):
        return None
    declared = declared if pointer else declared.split("(")[0].strip()
    name = pointer or DECLARED.search(declared)
    if name is None or _is_constant(declared) or "operator" in declared:
        return None
    found = FUNCTION_NAME.search(without_angles(in_function[-1].head)) if in_function else None
    return Global(statement.file, statement.line, name[1], f"{found[1]}()" if found else "")


def globals_of(root: Path) -> Iterator[Global]:
    """All of a project."""
    for file in sources_of(root / "src"):
        for statement in outline(file).statements:
            found = variable(statement)
            if found is not None:
                yield found


@dataclass(frozen=True)
class Row:
    """Of the tables."""

    names: tuple[str, ...]
    files: tuple[str, ...]  # from src

    def has(self, found: Global, sources: Path) -> bool:
        """Whether a variable stands here."""
        return str(found.file.relative_to(sources)) in self.files and not {found.name, found.owner}.isdisjoint(
            self.names
        )


def rows_of(page: str) -> list[Row]:
    """All of them below the heading."""
    section = page.split(HEADING, 1)[-1].split("\n## ", 1)[0]
    columns = [line.split("|") for line in section.splitlines() if line.startswith("| `")]
    return [Row(tuple(LISTED.findall(row[1])), tuple(LISTED.findall(row[2]))) for row in columns]


def complaints(root: Path) -> list[str]:
    """All that is wrong in a project."""
    rows = rows_of((root / PAGE).read_text())
    wrong, right = [], set()
    for found in globals_of(root):
        having = [row for row in rows if row.has(found, root / "src")]
        right |= {
            (row, word)
            for row in having
            for word in (found.name, found.owner, str(found.file.relative_to(root / "src")))
        }
        if not having:
            whose = f" of {found.owner}" if found.owner else ""
            place = f"{found.file.relative_to(root)}:{found.line}"
            wrong.append(
                f"{place}: `{found.name}`{whose} is global, but not in {PAGE}; hand it on, or say there whose it is"
            )
    stale = [word for row in rows for word in row.names + row.files if (row, word) not in right]
    return wrong + [
        f"{PAGE}: `{word}` stands in the tables of {HEADING!r}, but is nothing global there; take it out"
        for word in stale
    ]


if __name__ == "__main__":
    raise SystemExit(main(complaints, __doc__))
