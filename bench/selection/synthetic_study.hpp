// SPDX-License-Identifier: Apache-2.0
// All policies on synthetic contexts: a line of JSON for each policy, family, error of the estimates and number of
// calls; ratios less 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace espalier::selection {

// Calls after which it is looked what was spent.
inline constexpr std::size_t marks[] = {100, 300, 1000, 10000};

struct SyntheticStudy {
  std::size_t instances = 400, calls = 1000;
  std::uint64_t seed = 4711;
};

// How often `show_progress` is called.
[[nodiscard]] std::size_t steps_of_synthetic_study();
void run(const SyntheticStudy& study, const std::function<void()>& show_progress);

}  // namespace espalier::selection
