// SPDX-License-Identifier: Apache-2.0
// Decides what is done with calls: the native MPI, or an algorithm with its parameters.
//
// A decision is a function of what is equal on all ranks: problem, shape and settings; what it rules
// for a call may also depend on the call's ordinal.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "memory/memory.hpp"
#include "policy/policy.hpp"
#include "select/network_choice.hpp"
#include "settings/settings.hpp"

namespace espalier {

// One form in which a call could be done, and why it is, or is not.
struct Candidate {
  const Algorithm* algorithm = nullptr;  // null: the native MPI
  Cut cut;
  int radix = default_radix;
  int leaders = 0;
  Transport transport = Transport::mpi;
  bool eligible = true;
  bool chosen = false;
  const char* reason = "";
};

class Selector {
 public:
  // `remembered`: what another selector has found out; it does not depend on settings.
  // `memory`: of how long collectives take; may be null.
  explicit Selector(const Settings& settings,
                    std::shared_ptr<NetworkChooser> remembered = std::make_shared<NetworkChooser>(),
                    std::shared_ptr<Memory> memory = nullptr);

  // For a context. Takes constant time, except where a network is known: then it looks at it, and where a size comes up
  // for the first time, it estimates. What `shape` points to must outlive the policy, not so the selector.
  [[nodiscard]] Selection decide(const Problem& problem, const Shape& shape) const;

  [[nodiscard]] const std::shared_ptr<NetworkChooser>& network_chooser() const { return network_chooser_; }
  [[nodiscard]] const std::shared_ptr<Memory>& memory() const { return memory_; }

  // All candidates for the first call of a context, native first.
  [[nodiscard]] std::vector<Candidate> explain(const Problem& problem, const Shape& shape) const;

 private:
  [[nodiscard]] const char* reason_for_native(const Problem& problem) const;
  [[nodiscard]] bool keeps_bits(const Problem& problem, const Shape& shape) const;
  [[nodiscard]] Choice choice_of_our_own(const Problem& problem, const Shape& shape) const;
  [[nodiscard]] Memory::Known remembered(const Problem& problem, const Shape& shape) const;
  [[nodiscard]] bool goes_by_time(const Problem& problem, const Shape& shape, const Choice& baseline) const;
  [[nodiscard]] bool goes_by_arrival(const Problem& problem, const Shape& shape) const;

  bool enabled_, device_, arrival_;
  TuningSettings tuning_;
  std::array<std::optional<ForcedChoice>, std::size(all_collectives)> forced_;
  std::shared_ptr<NetworkChooser> network_chooser_;  // copies share it
  std::shared_ptr<Memory> memory_;
};

}  // namespace espalier
