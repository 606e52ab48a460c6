# SPDX-License-Identifier: Apache-2.0
"""A crude outline of a C++ source: its scopes and statements, by braces and semicolons.

Made for sources in this project's format, not for C++ at large: what the preprocessor would cut out or put in is not
seen, macros with braces are not expanded, and declarations of several variables count as one. Comments, texts of
literals and preprocessor lines are blanked first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

SOURCES = {".cpp", ".hpp", ".h"}

_HIDDEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:[^"\\\n]|\\.)*"'
    r"|(?<![0-9a-zA-Z_])'(?:[^'\\\n]|\\.)+'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*",
    re.DOTALL | re.MULTILINE,
)
_ATTRIBUTES = r"(?:\[\[[^\]]*\]\]\s*|alignas\([^)]*\)\s*|__attribute__\(\([^)]*\)\)\s*)*"
_TYPE = re.compile(
    rf"(?:^|[\s>])(?P<kind>enum\s+class|enum|class|struct|union)\s+{_ATTRIBUTES}(?P<name>[A-Za-z_][\w:]*)\b"
)
_AFTER_NAME = re.compile(r"^\s*(?:<.*>)?\s*(?:final\b)?\s*(?::[^:].*)?$", re.DOTALL)
_NAMESPACE = re.compile(r"\bnamespace\b|\bextern\s*\"\"\s*$")
_AFTER_PARAMETERS = re.compile(
    r"^\s*(?:const|noexcept|override|final|mutable|volatile|try|&&?|\[\[[^\]]*\]\]|\s)*(?:->.*|requires\b.*)?$"
)
_ALIAS = re.compile(r"\s*using\s+(\w+)\s*(?:\[\[[^\]]*\]\]\s*)?=")
_TEMPLATE = re.compile(r"^\s*template\s*<")


class Kind(Enum):
    """What a pair of braces encloses."""

    namespace = "namespace"
    type = "type"
    function = "function"
    other = "other"  # an initializer, a lambda, a block


@dataclass(frozen=True)
class Scope:
    """A pair of braces."""

    kind: Kind
    head: str  # what stands before it, from the end of the statement before
    line: int  # where its head begins
    name: str = ""  # a type's


@dataclass(frozen=True)
class Function:
    """A definition with a body, however short; lambdas are part of what they stand in."""

    file: Path
    line: int
    lines: int
    head: str


@dataclass(frozen=True)
class Statement:
    """What a semicolon ends, and in which scopes it stands."""

    file: Path
    line: int
    text: str
    scopes: tuple[Scope, ...]


@dataclass(frozen=True)
class Type:
    """A class, struct, union, enum or alias, of a namespace or of another type."""

    file: Path
    line: int
    name: str
    kind: str
    outer: tuple[str, ...]


@dataclass
class Outline:
    """Of one file."""

    functions: list[Function]
    statements: list[Statement]
    types: list[Type]


def blanked(text: str) -> str:
    """Without comments, literals and preprocessor lines, with the same lines."""

    def blank(found: re.Match[str]) -> str:
        rest = "\n" * found[0].count("\n")
        return ('""' if '"' in found[0][:9] and found[0][0] in 'R"' else "0" if found[0][0] == "'" else "") + rest

    return _HIDDEN.sub(blank, text)


def without_angles(head: str) -> str:
    """A head without its template parameters at the front."""
    if not _TEMPLATE.match(head):
        return head
    depth = 0
    for place, mark in enumerate(head):
        depth += (mark == "<") - (mark == ">" and head[place - 1] != "-")
        if mark == ">" and depth == 0:
            return without_angles(head[place + 1 :])
    return head


def _has_initializer(head: str) -> bool:
    """Whether there is an equals sign outside of parentheses that is not part of an operator's name."""
    depth = 0
    for place, mark in enumerate(head):
        depth += (mark in "([") - (mark in ")]")
        around = head[max(place - 1, 0) : place + 2]
        if mark == "=" and depth == 0 and not re.search(r"operator\s*\S{0,2}$", head[:place]) and "==" not in around:
            return around[0] not in "<>!"
    return False


