# SPDX-License-Identifier: Apache-2.0
"""A network of the lab, in words."""

from espalier import units
from espalier_lab.network.plan import Plan


def describe(plan: Plan) -> str:
    shaped = [cable for cable in plan.cables if cable.rate_bits is not None]
    rate = min((cable.rate_bits or 0) for cable in shaped) / 1e6
    hosts, links = units.plural(len(plan.hosts), "host"), units.plural(len(shaped), "link")
    return f"{plan.spec}: {hosts}, {links} of {rate:g} Mbit/s in each direction"
