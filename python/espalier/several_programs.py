# SPDX-License-Identifier: Apache-2.0
"""The words of a launch of several programs: to every launcher that can do so, `:` begins the next one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

SEPARATOR = ":"


def split(words: Iterable[str]) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    for word in words:
        if word == SEPARATOR:
            parts.append([])
        else:
            parts[-1].append(word)
    return parts


def joined(parts: Iterable[Sequence[str]]) -> list[str]:
    return [word for part in parts for word in (SEPARATOR, *part)][1:]
