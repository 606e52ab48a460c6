// SPDX-License-Identifier: Apache-2.0
#include "report/statistics.hpp"

#include "target.hpp"

namespace espalier::fuzz {
namespace {

void run(std::string_view text) {
  const Statistics read = Statistics::read(text);
  for (const StatisticsRow& row : read.rows()) {
    require(static_cast<std::size_t>(row.key.form) < std::size(call_form_names), "a row is of no form");
    require(lowest_bytes_of(row.key.size_class) <= highest_bytes_of(row.key.size_class), "a row is of no size");
  }
  const std::string written = read.written();
  require(Statistics::read(written).written() == written, "rows are others once they were written");
}

const Registration registration("statistics", run);

}  // namespace
}  // namespace espalier::fuzz
