// SPDX-License-Identifier: Apache-2.0
#include "topology/text/host_list.hpp"

#include <algorithm>
#include <stdexcept>

#include "target.hpp"

namespace espalier::fuzz {
namespace {

constexpr std::size_t most = 5000;
constexpr std::size_t longest_refusal = 200;

void run(std::string_view text) try {
  const std::vector<std::string> hosts = hosts_of(text, most);
  require(!hosts.empty() && hosts.size() <= most, "there are too few hosts, or too many");
  require(std::ranges::none_of(hosts, &std::string::empty), "a host has no name");
  require(hosts_of(text, hosts.size()) == hosts, "as many hosts as there are, are too many");
} catch (const std::invalid_argument& refusal) {
  require(*refusal.what() != '\0' && std::string_view(refusal.what()).size() <= longest_refusal,
          "a refusal says nothing, or too much");
}

const Registration registration("host_list", run);

}  // namespace
}  // namespace espalier::fuzz
