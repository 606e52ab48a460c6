# SPDX-License-Identifier: Apache-2.0
"""JSON from a file: somebody else may have written it. All that is wrong with it is a ValueError."""

from __future__ import annotations

import json
from dataclasses import MISSING, Field, field, fields
from pathlib import Path
from typing import Any, NoReturn, TypeVar, cast, get_args, get_origin, get_type_hints

from espalier.failure import Failure

T = TypeVar("T")
N = TypeVar("N", int, float)
LARGEST = 2**64


def signed(**options: Any) -> Any:
    """A field that may be less than 0."""
    return field(metadata={"signed": True}, **options)


def load(text: str) -> Any:
    """Numbers that JSON does not have are refused, and so is what is nested too deeply."""
    try:
        return json.loads(text, parse_constant=refuse)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def refuse(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number")


def dataclass_of(kind: type[T], raw: Any) -> T:
    """Its fields are texts, numbers of 0 or more unless signed(), and lists of these; others that the JSON has are
    passed over."""
    if not isinstance(raw, dict):
        raise ValueError("not an object")
    kinds = get_type_hints(kind)
    needed = [field for field in fields(cast(Any, kind)) if field.name in raw or is_required(field)]
    return kind(**{field.name: value_of(field.name, kinds[field.name], raw, is_signed(field)) for field in needed})


def is_required(field: Field[Any]) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def is_signed(field: Field[Any]) -> bool:
    return bool(field.metadata.get("signed"))


def value_of(name: str, kind: Any, raw: dict[str, Any], signed: bool = False) -> Any:
    if get_origin(kind) is list:
        (inner,) = get_args(kind)
        found = list_in(raw, name)
        for index, value in enumerate(found):
            check(f"'{name}[{index}]'", inner, value, signed)
        return found
    value = raw.get(name)
    check(f"'{name}'", kind, value, signed)
    return value


def check(what: str, kind: Any, value: Any, signed: bool = False) -> None:
    allowed = (int, float) if kind is float else (kind,)
    if type(value) not in allowed:
        raise ValueError(f"{what} must be of type {kind.__name__}")
    if isinstance(value, (int, float)) and not (-LARGEST if signed else 0) <= value < LARGEST:
        raise ValueError(f"{what} is out of range")


def list_in(raw: Any, name: str) -> list[Any]:
    """Of an object."""
    found = raw.get(name) if isinstance(raw, dict) else None
    if not isinstance(found, list):
        raise ValueError(f"'{name}' must be a list")
    return found


def rows_of(kind: type[T], file: Path, command: str) -> list[T]:
    """What that command has written."""
    if not file.exists():
        raise Failure(f"{file} does not exist.", f"Measure first: {command}")
    try:
        return [dataclass_of(kind, row) for row in load(file.read_text(encoding="utf-8-sig"))]
    except (OSError, TypeError, ValueError) as error:
        raise Failure(f"{file} cannot be read: {error}", f"Measure again: {command}") from error


def numbers_in(raw: Any, name: str, kind: type[N], signed: bool = False) -> tuple[N, ...]:
    """Of an object: numbers of 0 or more, unless signed."""
    found = list_in(raw, name)
    for value in found:
        check(f"what '{name}' lists", kind, value, signed)
    return tuple(found)
