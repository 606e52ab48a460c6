// SPDX-License-Identifier: Apache-2.0
#include "topology/slurm_reader.hpp"

#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>
#include <unordered_map>

#include "topology/conf_lines.hpp"
#include "topology/host_list.hpp"

namespace espalier {

namespace {

constexpr std::size_t max_names = 1 << 20;  // of nodes and switches in one file
constexpr int max_extent = 36;
constexpr std::string_view torus_plugin = "topology/3d_torus";

std::string quoted(const std::string& text) { return "'" + text + "'"; }

class Source {
 public:
  explicit Source(const std::string& file) : file_(file) {}

  [[noreturn]] void fail(int line, const std::string& what) const { throw BadDescription(file_, line, what); }

  // All lists of a file together have no more than max_names.
  std::vector<std::string> names(const std::string& list, int line) {
    try {
      std::vector<std::string> hosts = hosts_of(list, max_names - names_);
      names_ += hosts.size();
      return hosts;
    } catch (const std::invalid_argument& bad) {
      fail(line, bad.what());
    }
  }

  // The words of a line, none of them twice. Those that are not known here are refused, or else passed over.
  std::map<std::string, std::string> words(const ConfLine& line, const std::set<std::string>& known,
                                           bool passes_over_others) const {
    std::map<std::string, std::string> result;
    for (const ConfPair& word : line.words) {
      if (!known.contains(word.key)) {
        if (passes_over_others) continue;
        fail(line.number, quoted(word.key) + " is not known here; allowed: " + list_of(known));
      }
      if (!result.emplace(word.key, word.value).second) fail(line.number, quoted(word.key) + " is there twice");
    }
    return result;
  }

  static std::string list_of(const std::set<std::string>& words) {
    std::string list;
    for (const std::string& word : words) list += (list.empty() ? "" : ", ") + word;
    return list;
  }

 private:
  const std::string& file_;
  std::size_t names_ = 0;
};

// What "# espalier:" says.
class Remarks {
 public:
  Remarks(const std::vector<ConfLine>& lines, const std::set<std::string>& known, const Source& source)
      : source_(source) {
    for (const ConfLine& line : lines) {
      for (const auto& [key, value] : source.words(line, known, false)) {
        if (!said_.emplace(key, Said{value, line.number}).second)
          source.fail(line.number, quoted(key) + " is there twice");
      }
    }
  }

  [[nodiscard]] double positive(const std::string& key, double otherwise) const {
    const auto said = said_.find(key);
    if (said == said_.end()) return otherwise;
    const auto& [text, line] = said->second;
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || !(value > 0) || !std::isfinite(value)) {
      source_.fail(line, key + " must be a positive number");
    }
    return value;
  }

  [[nodiscard]] int nics() const {
    const auto said = said_.find("nics");
    return said == said_.end() ? 1 : whole("nics", said->second.text, said->second.line, 16);
  }

  // Three of them, or none.
  [[nodiscard]] std::vector<int> extents() const {
    const auto said = said_.find("extents");
    if (said == said_.end()) return {};
    std::vector<int> extents;
    std::string_view rest = said->second.text;
    for (bool is_last = false; !is_last;) {
      const std::string_view word = rest.substr(0, rest.find('x'));
      extents.push_back(whole("an extent", word, said->second.line, max_extent));
      is_last = word.size() == rest.size();
      rest.remove_prefix(is_last ? word.size() : word.size() + 1);
    }
    if (extents.size() != 3) source_.fail(said->second.line, "three extents are needed: 4x4x4");
    return extents;
  }

  [[nodiscard]] int line_of_extents() const { return said_.at("extents").line; }

 private:
  struct Said {
    std::string text;
    int line = 0;
  };

  [[nodiscard]] int whole(const std::string& what, std::string_view text, int line, int most) const {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < 1 || value > most) {
      source_.fail(line, what + " must be a whole number from 1 to " + std::to_string(most));
    }
    return value;
  }

  const Source& source_;
  std::map<std::string, Said> said_;
};

class SwitchTree {
 public:
  SwitchTree(const std::vector<ConfLine>& lines, const Remarks& remarks, Source& source) : source_(source) {
    machine_.nic_bytes_per_second = remarks.positive("rate", default_slurm_rate);
    for (const ConfLine& line : lines) add_switch(line, remarks.nics());
    for (std::size_t number = 0; number < switches_.size(); ++number) adopt_children(static_cast<int>(number));
    check_loops();
    if (machine_.nodes.empty()) source_.fail(lines.front().number, "no switch has nodes; allowed: Nodes=tux[0-5,7]");
  }

