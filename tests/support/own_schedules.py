# SPDX-License-Identifier: Apache-2.0
"""Values of ESPALIER_ALGORITHM under which small messages already take many different ways through the library."""

SETTINGS = (
    "bcast:chain,segment=512;reduce:in_order;allreduce:ring,segment=256,window=2;barrier:dissemination",
    "bcast:circulant,segment=1KiB;reduce:rabenseifner;allreduce:tree,segment=512;barrier:dissemination",
    "bcast:scatter_allgather;reduce:binary,segment=1KiB;allreduce:rabenseifner;barrier:dissemination",
    "bcast:knomial,radix=3;reduce:chain,segment=512;allreduce:recursive_doubling;barrier:native",
)
