// SPDX-License-Identifier: Apache-2.0
// What tools find of ours: a performance variable for each number that is kept of a collective, and a control variable
// for each setting. All may only be read, and none belongs to an object.
#pragma once

#include <string>
#include <vector>

#include "mpi/calls/context.hpp"

namespace espalier {

enum class Quantity : std::uint8_t { own_calls, native_calls, bytes, time, saved };

struct PerformanceVariable {
  std::string name;  // "espalier_bcast_own_calls"
  std::string description;
  Quantity quantity = Quantity::own_calls;
  std::string_view collective;
};

struct ControlVariable {
  std::string name;  // "ESPALIER_CACHE"
  std::string description;
  std::size_t setting = 0;  // in the table
};

struct OwnVariables {
  std::vector<PerformanceVariable> performance;
  std::vector<ControlVariable> control;
  static constexpr const char* category = "espalier";

  [[nodiscard]] bool are_any() const { return !control.empty(); }
};

// By the settings of this process, which are read once, before MPI_Init if a tool asks so early. None where those are
// wrong, or switch these or all of Espalier off.
[[nodiscard]] const OwnVariables& own_variables();

[[nodiscard]] bool is_counter(Quantity quantity);  // an unsigned long long; otherwise a double, in seconds
// From any thread, at any time.
[[nodiscard]] unsigned long long count_of(const PerformanceVariable& variable);
[[nodiscard]] double seconds_of(const PerformanceVariable& variable);

// As the program was started with it.
[[nodiscard]] std::string value_of(const ControlVariable& variable);

}  // namespace espalier
