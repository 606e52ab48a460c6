# SPDX-License-Identifier: Apache-2.0
"""What somebody else may have written: a value that was right, but for one place in it."""

import copy
from collections.abc import Sequence
from random import Random
from typing import Any

INTO_CONTAINERS = 0.8  # of the times that there is one; otherwise the whole of it is another value or gone
GONE = 0.2


def changed(value: Any, odd: Sequence[Any], chance: Random) -> Any:
    """One value of it, at any depth, is one of `odd` or gone."""
    value = copy.deepcopy(value)
    place = value
    while True:
        key = chance.choice(list(place) if isinstance(place, dict) else range(len(place)))
        if isinstance(place[key], dict | list) and place[key] and chance.random() < INTO_CONTAINERS:
            place = place[key]
            continue
        if chance.random() < GONE:
            del place[key]
        else:
            place[key] = chance.choice(odd)
        return value
