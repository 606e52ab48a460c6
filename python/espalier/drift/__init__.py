# SPDX-License-Identifier: Apache-2.0
"""Whether collectives take longer than in earlier jobs, by the histories next to the memories."""
