# SPDX-License-Identifier: Apache-2.0
"""Collectives among the ranks of a node, beside what somebody would write by hand."""
