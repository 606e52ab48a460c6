# SPDX-License-Identifier: Apache-2.0
"""Fills the memory for a machine by a sweep over collectives and sizes; docs/how-to/tune-a-machine.md."""
