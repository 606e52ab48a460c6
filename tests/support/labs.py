# SPDX-License-Identifier: Apache-2.0
"""What tests need that put up a lab."""

from __future__ import annotations

import pytest

from espalier.failure import Failure
from espalier_lab.network import namespaces


def skip_unless_allowed() -> None:
    """Where network namespaces are not allowed, or a lab stands already."""
    try:
        namespaces.require()
    except Failure as failure:
        pytest.skip(failure.message)
    if namespaces.existing():
        pytest.skip("there is a lab already")
