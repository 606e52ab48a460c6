// SPDX-License-Identifier: Apache-2.0
// What is chosen where the network of a communicator is known: the winner of estimate/contest.hpp, and how it cuts the
// message.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <tuple>

#include "estimate/contest.hpp"

namespace espalier {

class NetworkChooser {
 public:
  // A function of the problem (not its root) and the shape. Nothing: the network does not concern it, others decide.
  // Winners are kept by the kind of network and the power of two that the size is in. May be asked by several threads.
  [[nodiscard]] std::optional<Choice> choose(const Problem& problem, const Shape& shape);

 private:
  using ContestKey = std::tuple<std::uint64_t, Collective, int>;  // signature of the network

  [[nodiscard]] std::optional<Contestant> winner(const Problem& problem, const Shape& shape);

  std::mutex mutex_;
  std::map<ContestKey, std::optional<Contestant>> winners_;
};

// With which an algorithm would run on the shape's network, if there is one; what goes with a segment size that the
// user gave.
[[nodiscard]] Cut cut_for(const Algorithm& algorithm, const Problem& problem, const Shape& shape,
                          std::optional<std::size_t> segment_bytes = {});
// The same for those who run it where the choice says that leaders do.
[[nodiscard]] Cut cut_for(const Choice& choice, const Problem& problem, const Shape& shape,
                          std::optional<std::size_t> segment_bytes = {});

}  // namespace espalier
