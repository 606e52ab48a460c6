# SPDX-License-Identifier: Apache-2.0
"""How srun is told which variables its processes get: one --export for each component of a job. Pure.

What the code below keeps to, as Slurm does it:
- `:` begins another component, wherever it stands. Its --export is its own, or else SRUN_EXPORT_ENV's or
  SLURM_EXPORT_ENV's; if neither is set, that of the component before.
- With ALL in the list, what srun's own environment has counts before what the list says of the same variable.
- Without ALL, a list passes on what it names; of two equal names the last one counts.
- NONE at the beginning makes srun ignore the rest of the list, so it cannot be extended.
- Quotes protect a comma, and stay part of the value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from espalier import several_programs
from espalier.failure import Failure
from espalier.older_python import zipped
from espalier.preloads import joined

PRELOAD = "LD_PRELOAD"
LISTS = ("SRUN_EXPORT_ENV", "SLURM_EXPORT_ENV")  # the first one that is set counts
SHORTEST_EXPORT = "--exp"  # long options may be cut short, as long as no other one begins alike

# Options after which the next word is not their value.
LETTERS_WITHOUT_VALUE = frozenset("EHhlOQsuvVXZ")
LETTERS_WITH_VALUE_ATTACHED = frozenset("IkK")
NAMES_WITHOUT_VALUE = (
    *("autocomplete", "compress", "contiguous", "debugger-test", "disable-status", "exact", "exclusive", "external"),
    *("get-user-env", "help", "hold", "immediate", "interactive", "kill-on-bad-exit", "label", "multi-prog", "nice"),
    *("no-allocate", "no-kill", "overcommit", "overlap", "oversubscribe", "preserve-env", "propagate", "pty", "quiet"),
    *("quit-on-interrupt", "reboot", "resv-ports", "send-libs", "share", "spread-job", "stepmgr", "unbuffered"),
    *("usage", "use-min-nodes", "verbose", "version", "wait-for-children", "whole", "x11"),
)
WITH_VALUE_ALL_THE_SAME = frozenset({"wait"})  # and not short for another one

ITEM = re.compile(r"""(?:'[^']*'|"[^"]*"|[^,])+""")


@dataclass(frozen=True)
class Exported:
    """What the list of one component says."""

    others: list[str]  # but for the preload
    preload: str | None  # by value
    has_all: bool
    is_preload_named: bool  # without a value

    @property
    def inherits_preload(self) -> bool:
        return self.has_all or self.is_preload_named


def described(
    rest: Sequence[str], preload: str, settings: Mapping[str, str], environment: Mapping[str, str]
) -> tuple[list[str], dict[str, str]]:
    """The arguments with the preload and the settings, and what has to change in srun's own environment.

    Settings hold commas, so they go by name alone, through srun's environment. The preload goes by value and so does
    not touch srun itself, unless the user's own already does: then only the environment can extend it.
    """
    if "," in preload:
        raise Failure(f"srun cannot pass on a preload whose path has a comma: {preload}", "Move Espalier elsewhere.")
    inherited = environment.get(PRELOAD, "")
    components = [without_export(component) for component in several_programs.split(rest)]
    lists = list(lists_of([given for given, _ in components], environment))
    words = [
        ["--export=" + extended(exported, inherited, preload, settings), *others]
        for exported, (_, others) in zipped(lists, components)
    ]
    is_inherited = inherited and any(exported.inherits_preload for exported in lists)
    changed = {PRELOAD: joined(inherited, preload)} if is_inherited else {}
    return several_programs.joined(words), changed


def lists_of(components: Iterable[str | None], environment: Mapping[str, str]) -> Iterator[Exported]:
    """Of each component, given what its own --export says."""
    of_environment = next((environment[name] for name in LISTS if name in environment), None)
    current = "ALL"
    for given in components:
        current = next(one for one in (given, of_environment, current) if one is not None)
        yield read(current)


def read(listed: str) -> Exported:
    items = ITEM.findall(listed)
    if items and items[0].upper() == "NONE":
        items = []
    has_all = any(item.upper() == "ALL" for item in items)
    preloads = [item for item in items if item.partition("=")[0] == PRELOAD]
    last = preloads[-1] if preloads else None
    return Exported(
        others=[item for item in items if item not in preloads and item.upper() != "NIL"],
        preload=last.partition("=")[2] if last and last != PRELOAD else None,
        has_all=has_all,
        is_preload_named=last == PRELOAD,
    )


def extended(exported: Exported, inherited: str, preload: str, settings: Mapping[str, str]) -> str:
    by_value = f"{PRELOAD}={joined(exported.preload, preload)}"
    is_inherited = inherited and exported.inherits_preload and exported.preload is None
    by_name = [] if exported.has_all else list(settings)
    return ",".join([*exported.others, PRELOAD if is_inherited else by_value, *by_name])


def without_export(component: Sequence[str]) -> tuple[str | None, list[str]]:
    """What the last --export of a component's options says, and all words but that. The command's own are its own."""
    given: str | None = None
    kept: list[str] = []
    at = 0
    while at < len(component) and is_option(component[at]):
        words = component[at : at + (2 if takes_next_word(component[at]) else 1)]
        if is_export(words[0]):
            given = words[1] if len(words) == 2 else words[0].partition("=")[2]
        else:
            kept += words
        at += len(words)
    return given, [*kept, *component[at:]]


def is_option(word: str) -> bool:
    return word.startswith("-") and word not in ("-", "--")


def is_export(word: str) -> bool:
    name = word.partition("=")[0]
    return name.startswith(SHORTEST_EXPORT) and "--export".startswith(name)


def takes_next_word(option: str) -> bool:
    if option.startswith("--"):
        name = option.removeprefix("--")
        is_alone = any(other.startswith(name) for other in NAMES_WITHOUT_VALUE) and name not in WITH_VALUE_ALL_THE_SAME
        return "=" not in name and not is_alone
    letters = option[1:].lstrip("".join(LETTERS_WITHOUT_VALUE))
    return len(letters) == 1 and letters not in LETTERS_WITH_VALUE_ATTACHED
