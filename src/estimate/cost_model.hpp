// SPDX-License-Identifier: Apache-2.0
// How long collectives take according to the papers. Seconds and bytes throughout.
#pragma once

namespace espalier {

// Trees that share no link, on a torus. (Paper 1, section 4.3; H, L, S, Bc, Bp and N there.)
struct TreePipeline {
  int trees = 3;                          // among which the message is divided
  int height = 1;                         // H: from the root to the farthest leaf
  double hop_seconds = 0;                 // L
  double link_bytes_per_second = 1;       // Bc
  double reduction_bytes_per_second = 1;  // Bp: arithmetic; only of reductions
};

// Equation 3.
[[nodiscard]] double bcast_seconds(const TreePipeline& pipeline, double bytes, double segment);
// Equation 4.
[[nodiscard]] double reduce_seconds(const TreePipeline& pipeline, double bytes, double segment);

// Clusters whose nodes have NICs of `bytes_per_second` together. (Paper 2, section 5.3: l, b, M and p there.)
struct Cluster {
  int nodes = 1;
  double latency = 0;
  double bytes_per_second = 1;
};

[[nodiscard]] double binomial_bcast_seconds(const Cluster& cluster, double bytes);
// Van de Geijn's: the paper prints 2p/(p-1) where 2(p-1)/p is meant.
[[nodiscard]] double scatter_allgather_bcast_seconds(const Cluster& cluster, double bytes);

}  // namespace espalier
