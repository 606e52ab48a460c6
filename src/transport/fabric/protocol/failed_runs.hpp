// SPDX-License-Identifier: Apache-2.0
// Runs that failed, the latest ones: reported again in each epoch, as nobody knows whether that arrived in the last
// one.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "transport/fabric/wire/wire.hpp"

namespace espalier {

class FailedRuns {
 public:
  void add(const RunName& run) { runs_[added_++ % runs_.size()] = run; }
  [[nodiscard]] bool has(const RunName& run) const { return std::ranges::count(all(), run) > 0; }
  [[nodiscard]] std::span<const RunName> all() const { return std::span(runs_).first(std::min(added_, runs_.size())); }

 private:
  std::array<RunName, 8> runs_{};
  std::size_t added_ = 0;
};

}  // namespace espalier