def _is_function(head: str) -> bool:
    """Whether braces after this enclose a function's body."""
    if ")" not in head or _has_initializer(head):
        return False
    rest = head[head.rindex(")") + 1 :]
    if re.match(r"\s*[,:](?!:)", rest):  # what a constructor initializes
        return rest.rstrip().endswith("}")
    return bool(_AFTER_PARAMETERS.match(rest)) or (
        "->" in head and re.search(r"\)\s*(?:const\s*)?->[^;]*$", head) is not None
    )


def _scope(head: str, line: int, outer: Kind) -> Scope:
    if outer in (Kind.function, Kind.other):
        return Scope(Kind.other, head, line)
    plain = without_angles(head)
    if _NAMESPACE.search(plain):
        return Scope(Kind.namespace, head, line)
    found = _TYPE.search(plain)
    if found is not None and _AFTER_NAME.match(plain[found.end() :]):
        return Scope(Kind.type, head, line, found["name"].split("::")[-1])
    return Scope(Kind.function if _is_function(plain) else Kind.other, head, line)


def outline(file: Path) -> Outline:
    """Reads a source."""
    made = Outline([], [], [])
    for ended in _walk(file, blanked(file.read_text())):
        if isinstance(ended, Function):
            made.functions.append(ended)
        elif isinstance(ended, Type):
            made.types.append(ended)
        else:
            made.statements.append(ended)
            made.types.extend(_alias(ended))
    return made


def _alias(ended: Statement) -> Iterator[Type]:
    """The type that a statement names, but for a function's own, and one that has the name already."""
    alias = _ALIAS.match(without_angles(ended.text))
    is_local = any(scope.kind in (Kind.function, Kind.other) for scope in ended.scopes)
    if alias and not is_local and not re.search(rf"::{alias[1]}$", ended.text):
        yield Type(ended.file, ended.line, alias[1], "using", _outer(ended.scopes))


def _outer(scopes: tuple[Scope, ...]) -> tuple[str, ...]:
    return tuple(scope.name for scope in scopes if scope.kind is Kind.type)


def _walk(file: Path, text: str) -> Iterator[Function | Statement | Type]:
    """Everything, in the order in which it ends."""
    scopes: list[tuple[Scope, str, int, int]] = []  # and what stood before it: head, line, depth of parentheses
    head, begin, depth, line = "", 0, 0, 1
    for mark in text:
        kind = scopes[-1][0].kind if scopes else Kind.namespace
        if mark == "\n":
            line += 1
        if mark == "{":
            opened = Scope(Kind.other, head, begin or line) if depth else _scope(head, begin or line, kind)
            if opened.kind is Kind.type and opened.name:
                found = _TYPE.search(without_angles(head))
                outer = _outer(tuple(scope for scope, *_ in scopes))
                yield Type(file, opened.line, opened.name, found["kind"] if found else "", outer)
            scopes.append((opened, head, begin or line, depth))
            head, begin, depth = "", 0, 0
        elif mark == "}" and scopes:
            closed, before, begin, depth = scopes.pop()
            if closed.kind is Kind.function:
                yield Function(file, closed.line, line - closed.line + 1, " ".join(closed.head.split()))
            goes_on = closed.kind in (Kind.type, Kind.other) and kind is not Kind.namespace
            head, begin = (before + "{}", begin) if goes_on else ("", 0)
            if closed.kind is Kind.other and scopes and scopes[-1][0].kind in (Kind.function, Kind.other) and not depth:
                head, begin = (
                    ("", 0)
                    if re.search(r"\)\s*(?:constexpr)?\s*$|\b(?:else|do|try)\s*$|^\s*$", before)
                    else (head, begin)
                )
        elif mark == ";" and not depth:
            if head.strip():
                yield Statement(file, begin or line, " ".join(head.split()), tuple(scope for scope, *_ in scopes))
            head, begin = "", 0
        else:
            depth += (mark in "([") - (mark in ")]")
            head += mark
            begin = begin or (line if not mark.isspace() else 0)
            if mark == ":" and re.fullmatch(r"\s*(?:public|private|protected)\s*:", head):
                head, begin = "", 0


def sources_of(folder: Path) -> list[Path]:
    """All C++ files below a folder, in order."""
    return [path for path in sorted(folder.rglob("*")) if path.suffix in SOURCES and path.is_file()]
