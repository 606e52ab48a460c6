// SPDX-License-Identifier: Apache-2.0
#include "settings/number.hpp"
#include "target.hpp"

namespace espalier::fuzz {
namespace {

void run(std::string_view text) {
  const auto size = parse_size(text);
  if (const auto number = parse_number(text)) require(number == size, "a number is no size");
  if (size) require(parse_size(format_size(*size)) == size, "a size is another one once it was written");
}

const Registration registration("numbers", run);

}  // namespace
}  // namespace espalier::fuzz
