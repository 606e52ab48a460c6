# SPDX-License-Identifier: Apache-2.0
"""What newer Pythons have of their own: the command also runs on a system's Python 3.9."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from enum import Enum
from itertools import tee
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any, TypeVar, overload

T = TypeVar("T")
U = TypeVar("U")
V = TypeVar("V")
OLDEST = (3, 9)

if sys.version_info >= (3, 11):
    from enum import StrEnum

    import tomllib as toml
else:
    import tomli as toml

    class StrEnum(str, Enum):
        """Its members are texts, and are shown as these."""

        def __str__(self) -> str:
            return str(self.value)


@contextmanager
def temporary_directory(prefix: str) -> Iterator[str]:
    """A directory for this while; that it cannot be removed is no error."""
    path = mkdtemp(prefix=prefix)
    try:
        yield path
    finally:
        rmtree(path, ignore_errors=True)


def pairwise(items: Iterable[T]) -> Iterator[tuple[T, T]]:
    """Each with the one after it."""
    first, second = tee(items)
    next(second, None)
    return zip(first, second)


@overload
def zipped(first: Iterable[T], second: Iterable[U], /) -> Iterator[tuple[T, U]]: ...
@overload
def zipped(first: Iterable[T], second: Iterable[U], third: Iterable[V], /) -> Iterator[tuple[T, U, V]]: ...
@overload
def zipped(*columns: Iterable[T]) -> Iterator[tuple[T, ...]]: ...
def zipped(*columns: Iterable[Any]) -> Iterator[tuple[Any, ...]]:
    """zip() of columns that must be equally long."""
    lists = [list(column) for column in columns]
    if len({len(column) for column in lists}) > 1:
        raise ValueError(f"{' and '.join(str(len(column)) for column in lists)} items do not pair up")
    return zip(*lists)


__all__ = ["OLDEST", "StrEnum", "pairwise", "temporary_directory", "toml", "zipped"]
