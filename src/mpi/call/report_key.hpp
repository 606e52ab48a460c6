// SPDX-License-Identifier: Apache-2.0
// What a call runs as, and which row of the report that is.
#pragma once

#include <string>

#include "mpi/call/call.hpp"
#include "select/choice_text.hpp"

namespace espalier {

// All calls are reported by this, whatever their form and kind.
struct RanAs {
  Choice choice;  // its reason stands for whatever runs
  // What runs of ours, where that is no algorithm of the registry; "": as the choice says. It lives as long as this.
  std::string_view by = {};
  const char* wrong = nullptr;  // static text: what looks wrong, on this rank alone, about a call that goes natively

  [[nodiscard]] bool native() const { return choice.native() && by.empty(); }
};

// Static text, both.
[[nodiscard]] inline RanAs ran_natively(const char* reason, const char* wrong = nullptr) {
  return {.choice = {.reason = reason}, .wrong = wrong};
}

// Throws on allocation failure.
class ReportKey {
 public:
  // `communicator`: its name, which outlives this.
  ReportKey(const Call& call, std::size_t bytes, const RanAs& ran_as, std::string_view communicator = {});
  ReportKey(const ReportKey&) = delete;
  ReportKey& operator=(const ReportKey&) = delete;

  [[nodiscard]] const RowKeyView& view() const { return view_; }

 private:
  const std::string parameters_;
  const RowKeyView view_;
};

}  // namespace espalier
