# SPDX-License-Identifier: Apache-2.0
"""In the place of the program that measures: writes into the memory what MPI jobs would learn, without any MPI.

    tuned_program.py --collective NAME --bytes N ... ; ESPALIER_MEMORY says where

It writes its words into the file of TUNED_LOG, a line for each job. TUNED_FAIL: of which words it fails; TUNED_HANG: of
which it never ends, whatever signal comes; TUNED_MUTE: of which it learns nothing; TUNED_RANKS: how many there are.
"""

import json
import os
import re
import signal
import sys
import time
from pathlib import Path

import memories

from espalier.memory import contents
from espalier.tune.pieces import Piece


def main() -> None:
    words = dict(zip(sys.argv[1::2], sys.argv[2::2], strict=True))
    line = " ".join(words[name] for name in ("--collective", "--bytes", "--numbers"))
    with Path(os.environ["TUNED_LOG"]).open("a") as log:
        log.write(line + "\n")
    if is_named_in("TUNED_FAIL", line):
        sys.exit("something \x1b[2J went wrong")
    if is_named_in("TUNED_HANG", line):
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)
        time.sleep(600)
    if not is_named_in("TUNED_MUTE", line):
        learn(Piece(words["--collective"], int(words["--bytes"]), words["--numbers"]))
    print(json.dumps({"rows": [{"each": [1e-4] * int(words["--series"])}]}))


def is_named_in(name: str, line: str) -> bool:
    return bool(os.environ.get(name)) and re.search(os.environ[name], line) is not None


def learn(piece: Piece) -> None:
    ranks = int(os.environ.get("TUNED_RANKS", "4"))
    key = piece.key(ranks)
    block = memories.context(
        key.collective,
        key.bytes,
        key.bytes * (2 if key.arithmetic == "exact" else 1) - (key.arithmetic == "exact" and key.bytes > 0),
        "ring,segment=64KiB",
        "native",
        root=0 if key.collective in contents.ROOTED else None,
        arithmetic=key.arithmetic,
        uneven=key.uneven,
    )
    path = Path(os.environ["ESPALIER_MEMORY"]) / f"{memories.FINGERPRINT}.toml"
    text = path.read_text() if path.exists() else memories.text(ranks=ranks)
    path.write_text(text + block)


main()
