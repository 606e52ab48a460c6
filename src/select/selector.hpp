// SPDX-License-Identifier: Apache-2.0
// Decides what is done with a call: the native MPI, or an algorithm with its parameters.
//
// A decision is a function of what is equal on all ranks: problem (without in_place), shape, ordinal and settings.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "select/choice.hpp"
#include "select/fixed_table.hpp"
#include "select/network_choice.hpp"
#include "settings/settings.hpp"

namespace espalier {

// One way in which a call could be done, and why it is, or is not.
struct Candidate {
  const Algorithm* algorithm = nullptr;  // null: the native MPI
  Cut cut;
  int radix = 2;
  bool eligible = true;
  bool chosen = false;
  const char* reason = "";
};

class Selector {
 public:
  // `remembered`: what another selector has found out; it does not depend on settings.
  explicit Selector(const Settings& settings,
                    std::shared_ptr<NetworkChooser> remembered = std::make_shared<NetworkChooser>());

  // Asked at every call. Takes constant time, except where a network is known and a size comes up for the first time:
  // then it estimates. `ordinal` counts the calls of this collective on this communicator. The fixed table does not
  // look at it: it is for choices that are tried out while a program runs.
  [[nodiscard]] Choice choose(const Problem& problem, const Shape& shape, std::uint64_t ordinal = 0) const;

  [[nodiscard]] const std::shared_ptr<NetworkChooser>& network_chooser() const { return network_chooser_; }

  // All candidates, native first.
  [[nodiscard]] std::vector<Candidate> explain(const Problem& problem, const Shape& shape) const;

 private:
  struct Rule {
    const FixedRule* rule;
    const Algorithm* algorithm;
  };
  struct Forced {
    ForcedChoice by_user;
    const Algorithm* algorithm;  // null: the native MPI
  };

  [[nodiscard]] const char* reason_for_native(const Problem& problem) const;
  [[nodiscard]] static Choice forced_choice(const Forced& forced, const Problem& problem, const Shape& shape);
  [[nodiscard]] Choice from_table(const Problem& problem, const Shape& shape) const;

  bool enabled_, device_;
  Reproducible reproducible_;
  std::array<std::optional<Forced>, std::size(all_collectives)> forced_;
  std::vector<Rule> rules_;
  std::shared_ptr<NetworkChooser> network_chooser_;  // copies share it
};

// Why the algorithm cannot do this; null if it can.
[[nodiscard]] const char* unfit_for(const Algorithm& algorithm, const Problem& problem, const Shape& shape);

}  // namespace espalier
