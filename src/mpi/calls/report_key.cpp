// SPDX-License-Identifier: Apache-2.0
#include "mpi/calls/report_key.hpp"

#include "algorithms/algorithm.hpp"
#include "settings/number.hpp"

namespace espalier {

std::string parameters_of(const Choice& choice) {
  if (choice.native()) return {};
  std::string text = "window=" + std::to_string(choice.cut.window);
  if (choice.cut.segment_bytes > 0) text = "segment=" + format_size(choice.cut.segment_bytes) + "," + text;
  if (choice.algorithm->takes_radix) text += ",radix=" + std::to_string(choice.radix);
  return text;
}

RowKeyView key_of(const Call& call, std::size_t bytes, const Choice& choice, std::string_view parameters) {
  return {.collective = call.function->collective,
          .form = call.function->form,
          .size_class = size_class_of(bytes),
          .algorithm = choice.native() ? native_name : choice.algorithm->name,
          .parameters = parameters,
          .reason = choice.reason};
}

}  // namespace espalier
