# SPDX-License-Identifier: Apache-2.0
"""The list in LD_PRELOAD, to which ours is added."""

import re
from typing import Optional

LIBRARY = "libespalier.so"


def joined(present: Optional[str], ours: str) -> str:
    """What is there, then ours. Another copy of it is left out, such as the one that a site has put under all programs:
    of two in one process neither takes part.
    """
    others = [path for path in re.split("[ :]+", present or "") if path and path.rpartition("/")[2] != LIBRARY]
    return ":".join([*others, ours])
