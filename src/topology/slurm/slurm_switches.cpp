// SPDX-License-Identifier: Apache-2.0
#include "topology/slurm/slurm_switches.hpp"

#include <algorithm>
#include <unordered_map>

namespace espalier {

namespace {

class Switches {
 public:
  Switches(const std::vector<SlurmSwitch>& switches, const char* kind, int nics, SlurmSource& source)
      : source_(source), kind_(kind), switches_(switches), children_(switches.size()) {
    for (std::size_t number = 0; number < switches_.size(); ++number) add(number, nics);
    for (std::size_t number = 0; number < switches_.size(); ++number) find_children(number);
    check_rings();
    if (nodes_.empty()) {
      source_.fail(switches_.front().line, std::string("no ") + kind_ + " has nodes; allowed: Nodes=tux[0-5,7]");
    }
  }

  std::vector<MachineNode> nodes() && { return std::move(nodes_); }

 private:
  void add(std::size_t number, int nics) {
    const SlurmSwitch& one = switches_[number];
    if (one.name.empty() || one.name.find_first_of("[],") != std::string::npos) {
      source_.fail(one.line, quoted(one.name) + ": a name stands for one " + kind_ + "; allowed: a name such as s0");
    }
    if (!number_of_.emplace(one.name, number).second) fail(one, "is described twice");
    if (!one.nodes.empty() && !one.switches.empty()) fail(one, "has nodes and switches; allowed: one of them");
    if (!one.nodes.empty()) add_nodes(number, nics);
  }

  void add_nodes(std::size_t number, int nics) {
    const SlurmSwitch& leaf = switches_[number];
    for (const std::string& name : source_.nodes(leaf.nodes, leaf.line)) {
      const auto [found, is_new] = leaf_of_.emplace(name, number);
      if (!is_new) {
        source_.fail(leaf.line, "node " + quoted(name) + " is under " + kind_ + " " +
                                    quoted(switches_[found->second].name) + " already; a node is under one " + kind_ +
                                    ", once");
      }
      nodes_.push_back({name, nics, sites_});
    }
    ++sites_;
  }

  void find_children(std::size_t number) {
    const SlurmSwitch& parent = switches_[number];
    if (parent.switches.empty()) return;
    for (const std::string& name : source_.names(parent.switches, parent.line)) {
      const auto found = number_of_.find(name);
      if (found == number_of_.end()) {
        source_.fail(parent.line, "there is no switch " + quoted(name) + "; allowed: those that this file describes");
      }
      children_[number].push_back(found->second);
    }
  }

  // Takes away those below which nothing is left, time and again: what stays is on a ring, or above one.
  void check_rings() const {
    std::vector<std::vector<std::size_t>> parents(switches_.size());
    std::vector<std::size_t> left(switches_.size()), free;
    for (std::size_t number = 0; number < switches_.size(); ++number) {
      for (const std::size_t child : children_[number]) parents[child].push_back(number);
      left[number] = children_[number].size();
      if (left[number] == 0) free.push_back(number);
    }
    for (std::size_t k = 0; k < free.size(); ++k) {
      for (const std::size_t parent : parents[free[k]]) {
        if (--left[parent] == 0) free.push_back(parent);
      }
    }
    if (free.size() < switches_.size()) fail_at_ring(left);
  }

  // Going down from one that is left, always to another one that is.
  [[noreturn]] void fail_at_ring(const std::vector<std::size_t>& left) const {
    const auto is_left = [&](std::size_t number) { return left[number] > 0; };
    std::vector<bool> seen(switches_.size(), false);
    auto at = static_cast<std::size_t>(std::ranges::find_if(left, [](std::size_t count) { return count > 0; }) -
                                       left.begin());
    while (!seen[at]) {
      seen[at] = true;
      at = *std::ranges::find_if(children_[at], is_left);
    }
    fail(switches_[at], "is below itself; allowed: what has no ring");
  }

  [[noreturn]] void fail(const SlurmSwitch& one, const std::string& what) const {
    source_.fail(one.line, std::string(kind_) + " " + quoted(one.name) + " " + what);
  }

  SlurmSource& source_;
  const char* const kind_;
  const std::vector<SlurmSwitch>& switches_;
  std::vector<std::vector<std::size_t>> children_;
  std::vector<MachineNode> nodes_;
  std::unordered_map<std::string, std::size_t> number_of_;  // of each switch
  std::unordered_map<std::string, std::size_t> leaf_of_;    // of each node
  int sites_ = 0;
};

}  // namespace

Machine machine_of_switches(const std::vector<SlurmSwitch>& switches, const char* kind, const SlurmRemarks& remarks,
                            SlurmSource& source) {
  Machine machine;
  machine.nodes = Switches(switches, kind, remarks.nics(), source).nodes();
  machine.nic_bytes_per_second = remarks.rate();
  remarks.put_costs(machine);
  return machine;
}

}  // namespace espalier
