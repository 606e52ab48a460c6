#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes what comes from the command's own declarations: a manual page for each command, by what its --help says, and
the words that bash, zsh and fish complete.

For example: PYTHONPATH=python tools/write_manual.py build/command
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from typer._completion_shared import get_completion_script
from typer.main import get_group

from espalier import cli
from espalier.commands import COMMANDS, HERE

SECTION = 1
PROGRAM = "espalier"
WHERE = {"bash": "espalier", "zsh": "_espalier", "fish": "espalier.fish"}


def plain(text: str) -> str:
    """A line's text for troff: as it stands, also if it begins with a dot."""
    text = text.replace("./espalier", PROGRAM).replace("\\", "\\e").replace("-", "\\-")
    text = re.sub(r"`([^`]*)`", r"\\fB\1\\fR", text)
    return "\\&" + text if text.startswith((".", "'")) else text


def body(text: str) -> Iterator[str]:
    """Paragraphs and lists of a help text."""
    for line in (text or "").strip().splitlines():
        line = line.strip()
        if not line:
            yield ".PP"
        elif line.startswith("- "):
            yield from (".TP 2", "\\(bu", plain(line[2:]))
        else:
            yield plain(line)


def words_of(parameter: Any, context: Any) -> tuple[str, str]:
    """An option or argument as --help has it: how it is written, and what it means."""
    record = parameter.get_help_record(context)
    if record:
        return record[0], record[1]
    return parameter.make_metavar(context), getattr(parameter, "help", "") or ""


def parameters(command: Any, context: Any, kind: str) -> Iterator[str]:
    for parameter in command.get_params(context):
        if parameter.param_type_name == kind and not getattr(parameter, "hidden", False):
            written, meaning = words_of(parameter, context)
            yield from (".TP", f"\\fB{plain(written)}\\fR", plain(meaning))


def section(title: str, lines: list[str]) -> list[str]:
    return [f".SH {title}", *lines] if lines else []


def synopsis(command: Any, context: Any, name: str) -> str:
    pieces = " ".join(command.collect_usage_pieces(context))
    return f"\\fB{plain(name)}\\fR {plain(pieces)}"


def entries(command: Any, name: str, context_of: Any) -> Iterator[tuple[str, Any, Any]]:
    """It and the commands below it, each with its whole name."""
    context = context_of(command, name)
    yield name, command, context
    for inner, one in getattr(command, "commands", {}).items():
        yield from entries(one, f"{name} {inner}", context_of)


def context_of(command: Any, name: str) -> Any:
    return command.context_class(command, info_name=name)


def head(name: str, version: str) -> str:
    return f'.TH {name.replace(" ", "-").upper()} {SECTION} "" "Espalier {version}"'


def page(command: Any, name: str, version: str) -> str:
    found = list(entries(command, name, context_of))
    first_line = command.help.strip().split("\n\n")[0].replace("\n", " ")
    lines = [head(name, version), ".SH NAME", f"{plain(name.replace(' ', '-'))} \\- {plain(first_line)}"]
    lines += section("SYNOPSIS", [part for one in found for part in (synopsis(one[1], one[2], one[0]), ".br")][:-1])
    lines += section("DESCRIPTION", list(body(command.help)))
    for title, kind in (("ARGUMENTS", "argument"), ("OPTIONS", "option")):
        lines += section(title, list(parameters(command, found[0][2], kind)))
    for whole, inner, context in found[1:]:
        lines += [f'.SH "{plain(whole)}"', *body(inner.help)]
        for kind in ("argument", "option"):
            lines += parameters(inner, context, kind)
    return "\n".join([*lines, ".SH SEE ALSO", f"\\fB{PROGRAM}\\fR({SECTION})"]) + "\n"


def overview(group: Any, commands: dict[str, Any], version: str) -> str:
    context = context_of(group, PROGRAM)
    lines = [head(PROGRAM, version), ".SH NAME", f"{PROGRAM} \\- {plain(group.help)}"]
    lines += section("SYNOPSIS", [synopsis(group, context, PROGRAM)])
    lines += section("OPTIONS", list(parameters(group, context, "option")))
    lines.append(".SH COMMANDS")
    for name, command in commands.items():
        shown = command.help.strip().split("\n\n")[0].replace("\n", " ")
        lines += [".TP", f"\\fB{PROGRAM}\\-{name}\\fR({SECTION})", plain(shown)]
    return "\n".join(lines) + "\n"


def completion(shell: str) -> str:
    return get_completion_script(prog_name=PROGRAM, complete_var=cli.COMPLETION, shell=shell) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--version", default="", help="of Espalier, for the pages' last line")
    given = parser.parse_args()
    group = get_group(cli.app)
    context = context_of(group, PROGRAM)
    commands = {name: group.get_command(context, name) for name, package in COMMANDS.items() if package == HERE}
    pages = {PROGRAM: overview(group, commands, given.version)}
    pages |= {f"{PROGRAM}-{name}": page(one, f"{PROGRAM} {name}", given.version) for name, one in commands.items()}
    for folder in ("man", *WHERE):
        (given.directory / folder).mkdir(parents=True, exist_ok=True)
    for name, text in pages.items():
        (given.directory / "man" / f"{name}.{SECTION}").write_text(text)
    for shell, file in WHERE.items():
        (given.directory / shell / file).write_text(completion(shell))


if __name__ == "__main__":
    main()
