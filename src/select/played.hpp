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

  // More than 0. Nothing: that network does not allow it.
  [[nodiscard]] std::optional<double> seconds(const Choice& choice) const;
  // As the native MPI does it. It may do what native_choices() has: on assumed networks each grows for itself, as the
  // best there is another one where they are larger.
  [[nodiscard]] std::optional<double> seconds_of_native(const Choice& choice) const;
  // The best of these. Nothing: it is not known what it may do.
  [[nodiscard]] std::optional<double> seconds_of_native() const;
  [[nodiscard]] bool is_assumed() const { return networks_.is_assumed(); }
  // The standard deviation of what is said.
  [[nodiscard]] double sd() const;

 private:
  const Problem problem_;
  const PlayedNetworks networks_;
};

}  // namespace espalier
