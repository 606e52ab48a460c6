# SPDX-License-Identifier: Apache-2.0
"""What a network is, by measuring: who is near whom, who shares links with whom, and how fast they are."""
