// SPDX-License-Identifier: Apache-2.0
// All forms of all collective functions of the MPI, from the one list of them, as data that a program can go through.
#pragma once

#include <span>
#include <string_view>

#include "mpi/call/call.hpp"

namespace espalier::apps {

enum class Kind : std::uint8_t { blocking, nonblocking, persistent };

struct Form {
  Function function;  // its `native` makes a call by whichever functions it is given
  Kind kind = Kind::blocking;
  bool (*is_in)(const Native& functions) = nullptr;
  // The same by the function that every MPI has: the blocking one, with small counts.
  int (*call_plainly)(const Native& functions, const Call& call) = nullptr;

  [[nodiscard]] Collective collective() const { return function.contract->collective; }
};

// Those of one kind. Each function with large counts follows the same one with small ones.
[[nodiscard]] std::span<const Form> forms_of(Kind kind);

// Those of all kinds that can be called here, each once.
[[nodiscard]] std::span<const Form> callable_forms();
// Throws std::invalid_argument if there is none.
[[nodiscard]] const Form& form_named(std::string_view name);

// The form, or with small counts what cannot be called with large ones here.
[[nodiscard]] const Form& callable(const Form& form);

}  // namespace espalier::apps
