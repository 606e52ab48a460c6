# SPDX-License-Identifier: Apache-2.0
"""Descriptions of machines that are written: from what a site has already, or from what was measured."""
