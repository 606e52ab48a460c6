// SPDX-License-Identifier: Apache-2.0
// The MPI's collective functions, by their names in lower case: "allgatherv".
#pragma once

#include <string>

#include "mpi/call/call.hpp"

namespace bench {

struct Function {
  // Hands over what a call says. Which function that is, is settled beforehand: looking it up would show in the time of
  // a small call.
  using Caller = int (*)(const espalier::Native& mpi, const espalier::Call& call);

  std::string name;
  const espalier::Contract& contract;
  bool is_uneven = false;  // blocks have counts of their own
  bool is_typed = false;   // and datatypes, and displacements in bytes
  Caller direct = nullptr, intercepted = nullptr;

  // As settings of Espalier's call what it does: "allgather".
  [[nodiscard]] std::string collective() const { return std::string(name_of(contract.collective)); }
};

// Throws std::invalid_argument with a message for the user.
[[nodiscard]] const Function& function_of(const std::string& name);

}  // namespace bench
