// SPDX-License-Identifier: Apache-2.0
// What the bits of a reduction must be: the expression that the verifier derives from the schedules of all ranks,
// computed element by element. Knows no MPI.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "core/choice.hpp"
#include "core/problem.hpp"
#include "verify/verify.hpp"

namespace espalier::apps {

class Oracle {
 public:
  using Bytes = std::vector<std::byte>;
  // right becomes left o right
  using Combine = void (*)(const std::byte* left, std::byte* right);

  // Elements of the caller's block with this label.
  using Sizes = std::function<int(int label)>;

  struct Reduced {
    Choice choice;
    Problem problem;
    Rank size = 1;
    Sizes sizes;
  };

  // The output that a reduction gives rank `me`, if rank r contributes inputs[r]; all without gaps. Throws
  // std::runtime_error if the verifier rejects the schedules.
  [[nodiscard]] Bytes result(const Reduced& reduced, Rank me, const std::vector<Bytes>& inputs, Combine combine);

 private:
  struct Proved {
    Schedule schedule;  // of rank 0
    Findings findings;
  };
  [[nodiscard]] const Proved& proved(const Choice& choice, const Problem& problem, Rank size);

  using Key = std::tuple<const Algorithm*, Rank, Rank, int, int>;  // algorithm, size, root, radix, pieces
  std::map<Key, Proved> proved_;
};

}  // namespace espalier::apps
