# SPDX-License-Identifier: Apache-2.0
"""The rules as coll/tuned of Open MPI 6 reads them, as JSON. The first rule that holds counts.

Its reader of the older text takes the size of a communicator in a line for the end of a range, where Open MPI 4 and 5
take it for the beginning. So these rules are never written as text for it.
"""

from __future__ import annotations

import json
from typing import Any

from espalier.memory.export.openmpi_counterparts import Tuned
from espalier.memory.export.rules import UNBOUNDED, Rule, Rules

VERSION = 3
OWN_RULE = "ignore"
LARGEST_COMMUNICATOR = 2**31 - 1


def json_text(rules: Rules[Tuned], ranks: int, nodes: int) -> str:
    tree = {
        "rule_file_version": VERSION,
        "module": "tuned",
        "collectives": {
            function: communicators(rules.of(function), ranks, distribution(ranks, nodes))
            for function in rules.functions
        },
    }
    return json.dumps(tree, indent=1) + "\n"


def distribution(ranks: int, nodes: int) -> str:
    """Where the ranks must be, as far as can be said: what was learnt on one node is not for several."""
    if nodes == 1:
        return "single-node"
    return "one-per-node" if nodes == ranks else "any"


def communicators(rules: list[Rule[Tuned]], ranks: int, placed: str) -> list[dict[str, Any]]:
    ours = [message(rule.low, rule.high, rule.native) for rule in rules]
    own = {"msg_size_min": 0, "msg_size_max": "inf", "alg": OWN_RULE}
    return [
        {
            "comm_size_min": ranks,
            "comm_size_max": ranks,
            "comm_rank_distribution": placed,
            "rules": [*ours, own],
        },
        {
            "comm_size_min": 0,
            "comm_size_max": LARGEST_COMMUNICATOR,
            "comm_rank_distribution": "any",
            "rules": [own],
        },
    ]


def message(low: int, high: int, tuned: Tuned) -> dict[str, Any]:
    largest = "inf" if high >= UNBOUNDED else high
    return {
        "msg_size_min": low,
        "msg_size_max": largest,
        "alg": tuned.algorithm,
        "faninout": tuned.fanout,
        "seg_size": tuned.segment,
        "reqs": tuned.requests,
    }
