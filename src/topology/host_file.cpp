// SPDX-License-Identifier: Apache-2.0
#include "topology/host_file.hpp"

#include <algorithm>
#include <charconv>

#include "topology/conf_lines.hpp"

namespace espalier {

namespace {

constexpr int max_ranks = 1 << 20;
constexpr std::string_view passed_over[] = {"max_slots", "max-slots", "user", "username", "binding", "ifname"};

class HostFile {
 public:
  HostFile(const std::string& file, const Machine& machine) : file_(file), machine_(machine) {}

  void read_line(std::string_view line) {
    ++number_;
    line = line.substr(0, line.find('#'));
    line.remove_prefix(std::min(line.find_first_not_of(conf_blanks), line.size()));
    if (line.empty()) return;
    const std::string_view first = line.substr(0, line.find_first_of(conf_blanks));
    const int ranks = ranks_in(first, conf_pairs(line.substr(first.size()), file_, number_));
    if (ranks > max_ranks - static_cast<int>(node_of_.size())) {
      fail("too many ranks; allowed: " + std::to_string(max_ranks));
    }
    node_of_.insert(node_of_.end(), static_cast<std::size_t>(ranks), node_named(first));
  }

  std::vector<int> node_of() && {
    if (node_of_.empty()) fail("names no host; allowed: lines such as 'n01 slots=2' or 'n01:2'");
    return std::move(node_of_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw BadDescription(file_, std::max(number_, 1), what); }

  // `first`: "n01", "n01:2" or "user@n01".
  [[nodiscard]] int ranks_in(std::string_view first, const std::vector<ConfPair>& words) const {
    const std::size_t colon = first.find(':');
    int ranks = colon == first.npos ? 1 : count(first.substr(colon + 1));
    bool is_said = colon != first.npos;
    for (const auto& [key, value] : words) {
      if (key == "slots") {
        if (is_said) fail("the number of ranks is there twice; allowed: 'n01 slots=2' or 'n01:2'");
        ranks = count(value);
        is_said = true;
      } else if (std::ranges::find(passed_over, key) == std::end(passed_over)) {
        fail("'" + key + "' is not known here; allowed: slots (and, passed over: max_slots, user, binding, ifname)");
      }
    }
    return ranks;
  }

  [[nodiscard]] int count(std::string_view text) const {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < 1 || value > max_ranks) {
      fail("a host's ranks must be a whole number from 1 to " + std::to_string(max_ranks));
    }
    return value;
  }

  [[nodiscard]] int node_named(std::string_view first) const {
    std::string_view host = first.substr(0, first.find(':'));
    if (const std::size_t at = host.find('@'); at != host.npos) host.remove_prefix(at + 1);
    const int node = machine_.node_named(host);
    if (node == no_node) {
      fail("the machine has no node '" + std::string(host) + "'; allowed: the nodes of its description, such as '" +
           machine_.nodes.front().name + "'");
    }
    return node;
  }

  const std::string& file_;
  const Machine& machine_;
  int number_ = 0;
  std::vector<int> node_of_;
};

}  // namespace

std::vector<int> nodes_of_ranks(std::string_view text, const std::string& file, const Machine& machine) {
  HostFile hosts(file, machine);
  for (bool is_last = false; !is_last;) {
    const std::string_view line = text.substr(0, text.find('\n'));
    is_last = line.size() == text.size();
    text.remove_prefix(is_last ? line.size() : line.size() + 1);
    hosts.read_line(line);
  }
  return std::move(hosts).node_of();
}

}  // namespace espalier
