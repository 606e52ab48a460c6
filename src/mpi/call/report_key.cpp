// SPDX-License-Identifier: Apache-2.0
#include "mpi/call/report_key.hpp"

#include "algorithms/algorithm.hpp"

namespace espalier {

namespace {

// With small and with large counts it is one function to anyone who reads.
std::string_view function_of(const Function& function) {
  std::string_view name = function.name;
  if (name.ends_with("_c")) name.remove_suffix(2);
  return name;
}

std::string_view algorithm_of(const RanAs& ran_as) {
  if (!ran_as.by.empty()) return ran_as.by;
  return ran_as.choice.native() ? native_name : ran_as.choice.algorithm->name;
}

}  // namespace

ReportKey::ReportKey(const Call& call, std::size_t bytes, const RanAs& ran_as, std::string_view communicator)
    : parameters_(parameters_of(ran_as.choice)),
      view_({.collective = call.function->collective,
             .form = call.function->form,
             .size_class = size_class_of(bytes),
             .algorithm = algorithm_of(ran_as),
             .parameters = parameters_,
             .reason = ran_as.choice.reason,
             .function = function_of(*call.function),
             .communicator = communicator}) {}

}  // namespace espalier
