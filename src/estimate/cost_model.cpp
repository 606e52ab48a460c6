// SPDX-License-Identifier: Apache-2.0
#include "estimate/cost_model.hpp"

#include <algorithm>
#include <cmath>

namespace espalier {

namespace {

double levels(const Cluster& cluster) { return std::log2(static_cast<double>(cluster.nodes)); }
double transfer(const Cluster& cluster, double bytes) { return bytes / cluster.bytes_per_second; }

}  // namespace

double bcast_seconds(const TreePipeline& pipeline, double bytes, double segment) {
  const auto [trees, height, hop, link, reduction] = pipeline;
  return height * (hop + segment / link) + std::max(bytes / segment * hop, bytes / trees / link) + hop;
}

double reduce_seconds(const TreePipeline& pipeline, double bytes, double segment) {
  const auto [trees, height, hop, link, reduction] = pipeline;
  return height * (hop + segment / link + segment / reduction) +
         std::max(bytes / segment * hop + bytes / reduction, bytes / trees / link) + hop;
}

double binomial_bcast_seconds(const Cluster& cluster, double bytes) {
  return levels(cluster) * (cluster.latency + transfer(cluster, bytes));
}

double scatter_allgather_bcast_seconds(const Cluster& cluster, double bytes) {
  const double share = 2.0 * (cluster.nodes - 1) / cluster.nodes;
  return 2 * levels(cluster) * cluster.latency + share * transfer(cluster, bytes);
}

}  // namespace espalier
