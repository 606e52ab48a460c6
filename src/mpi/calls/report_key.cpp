// SPDX-License-Identifier: Apache-2.0
#include "mpi/calls/report_key.hpp"

#include "algorithms/algorithm.hpp"

namespace espalier {

RowKeyView key_of(const Call& call, std::size_t bytes, const Choice& choice, std::string_view parameters) {
  return {.collective = call.function->collective,
          .form = call.function->form,
          .size_class = size_class_of(bytes),
          .algorithm = choice.native() ? native_name : choice.algorithm->name,
          .parameters = parameters,
          .reason = choice.reason};
}

}  // namespace espalier