  Machine machine() && { return std::move(machine_); }

 private:
  struct Switch {
    std::string name;
    int line = 0;
    std::vector<std::string> children;
    int parent = -1;
  };

  void add_switch(const ConfLine& line, int nics) {
    const auto words = source_.words(line, {"switchname", "nodes", "switches", "linkspeed"}, false);
    const std::string& name = words.at("switchname");
    if (name.empty() || name.find_first_of("[],") != name.npos) {
      source_.fail(line.number, quoted(name) + ": a line describes one switch; allowed: SwitchName=s0");
    }
    if (!number_of_.emplace(name, static_cast<int>(switches_.size())).second) {
      source_.fail(line.number, "switch " + quoted(name) + " is described twice");
    }
    if (words.contains("nodes") == words.contains("switches")) {
      source_.fail(line.number, "switch " + quoted(name) + " needs either Nodes=LIST or Switches=LIST");
    }
    switches_.push_back({name, line.number, {}});
    if (words.contains("switches")) {
      switches_.back().children = source_.names(words.at("switches"), line.number);
    } else {
      add_nodes(source_.names(words.at("nodes"), line.number), nics);
    }
  }

  void add_nodes(const std::vector<std::string>& names, int nics) {
    const Switch& leaf = switches_.back();
    for (const std::string& name : names) {
      const auto [found, is_new] = leaf_of_.emplace(name, static_cast<int>(switches_.size()) - 1);
      if (!is_new) {
        source_.fail(leaf.line, "node " + quoted(name) + " is under switch " +
                                    quoted(switches_[static_cast<std::size_t>(found->second)].name) +
                                    " already; a node is under one switch, once");
      }
      machine_.nodes.push_back({name, nics, sites_});
    }
    ++sites_;
  }

  void adopt_children(int number) {
    const Switch& parent = switches_[static_cast<std::size_t>(number)];
    for (const std::string& name : parent.children) {
      const auto found = number_of_.find(name);
      if (found == number_of_.end()) {
        source_.fail(parent.line,
                     "there is no switch " + quoted(name) + "; allowed: those with a line SwitchName=NAME");
      }
      Switch& child = switches_[static_cast<std::size_t>(found->second)];
      if (child.parent >= 0) {
        source_.fail(parent.line, "switch " + quoted(name) + " is under " +
                                      quoted(switches_[static_cast<std::size_t>(child.parent)].name) +
                                      " already; a switch is under one other, once");
      }
      child.parent = number;
    }
  }

  // With one parent each, switches below no root are on a ring or below one: going up from there comes back.
  void check_loops() const {
    std::vector<int> seen_from(switches_.size(), -1);
    for (int start = 0; start < static_cast<int>(switches_.size()); ++start) {
      for (int at = start; at >= 0; at = switches_[static_cast<std::size_t>(at)].parent) {
        int& seen = seen_from[static_cast<std::size_t>(at)];
        if (seen == start) fail_at_loop(switches_[static_cast<std::size_t>(at)]);
        if (seen >= 0) break;
        seen = start;
      }
    }
  }

  [[noreturn]] void fail_at_loop(const Switch& one) const {
    source_.fail(one.line, "switch " + quoted(one.name) + " is below itself; allowed: trees");
  }

  Source& source_;
  Machine machine_;
  std::vector<Switch> switches_;
  std::unordered_map<std::string, int> number_of_;  // of each switch
  std::unordered_map<std::string, int> leaf_of_;    // of each node
  int sites_ = 0;
};

class Torus {
 public:
  Torus(const std::vector<ConfLine>& lines, const Remarks& remarks, Source& source) : source_(source) {
    for (const ConfLine& line : lines) add_nodes(line);
    if (placed_.empty()) source_.fail(lines.front().number, "there is no node; allowed: NodeName=tux[000x333]");
    machine_.lattice = lattice(remarks);
    put_nodes();
    machine_.arcs = arcs_of(*machine_.lattice, machine_.node_at, remarks.positive("rate", default_slurm_rate));
  }

  Machine machine() && { return std::move(machine_); }

 private:
  struct Placed {
    Coordinates place;
    int line = 0;
  };

  void add_nodes(const ConfLine& line) {
    const std::string list = source_.words(line, {"nodename"}, true).at("nodename");
    if (list == "DEFAULT") return;  // no node, but values for those that follow
    for (std::string& name : source_.names(list, line.number)) {
      placed_.push_back({place_of(name, line.number), line.number});
      machine_.nodes.push_back({std::move(name)});
    }
  }

