# SPDX-License-Identifier: Apache-2.0
"""How all calls of a series are done, one after the other, each in a job of its own.

native            what the MPI chooses
policy:NAME       Espalier by that policy, and nobody tells it what the network is
warm:NAME         the same in a second job, which has the memory of the first one; that one does not count
described:NAME    the same with a description of the network
fixed:ALGORITHM   one of Espalier's algorithms all the time, and no description; fixed:* are all of the collective's
"""

from collections.abc import Iterator, Sequence

from espalier.functions import COLLECTIVES
from espalier.installation import Installation

NATIVE, POLICY, WARM, DESCRIBED, FIXED = "native", "policy", "warm", "described", "fixed"
CHOOSING = (POLICY, WARM, DESCRIBED)
EVERY_FIXED = f"{FIXED}:*"
NO_DESCRIPTION = {"ESPALIER_TOPOLOGY": ""}

# What does its calls by alltoall, and is measured as a whole (transform.py).
TRANSFORM = "transform"
NAS_FT = "nas-ft"


def collective_of(function: str) -> str:
    """As settings of Espalier call it."""
    return "alltoall" if function == TRANSFORM else COLLECTIVES[function]


def kind_of(variant: str) -> str:
    return variant.partition(":")[0]


def is_fixed(variant: str) -> bool:
    return kind_of(variant) == FIXED


def settings_of(variant: str) -> dict[str, str]:
    """Which algorithm is fixed is not among them."""
    kind, _, name = variant.partition(":")
    policy = {"ESPALIER_POLICY": name} if kind in CHOOSING else {}
    return policy if kind == DESCRIBED else {**policy, **NO_DESCRIPTION}


def variant_of(variant: str) -> str:
    """As the program that measures calls it."""
    kind, _, name = variant.partition(":")
    return {NATIVE: "native", FIXED: f"espalier:{name}"}.get(kind, "espalier")


def expanded(installation: Installation, series_variants: Sequence[str], function: str) -> Iterator[str]:
    for variant in series_variants:
        if variant != EVERY_FIXED:
            yield variant
            continue
        for one in installation.ask_tool(["algorithms"])["algorithms"]:
            exists_everywhere = not one["needs_a_network"] and one["ranks"] == "any"
            if one["collective"] == collective_of(function) and exists_everywhere:
                yield f"{FIXED}:{one['name']}"
