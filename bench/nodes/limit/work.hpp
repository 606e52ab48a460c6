// SPDX-License-Identifier: Apache-2.0
// What a collective call is to one of two ranks: every collective among two is a message to the other one, one from the
// other one, or both.
#pragma once

#include <cstddef>

#include "../../collectives/functions.hpp"

namespace bench {

// In doubles. What is empty has no elements.
struct Work {
  const double* sent = nullptr;  // to the other rank
  std::size_t sent_count = 0;
  double* received = nullptr;  // from the other rank
  std::size_t received_count = 0;
  const double* mine = nullptr;  // if there is any, the result is what is received and this, added
  const double* kept = nullptr;  // stays on this rank
  double* kept_at = nullptr;
  std::size_t kept_count = 0;
};

// As bench/collectives/data.hpp writes calls: counts and displacements stand there for every function.
using WorkOf = Work (*)(const espalier::Call& call, int rank);

// By collective.
[[nodiscard]] WorkOf work_of(const Function& function);

}  // namespace bench
