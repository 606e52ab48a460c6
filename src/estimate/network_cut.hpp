// SPDX-License-Identifier: Apache-2.0
// How messages are cut where the network is known: by the papers' equations.
#pragma once

#include <optional>

#include "algorithms/candidacy.hpp"
#include "core/choice.hpp"
#include "estimate/cost_model.hpp"

namespace espalier {

// `pipeline`: nothing if the algorithm is none. `segment_bytes`: nothing if it is to be found.
[[nodiscard]] Cut network_cut(const std::optional<Pipeline>& pipeline, const Problem& problem, const Network& network,
                              std::optional<std::size_t> segment_bytes = {});

// By equation 3 or 4 of paper 1, as it prints them.
[[nodiscard]] double paper_seconds(const Pipeline& pipeline, const Problem& problem, const Network& network,
                                   std::size_t segment_bytes);

// The same, where each segment takes its headers along.
[[nodiscard]] double pipeline_seconds(const Pipeline& pipeline, const Problem& problem, const Network& network,
                                      std::size_t segment_bytes);

// Which of 1, 1.5, 2, 3, ... KiB to 1 MiB, and not below `least`, is best by equation 3 of paper 1, or by equation 4
// for reductions, if each takes its headers along. Layouts round it to whole elements.
[[nodiscard]] std::size_t best_segment(const TreePipeline& pipeline, Collective collective, std::size_t bytes,
                                       std::size_t least = 0);

}  // namespace espalier
