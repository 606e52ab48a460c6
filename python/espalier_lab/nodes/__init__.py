# SPDX-License-Identifier: Apache-2.0
"""Collectives among the ranks of a node, next to what somebody would write by hand."""
