# SPDX-License-Identifier: Apache-2.0
"""Values as TOML: what tomllib reads from the text is what was written, in the same order."""

import json
import re
from collections.abc import Iterator
from typing import Any

BARE = re.compile(r"[A-Za-z0-9_-]+")


def document(values: dict[str, Any], comment: str) -> str:
    return "\n".join([f"# {comment}", *lines_of(values)]) + "\n"


def lines_of(values: dict[str, Any]) -> Iterator[str]:
    """Lists of tables come last, each table with a heading of its own."""
    tables = {name: value for name, value in values.items() if is_list_of_tables(value)}
    for name, value in values.items():
        if name not in tables:
            yield f"{key_of(name)} = {value_of(value)}"
    for name, value in tables.items():
        for table in value:
            yield f"\n[[{key_of(name)}]]"
            for key, part in table.items():
                yield f"{key_of(key)} = {value_of(part)}"


def is_list_of_tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, dict) for one in value)


def key_of(name: str) -> str:
    return name if BARE.fullmatch(name) else text_of(name)


def text_of(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def value_of(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return text_of(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key_of(key)} = {value_of(part)}" for key, part in value.items()) + "}"
    if is_list_of_tables(value):
        return "[\n" + "".join(f"  {value_of(one)},\n" for one in value) + "]"
    if isinstance(value, list):
        return "[" + ", ".join(map(value_of, value)) + "]"
    if isinstance(value, int | float):
        return repr(value)
    return str(value.isoformat())  # dates and times
