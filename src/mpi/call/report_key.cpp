// SPDX-License-Identifier: Apache-2.0
#include "mpi/call/report_key.hpp"

#include "algorithms/algorithm.hpp"

namespace espalier {

namespace {

// With small and with large counts it is one function to whoever reads.
std::string_view function_of(const Function& function) {
  std::string_view name = function.name;
  if (name.ends_with("_c")) name.remove_suffix(2);
  return name;
}

}  // namespace

RowKeyView key_of(const Call& call, std::size_t bytes, const Choice& choice, std::string_view parameters) {
  return {.collective = call.function->collective,
          .form = call.function->form,
          .size_class = size_class_of(bytes),
          .algorithm = choice.native() ? native_name : choice.algorithm->name,
          .parameters = parameters,
          .reason = choice.reason,
          .function = function_of(*call.function)};
}

}  // namespace espalier
