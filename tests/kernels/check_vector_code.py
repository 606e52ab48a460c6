#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads the kernels' instructions: all are vector code, none is fused, and nothing leaks to other source files.

usage: check_vector_code.py OBJDUMP OBJECT...   (objects other than loops_*.o are ignored)
"""

import re
import subprocess
import sys
from collections.abc import Iterator

# The arithmetic of packed data by which an operation is recognised, without the v of AVX.
PACKED = {
    "Max": r"(p?max|pcmpgt|psubus)",
    "Min": r"(p?min|pcmpgt|psubus)",
    "Sum": r"(padd|addp[sd])",
    "Prod": r"(pmul|mulp[sd])",
    "Land": r"p(cmp|and)",
    "Lor": r"p(cmp|or)",
    "Lxor": r"p(cmp|xor)",
    "Band": r"pand",
    "Bor": r"por",
    "Bxor": r"pxor",
    "PlainComplexProd": r"mulp[sd]",
    "complex_sum": r"addp[sd]",
}
# What SSE2 cannot do with 64-bit integers.
BASELINE_LACKS = {(op, t) for op in ("Max", "Min", "Prod", "Land", "Lor", "Lxor") for t in ("long", "unsigned long")}
FORMS = 3  # loops per kernel: into the left operand, into the right one, into a third place

INTEGERS = ("char", "short", "int", "long")
EXPECTED = (
    {(op, f"unsigned {t}") for op in PACKED if op[0].isupper() and "Complex" not in op for t in INTEGERS}
    | {(op, t) for op in ("Max", "Min") for t in ("signed char", "short", "int", "long", "float", "double")}
    | {(op, t) for op in ("Sum", "Prod") for t in ("float", "double")}
    | {("complex_sum", t) for t in ("float", "double")}
)
COMPLEX_PRODUCTS = {("PlainComplexProd", f"Pair<{t}>") for t in ("float", "double")}


def functions(objdump: str, path: str) -> dict[tuple[str, str], list[str]]:
    """(operation, type) -> its mnemonics."""
    text = subprocess.run([objdump, "-d", "-C", "--no-show-raw-insn", path], check=True, capture_output=True, text=True)
    found = {}
    for block in text.stdout.replace("espalier::(anonymous namespace)::", "").split("\n\n"):
        name = re.search(r"^[0-9a-f]+ <void (?:combine<(\w+), (.*?) ?>|(complex_\w+)<(.*?)>)\(", block, re.M)
        if name:
            key = (name[1], name[2]) if name[1] else (name[3], name[4])
            found[key] = re.findall(r"^ +[0-9a-f]+:\t(\w+)", block, re.M)
    return found


def level_of(path: str) -> str | None:
    name = re.search(r"loops_(\w+)\.", path)
    return name and name[1]


def problems(objdump: str, path: str) -> Iterator[str]:
    level = level_of(path)
    found = functions(objdump, path)
    expected = EXPECTED | (set() if level == "avx512" else COMPLEX_PRODUCTS)
    for key in sorted(expected):
        if level == "baseline" and key in BASELINE_LACKS:
            continue
        mnemonics = found.get(key)
        if mnemonics is None:
            yield f"{level}: no kernel {key}"
        elif sum(bool(re.match("v?" + PACKED[key[0]], m)) for m in mnemonics) < FORMS:
            yield f"{level}: {key} is not vector code in all {FORMS} forms"
    for key, mnemonics in sorted(found.items()):
        if any(m.startswith(("vfm", "vfnm")) for m in mnemonics):
            yield f"{level}: {key} has fused multiply-adds"
    symbols = subprocess.run([objdump, "-t", "-C", path], check=True, capture_output=True, text=True).stdout
    for line in symbols.splitlines():
        if re.match(r"[0-9a-f]+ +[wu]", line):
            yield f"{level}: a symbol that the linker could share: {line}"


def main() -> None:
    objdump, *paths = sys.argv[1:]
    objects = [path for path in paths if level_of(path)]
    if len(objects) != 3:
        sys.exit(f"expected the objects of 3 instruction sets, found {objects}")
    found = [problem for path in objects for problem in problems(objdump, path)]
    print("\n".join(found) or f"all kernels are vector code: {', '.join(objects)}")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
