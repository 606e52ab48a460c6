# SPDX-License-Identifier: Apache-2.0
"""The command line around the Espalier library."""
