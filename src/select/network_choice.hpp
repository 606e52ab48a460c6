// SPDX-License-Identifier: Apache-2.0
// What is chosen where the network of a communicator is known: the algorithm that is estimated to be the fastest of
// those that suit such a network, if it gains clearly on what the native MPI may do at best; otherwise the native one.
//
// What the native MPI does is not known. It is taken for the best of the usual algorithms that go by rank numbers, over
// one NIC, which is more than most do.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <tuple>

#include "select/choice.hpp"
#include "select/cost_model.hpp"

namespace espalier {

// Trees along which segments flow.
struct Pipeline {
  int trees = 0;  // among which the message is divided
  int height = 0;
  int passes = 1;   // messages of each node for each segment: up and down are two
  int streams = 1;  // that share a link in one direction
};

class NetworkChooser {
 public:
  // A function of the problem (not its root) and the shape. Nothing: the network says nothing, others decide. Decisions
  // are kept by the kind of network and the power of two that the size is in. May be asked by several threads.
  [[nodiscard]] std::optional<Choice> choose(const Problem& problem, const Shape& shape);

  // With which an algorithm would run on the shape's network, if there is one; what goes with a segment size that the
  // user gave.
  [[nodiscard]] static Cut cut_for(const Algorithm& algorithm, const Problem& problem, const Shape& shape,
                                   std::optional<std::size_t> segment_bytes = {});

 private:
  struct Decision {
    const Algorithm* algorithm = nullptr;  // null: the native MPI
    Pipeline pipeline;
    const char* reason = "";
  };
  using Key = std::tuple<std::uint64_t, Collective, int>;  // signature of the network

  [[nodiscard]] static Decision decide(const Problem& problem, const Shape& shape);

  std::mutex mutex_;
  std::map<Key, Decision> decisions_;
};

// What the native MPI counts for on the shape's network: the time of the best of the usual algorithms over one NIC.
// Seconds; nothing where that cannot be estimated.
[[nodiscard]] std::optional<double> estimated_native_seconds(const Problem& problem, const Shape& shape);

// Which of 1, 1.5, 2, 3, ... KiB to 1 MiB, and not below `least`, is best by equation 3 of paper 1, or by equation 4
// for reductions, if each takes its headers along. Layouts round it to whole elements.
[[nodiscard]] std::size_t best_segment(const TreePipeline& pipeline, Collective collective, std::size_t bytes,
                                       std::size_t least = 0);

}  // namespace espalier
