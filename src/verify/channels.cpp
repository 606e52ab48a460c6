// SPDX-License-Identifier: Apache-2.0
#include "verify/channels.hpp"

#include <algorithm>

#include "verify/describe.hpp"

namespace espalier::proof {

namespace {

// The messages of one side of a channel, unit by unit.
class Units {
 public:
  struct Unit {
    int label = 0;
    int merged_blocks = 0;  // 0: not merged
    friend bool operator==(const Unit&, const Unit&) = default;
  };

  Units(const Network& network, const std::vector<std::uint32_t>& operations)
      : network_(network), operations_(operations) {}

  [[nodiscard]] bool at_end() const { return at_ == operations_.size(); }
  [[nodiscard]] std::uint32_t operation() const { return operations_[at_]; }
  [[nodiscard]] Unit unit() const {
    const Operation& op = network_.operation(operation());
    return {op.walked().label.at(block_), op.merged ? op.walked().blocks : 0};
  }
  void advance() {
    const Operation& op = network_.operation(operation());
    if (++block_ < op.walked().blocks && !op.merged) return;
    block_ = 0;
    ++at_;
  }

 private:
  const Network& network_;
  const std::vector<std::uint32_t>& operations_;
  std::size_t at_ = 0;
  int block_ = 0;
};

std::string text_of(const Units::Unit& unit) {
  const std::string label = "block " + std::to_string(unit.label);
  return unit.merged_blocks == 0 ? label : std::to_string(unit.merged_blocks) + " merged blocks from " + label + " on";
}

std::string check_messages(const Network& network, const Network::Channel& channel) {
  Units sent(network, channel.sends), received(network, channel.receives);
  for (; !sent.at_end() && !received.at_end(); sent.advance(), received.advance()) {
    if (sent.unit() == received.unit()) continue;
    return describe(channel) + ": " + describe(network, sent.operation()) + " sends " + text_of(sent.unit()) +
           " where " + describe(network, received.operation()) + " expects " + text_of(received.unit());
  }
  if (!sent.at_end())
    return describe(channel) + ": nothing receives what " + describe(network, sent.operation()) + " sends";
  if (!received.at_end()) {
    return describe(channel) + ": nothing is sent for " + describe(network, received.operation());
  }
  return {};
}

// Which operations have surely posted all their items when the first item of an operation is posted?
class PostedBefore {
 public:
  explicit PostedBefore(const Network& network) : network_(network) {}

  [[nodiscard]] bool operator()(std::uint32_t earlier, std::uint32_t later) const {
    for (const Dependency& dependency : network_.dependencies_of(later)) {
      if (network_.target_of(later, dependency) == earlier && is_full(dependency, later)) return true;
    }
    return reaches(earlier, later);
  }

 private:
  [[nodiscard]] bool is_full(const Dependency& dependency, std::uint32_t of) const {
    if (dependency.kind == Dependency::Kind::whole || dependency.kind == Dependency::Kind::posted) return true;
    if (dependency.kind != Dependency::Kind::aligned || dependency.shift < 0) return false;
    const Operation& op = network_.operation(network_.target_of(of, dependency));
    return op.merged || dependency.shift >= op.walked().blocks;
  }

  // All that has begun before `later` begins, by dependencies of first items on first items.
  [[nodiscard]] bool reaches(std::uint32_t earlier, std::uint32_t later) const {
    std::vector<std::uint32_t> open{later}, seen{later};
    while (!open.empty()) {
      const std::uint32_t op = open.back();
      open.pop_back();
      for (const Dependency& dependency : network_.dependencies_of(op)) {
        const bool has_begun =
            is_full(dependency, op) || (dependency.kind == Dependency::Kind::aligned && dependency.shift >= 0);
        const std::uint32_t target = network_.target_of(op, dependency);
        if (!has_begun) continue;
        if (target == earlier && is_full(dependency, op)) return true;
        if (std::ranges::find(seen, target) != seen.end()) continue;
        seen.push_back(target);
        open.push_back(target);
      }
    }
    return false;
  }

  const Network& network_;
};

std::string check_side(const Network& network, const std::vector<std::uint32_t>& side) {
  const PostedBefore posted_before(network);
  for (std::size_t k = 1; k < side.size(); ++k) {
    if (posted_before(side[k - 1], side[k])) continue;
    return describe(network, side[k]) + " may be posted before operation " +
           std::to_string(network.number_of(side[k - 1])) + ", which is earlier on the same channel";
  }
  return {};
}

}  // namespace

std::string check_messages(const Network& network) {
  for (const Network::Channel& channel : network.channels()) {
    std::string wrong = check_messages(network, channel);
    if (!wrong.empty()) return wrong;
  }
  return {};
}

std::string check_posting_order(const Network& network) {
  for (const Network::Channel& channel : network.channels()) {
    for (const auto* side : {&channel.sends, &channel.receives}) {
      std::string wrong = check_side(network, *side);
      if (!wrong.empty()) return wrong;
    }
  }
  return {};
}

}  // namespace espalier::proof