  [[nodiscard]] Coordinates place_of(const std::string& name, int line) const {
    Coordinates place;
    for (std::size_t k = name.size() < 3 ? name.size() : name.size() - 3; k < name.size(); ++k) {
      if (digit_of(name[k]) >= 0) place.push_back(digit_of(name[k]));
    }
    if (place.size() != 3) {
      source_.fail(line, "node " + quoted(name) +
                             " does not end in its place in a torus; allowed: X, Y and Z, each a " +
                             "digit 0-9 or A-Z (a tree is described by lines SwitchName=NAME)");
    }
    return place;
  }

  [[nodiscard]] Lattice lattice(const Remarks& remarks) const {
    std::vector<int> extents = remarks.extents();
    const bool are_given = !extents.empty();
    extents.resize(3, 1);
    for (const Placed& node : placed_) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        if (node.place[axis] < extents[axis]) continue;
        if (are_given)
          source_.fail(node.line,
                       "a node lies outside the extents of line " + std::to_string(remarks.line_of_extents()));
        extents[axis] = node.place[axis] + 1;
      }
    }
    Lattice result;
    for (const int extent : extents) result.axes.push_back({extent, extent > 1});
    return result;
  }

  void put_nodes() {
    machine_.node_at.assign(static_cast<std::size_t>(machine_.lattice->points()), no_node);
    for (std::size_t node = 0; node < placed_.size(); ++node) {
      const auto& [place, line] = placed_[node];
      int& here = machine_.node_at[static_cast<std::size_t>(machine_.lattice->number_of(place))];
      if (here != no_node) {
        source_.fail(line, "nodes " + quoted(machine_.nodes[static_cast<std::size_t>(here)].name) + " and " +
                               quoted(machine_.nodes[node].name) + " are at one place; allowed: one node at each");
      }
      here = static_cast<int>(node);
    }
  }

  Source& source_;
  Machine machine_;
  std::vector<Placed> placed_;  // of each node
};

// The lines that begin with a key.
std::vector<ConfLine> lines_of(const ConfText& conf, std::string_view key) {
  std::vector<ConfLine> lines;
  for (const ConfLine& line : conf.lines) {
    if (line.words.front().key == key) lines.push_back(line);
  }
  return lines;
}

// A slurm.conf with a torus: then there are many more lines, that say nothing of the network.
bool is_slurm_conf(const ConfText& conf, const Source& source) {
  const std::vector<ConfLine> plugins = lines_of(conf, "topologyplugin");
  for (const ConfLine& line : plugins) {
    if (line.words.front().value == torus_plugin) continue;
    source.fail(line.number, "in a slurm.conf, only a torus is described; allowed: TopologyPlugin=" +
                                 std::string(torus_plugin) + ", or Slurm's topology.conf instead of this file");
  }
  return !plugins.empty();
}

void check_keys(const ConfText& conf, const Source& source) {
  if (is_slurm_conf(conf, source)) return;
  for (const ConfLine& line : conf.lines) {
    const std::string& key = line.words.front().key;
    if (key == "switchname" || key == "nodename") continue;
    source.fail(line.number, "a line begins with " + quoted(key) +
                                 "; allowed: SwitchName=NAME for a tree, NodeName=LIST for a torus");
  }
}

}  // namespace

Machine machine_from_slurm(std::string_view text, const std::string& file) {
  Source source(file);
  const ConfText conf = conf_text(text, file);
  check_keys(conf, source);
  const std::vector<ConfLine> switches = lines_of(conf, "switchname"), nodes = lines_of(conf, "nodename");
  if (switches.empty() && nodes.empty()) {
    source.fail(1, "describes no network; allowed: SwitchName=NAME for a tree, NodeName=LIST for a torus");
  }
  if (!switches.empty() && !nodes.empty()) {
    source.fail(nodes.front().number, "SwitchName and NodeName do not go together; allowed: a tree or a torus");
  }
  const bool is_tree = nodes.empty();
  const Remarks remarks(conf.remarks, {"rate", "hop_seconds", "arithmetic", is_tree ? "nics" : "extents"}, source);
  Machine machine = is_tree ? SwitchTree(switches, remarks, source).machine() : Torus(nodes, remarks, source).machine();
  machine.hop_seconds = remarks.positive("hop_seconds", machine.hop_seconds);
  machine.arithmetic_bytes_per_second = remarks.positive("arithmetic", machine.arithmetic_bytes_per_second);
  return machine;
}

}  // namespace espalier
