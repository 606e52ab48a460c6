// SPDX-License-Identifier: Apache-2.0
#include "simulate/command/sizes.hpp"

#include "settings/words.hpp"
#include "tool/requests.hpp"

namespace espalier::tool {

namespace {

constexpr std::string_view up_to = "..";

void add_range(const std::string& option, std::string_view low, std::string_view high,
               std::vector<std::size_t>& sizes) {
  const std::size_t first = requested_size(option, std::string(low)), last = requested_size(option, std::string(high));
  if (first == 0 || last < first)
    throw BadRequest(option + " " + std::string(low) + std::string(up_to) + std::string(high) +
                     ": allowed: from a size above 0 to a larger one");
  for (std::size_t size = first; size <= last; size *= 2) sizes.push_back(size);
}

}  // namespace

std::vector<std::size_t> requested_sizes(const std::string& option, const std::string& text) {
  std::vector<std::size_t> sizes;
  for (const std::string_view word : split(text, ',')) {
    const std::size_t dots = word.find(up_to);
    if (dots == std::string_view::npos) {
      sizes.push_back(requested_size(option, std::string(word)));
    } else {
      add_range(option, word.substr(0, dots), word.substr(dots + up_to.size()), sizes);
    }
  }
  return sizes;
}

}  // namespace espalier::tool
