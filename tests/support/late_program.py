# SPDX-License-Identifier: Apache-2.0
"""Stands for bench/late and bench/network: answers as they do, with times that are made up. A call takes a
millisecond; who is late delays all others where nobody is arranged, and nobody else once it is known who is late."""

import json
import sys
from itertools import pairwise

CALL = 1e-3
LEARNT_AFTER = {"swap": 9, "order": 4}
LEARNT_AGAIN_AFTER = {"swap": 6, "order": 2}  # after another rank is late


def is_learnt(variant: str, call: int, change_after: int) -> bool:
    arrangement = variant.partition("arrange=")[2]
    if variant.startswith("ideal:"):
        return True
    if change_after and call >= change_after:
        return call - change_after >= LEARNT_AGAIN_AFTER.get(arrangement, 10**9)
    return call >= LEARNT_AFTER.get(arrangement, 10**9)


def series(variant: str, options: dict[str, str]) -> dict[str, object]:
    delay = float(options.get("--delay", options.get("--most", "0")))
    change_after = int(options.get("--change-after", "0"))
    learnt = [is_learnt(variant, call, change_after) for call in range(int(options["--calls"]))]
    overall = [max(CALL, delay) if one else CALL + delay for one in learnt]
    mean = [CALL / 2 if one else CALL / 2 + delay / 2 for one in learnt]
    return {"variant": variant, "overall": overall, "mean": mean}


def surveyed(variant: str, seconds: list[float]) -> dict[str, object]:
    return {"bytes": 8, "variant": variant, "seconds": seconds, "cpu_busy": 0.5}


def main() -> None:
    options = dict(pairwise(sys.argv[1:]))
    variants = options["--variants"].split(";")
    if "forced:*" in variants:
        best = [surveyed("forced:chain", [2e-3] * 3), surveyed("forced:tree", [1e-3] * 3)]
        print(json.dumps({"rows": [surveyed("forced:linear", [1e-4]), *best, surveyed("native", [1e-3] * 3)]}))
        return
    if int(options["--bytes"]) == 13:
        sys.exit("13 is no size for me")
    turns = [variants[at % len(variants) :] + variants[: at % len(variants)] for at in range(int(options["--rounds"]))]
    measured = [one for turn in turns for one in turn]
    for variant in measured:
        print(variant, file=sys.stderr)
    print(json.dumps({"ranks": 8, "rows": [series(one, options) for one in measured]}))
    print("and UCX has its say")


main()
