# SPDX-License-Identifier: Apache-2.0
"""A network of namespaces and shaped links on this machine: its plan, and how it is made, watched, removed."""
