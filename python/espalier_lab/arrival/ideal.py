# SPDX-License-Identifier: Apache-2.0
"""Who should stand where in a binomial tree with rank 0 as its root, if it is known beforehand how much each rank has
to do between broadcasts: anyone who has more arrives later to each, and fewer should wait for it."""

from collections.abc import Sequence


def below(place: int, ranks: int) -> int:
    """How many wait for what is sent to a place, itself among them. The root's is 0."""
    return min(place & -place, ranks - place)


def arrangement_for(work: Sequence[int]) -> list[int]:
    """The ranks by place. `work`: by rank; the root's is not asked."""
    ranks = len(work)
    places = sorted(range(1, ranks), key=lambda place: (-below(place, ranks), place.bit_count(), place))
    least_first = sorted(range(1, ranks), key=lambda rank: (work[rank], rank))
    found = dict(zip(places, least_first, strict=True))
    return [0, *(found[place] for place in range(1, ranks))]
