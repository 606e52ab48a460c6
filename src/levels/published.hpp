// SPDX-License-Identifier: Apache-2.0
// What others have published of collectives inside a node.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/types.hpp"

namespace espalier {

struct PublishedTime {
  Collective collective = Collective::allreduce;
  std::string library;  // "ext_mpi"
  std::string node;     // as known_nodes() calls it
  Rank ranks = 0;
  std::size_t bytes = 0;
  double seconds = 0;
  std::string source;
};

// Throws BadDescription. `file`: the name of what `text` was read from.
[[nodiscard]] std::vector<PublishedTime> published_from_toml(std::string_view text, const std::string& file);

}  // namespace espalier
