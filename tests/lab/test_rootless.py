# SPDX-License-Identifier: Apache-2.0
"""What is said where there can be no lab without root."""

import os

import pytest

from espalier.failure import Failure
from espalier_lab.network import namespaces, rootless


def test_a_system_without_user_namespaces_is_named_as_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(rootless, "UNSHARE", ("sh", "-c", "echo not in this house >&2; exit 1"))
    with pytest.raises(Failure, match=r"user namespaces, which are not allowed here: not in this house") as failure:
        rootless.enter()
    assert "NET_ADMIN" in (failure.value.remedy or "")


def test_what_stays_needs_root_and_what_does_not_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(Failure, match="needs root") as failure:
        namespaces.require_root()
    assert "`run`" in failure.value.message


def test_root_stays_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "execvp", lambda *_: pytest.fail("went into a namespace"))
    rootless.enter()
