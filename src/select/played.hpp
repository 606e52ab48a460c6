// SPDX-License-Identifier: Apache-2.0
// How long choices take where they are compared: by playing them on the communicator's network, or on small ones
// (estimate/assumed_network.hpp), from which follows what they would take among as many ranks as there are.
#pragma once

#include <optional>

#include "core/choice.hpp"
#include "estimate/assumed_network.hpp"

namespace espalier {

class Played {
 public:
  Played(const Problem& problem, const Shape& shape);

  // Logs of seconds. Nothing: that network does not allow it.
  [[nodiscard]] std::optional<double> log_seconds(const Choice& choice) const;
  // Nothing: it is not known what the native MPI may do.
  [[nodiscard]] std::optional<double> log_seconds_of_native() const;
  // The standard deviation of what is said.
  [[nodiscard]] double sd() const;

 private:
  [[nodiscard]] std::optional<double> seconds(const Choice& choice) const;
  [[nodiscard]] std::optional<double> seconds_of_native() const;

  const Problem problem_;
  const PlayedNetworks networks_;
};

}  // namespace espalier
