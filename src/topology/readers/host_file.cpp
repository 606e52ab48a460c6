// SPDX-License-Identifier: Apache-2.0
#include "topology/readers/host_file.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>

#include "topology/text/conf_lines.hpp"

namespace espalier {

namespace {

constexpr int max_ranks = 1 << 20;
// All that Open MPI 4 and 5 and MPICH 4 and 5 know; with - as good as _.
constexpr std::string_view counts[] = {"slots", "cpu", "count"};
constexpr std::string_view max_counts[] = {"max_slots", "slots_max", "max_cpu", "cpu_max", "max_count", "count_max"};
constexpr std::string_view passed_over[] = {
    "user",  "username",         "user_name", "port",    "boards", "sockets", "sockets_per_board",
    "cores", "cores_per_socket", "cpu_set",   "binding", "ifname"};
constexpr const char* allowed_lines = "allowed: lines such as 'n01 slots=2' or 'n01:2'";

bool is_one_of(std::span<const std::string_view> words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

// Of "n01", "n01:2" or "user@n01"; of an address with several colons there is no count.
struct HostWord {
  explicit HostWord(std::string_view word) : host(word.substr(word.find('@') + 1)) {
    const std::size_t colon = host.find(':');
    if (colon != host.rfind(':') || colon == host.npos) return;
    ranks = host.substr(colon + 1);
    host = host.substr(0, colon);
  }

  std::string_view host;
  std::optional<std::string_view> ranks;
};

class HostFile {
 public:
  HostFile(const std::string& file, const Machine& machine) : file_(file), machine_(machine) {}

  void read_line(std::string_view line) {
    ++number_;
    line = line.substr(0, std::min(line.find('#'), line.find("//")));
    line.remove_prefix(std::min(line.find_first_not_of(conf_blanks), line.size()));
    if (line.empty()) return;
    const std::string_view first = line.substr(0, line.find_first_of(conf_blanks));
    check_names_a_host(first);
    const HostWord word(first);
    const int ranks = ranks_in(word, conf_pairs(line.substr(first.size()), file_, number_));
    if (ranks > max_ranks - static_cast<int>(node_of_.size())) {
      fail("too many ranks; allowed: " + std::to_string(max_ranks));
    }
    node_of_.insert(node_of_.end(), static_cast<std::size_t>(ranks), node_named(word.host));
  }

  std::vector<int> node_of() && {
    if (node_of_.empty()) fail(std::string("names no host; ") + allowed_lines);
    return std::move(node_of_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw BadDescription(file_, std::max(number_, 1), what); }

  void check_names_a_host(std::string_view first) const {
    const char* what = first.starts_with('^')    ? "leaves a host out"
                       : first.starts_with('+')  ? "is a place in an allocation"
                       : first == "rank"         ? "begins a line of a rankfile"
                       : first.starts_with("/*") ? "begins a comment of several lines"
                                                 : nullptr;
    if (what != nullptr) fail("'" + std::string(first) + "' " + what + ", and names no host; " + allowed_lines);
  }

  [[nodiscard]] int ranks_in(const HostWord& word, const std::vector<ConfPair>& words) const {
    std::optional<int> ranks, max;
    if (word.ranks) ranks = count(*word.ranks);
    for (auto [key, value] : words) {
      std::ranges::replace(key, '-', '_');
      if (is_one_of(counts, key)) {
        if (ranks) fail("the number of ranks is there twice; allowed: 'n01 slots=2' or 'n01:2'");
        ranks = count(value);
      } else if (is_one_of(max_counts, key)) {
        max = count(value);
      } else if (!is_one_of(passed_over, key)) {
        fail("'" + key +
             "' is not known here; allowed: slots, cpu, count, max_slots (and, passed over: user, port, "
             "binding, ifname and the like)");
      }
    }
    return ranks.value_or(max.value_or(1));
  }

  [[nodiscard]] int count(std::string_view text) const {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < 1 || value > max_ranks) {
      fail("a host's ranks must be a whole number from 1 to " + std::to_string(max_ranks));
    }
    return value;
  }

  [[nodiscard]] int node_named(std::string_view host) const {
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
