# SPDX-License-Identifier: Apache-2.0
"""A program and what is looked at of it, as apps/NAME/app.toml says (docs/how-to/run-real-programs.md)."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar

from espalier import words
from espalier.failure import Failure
from espalier.installation import ROOT

FOLDER = ROOT / "apps"
DESCRIPTION = "app.toml"

T = TypeVar("T")


@dataclass(frozen=True)
class Quantity:
    """Part of a result: what the groups of `pattern` match, everywhere. With a tolerance, numbers may differ by it."""

    name: str
    pattern: str
    file: str = ""  # that the program writes; empty: what it prints
    absolute: float = 0.0
    relative: float = 0.0
    why: str = ""  # the tolerance is as it is


@dataclass(frozen=True)
class Pairs:
    """Runs for `espalier pairs`, of two ranks: 2 to 15 s each, as shorter ones say little and longer ones are few."""

    runs: list[str] = field(default_factory=list)  # in the place of the app's
    seconds: str = ""  # as the app's, of the part that counts
    mpis: list[str] = field(default_factory=list)  # of scripts/setup: under these, too, by what their Python has


@dataclass(frozen=True)
class App:
    name: str  # of the folder
    title: str
    about: str  # what it computes here
    packages: list[str]  # of Debian
    ranks: int
    runs: list[str]  # one MPI job after the other, each as written behind the launcher and its options
    results: list[Quantity]
    setup: str = ""  # what scripts/setup installs under that name, too; the program is linked to Open MPI 5 then
    seconds: str = ""  # a pattern: what the program prints of its own time; empty: whole runs count
    long_runs: list[str] = field(default_factory=list)  # in the place of `runs` where times are compared
    pairs: Pairs | None = None  # of those that `espalier pairs` takes by default
    files: list[str] = field(default_factory=list)  # on top of those in the folder
    prepare: list[str] = field(default_factory=list)  # one process each, without Espalier, before the runs
    environment: dict[str, str] = field(default_factory=dict)
    least_share: float = 0.9  # of the calls among several ranks that are to run on own schedules

    @property
    def inputs(self) -> list[Path]:
        """All that is copied to where it runs."""
        siblings = sorted(path for path in (FOLDER / self.name).glob("*") if path.name != DESCRIPTION)
        return [*siblings, *(ROOT / file for file in self.files)]


def names() -> list[str]:
    return sorted(path.parent.name for path in FOLDER.glob(f"*/{DESCRIPTION}"))


def chosen(wanted: list[str]) -> list[App]:
    """Those of these names; all, if none is named."""
    return [read(name) for name in words.checked("PROGRAM", wanted or names(), names())]


def read(name: str) -> App:
    path = FOLDER / name / DESCRIPTION
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8-sig"))
        quantities = [made(Quantity, quantity) for quantity in raw.pop("result")]
        for quantity in quantities:
            check_pattern(quantity)
        pairs = made(Pairs, raw.pop("pairs")) if "pairs" in raw else None
        app = made(App, {**raw, "name": name, "results": quantities, "pairs": pairs})
        for seconds in (app.seconds, pairs.seconds if pairs else ""):
            if seconds and re.compile(seconds).groups != 1:
                raise ValueError("seconds: the pattern needs one group")
        return app
    except (OSError, KeyError, TypeError, ValueError, re.error) as error:
        raise Failure(f"{path}: {error}") from error


def made(kind: type[T], raw: Mapping[str, Any]) -> T:
    """A dataclass of these fields; refuses others, and says what is missing."""
    known = {one.name: one for one in fields(kind)}  # type: ignore[arg-type]
    for key in raw:
        if key not in known:
            raise ValueError(f"{key}: unknown; {words.advice(key, list(known))}")
    for key, one in known.items():
        if key not in raw and one.default is MISSING and one.default_factory is MISSING:
            raise ValueError(f"{key} is missing")
    return kind(**raw)


def check_pattern(quantity: Quantity) -> None:
    if re.compile(quantity.pattern).groups == 0:
        raise ValueError(f"{quantity.name}: the pattern has no group, so it reads nothing")
    if (quantity.absolute or quantity.relative) and not quantity.why:
        raise ValueError(f"{quantity.name}: a tolerance must say why")
