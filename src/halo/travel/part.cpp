// SPDX-License-Identifier: Apache-2.0
#include "halo/travel/part.hpp"

#include <map>
#include <optional>

namespace espalier::halo {

namespace {

Region block_of(Buffer buffer, int area, int place, int label) {
  return {.buffer = buffer, .area = area, .blocks = 1, .place = always(place), .label = always(label)};
}

class Assembly {
 public:
  explicit Assembly(const Part& part) : part_(part) {
    schedule_.blocks = part.inputs + part.outputs + part.passing().count;
  }

  // Whatever waits for something comes after it, and what others wait for before what this rank waits for.
  [[nodiscard]] Schedule assemble() {
    for (const Edge& edge : part_.received) receive(edge);
    for (const Edge& edge : part_.sent) send(edge);
    for (const Part::BlockCopy& copy : part_.copies) add_copy(home_of(copy.from), home_of(copy.to).region);
    for (std::size_t k = 0; k < dependencies_.size(); ++k) {
      Operation& operation = schedule_.operations[k];
      operation.first_dependency = static_cast<std::uint32_t>(schedule_.dependencies.size());
      operation.dependency_count = static_cast<std::uint32_t>(dependencies_[k].size());
      schedule_.dependencies.insert(schedule_.dependencies.end(), dependencies_[k].begin(), dependencies_[k].end());
    }
    return std::move(schedule_);
  }

 private:
  // Where a block lies, and what brings it there.
  struct Home {
    Region region;
    std::optional<std::uint32_t> brought_by;
  };

  void receive(const Edge& edge) {
    const bool is_of_output = edge.blocks.size() == 1 && part_.output().holds(edge.blocks.front());
    const Region target = is_of_output ? home_of(edge.blocks.front()).region : area_for(edge.blocks);
    Operation operation = message(Operation::Kind::recv, edge);
    operation.target = target;
    const std::uint32_t number = add(operation, {});
    for (int k = 0; k < target.blocks; ++k) {
      const int label = target.label.at(k);
      homes_[label] = {block_of(target.buffer, target.area, target.place.at(k), label), number};
    }
  }

  void send(const Edge& edge) {
    Operation operation = message(Operation::Kind::send, edge);
    std::vector<Dependency> after;
    if (lie_in_a_row(edge.blocks)) {
      const Home first = home_of(edge.blocks.front());
      operation.source = first.region;
      if (edge.blocks.size() > 1) operation.source = stretch(first.region, edge.blocks);
      after = after_arrival(first);
    } else {
      operation.source = area_for(edge.blocks);
      for (int k = 0; k < operation.source.blocks; ++k) {
        const int label = operation.source.label.at(k);
        after.push_back(
            after_all_of(add_copy(home_of(label), block_of(Buffer::scratch, operation.source.area, k, label))));
      }
    }
    (void)add(operation, after);
  }

  // One right after the other, where one message has brought them.
  [[nodiscard]] bool lie_in_a_row(const std::vector<int>& blocks) const {
    const Region first = home_of(blocks.front()).region;
    for (std::size_t k = 1; k < blocks.size(); ++k) {
      const Region next = home_of(blocks[k]).region;
      if (next.buffer != Buffer::scratch || next.area != first.area) return false;
      if (next.place.at(0) != first.place.at(0) + static_cast<int>(k)) return false;
    }
    return true;
  }
  [[nodiscard]] Region stretch(const Region& first, const std::vector<int>& blocks) {
    return {.buffer = Buffer::scratch,
            .area = first.area,
            .blocks = static_cast<int>(blocks.size()),
            .place = {.first = first.place.at(0)},
            .label = listed(blocks)};
  }

  [[nodiscard]] Home home_of(int label) const {
    if (const auto found = homes_.find(label); found != homes_.end()) return found->second;
    const bool is_input = part_.input().holds(label);
    const Held held = is_input ? part_.input() : part_.output();
    return {block_of(is_input ? Buffer::input : Buffer::output, -1, held.place_of(label), label), {}};
  }
  [[nodiscard]] static Dependency after_all_of(std::uint32_t operation) {
    return {.operation = operation, .shift = 0, .kind = Dependency::Kind::whole};
  }
  [[nodiscard]] static std::vector<Dependency> after_arrival(const Home& home) {
    if (!home.brought_by) return {};
    return {after_all_of(*home.brought_by)};
  }

  // Memory of this part's own for these.
  [[nodiscard]] Region area_for(const std::vector<int>& blocks) {
    const auto count = static_cast<int>(blocks.size());
    const Walk labels = listed(blocks);
    schedule_.areas.push_back({.kind = Area::Kind::packed, .blocks = count, .labels = labels});
    const auto area = static_cast<int>(schedule_.areas.size()) - 1;
    return {.buffer = Buffer::scratch, .area = area, .blocks = count, .place = {}, .label = labels};
  }
  [[nodiscard]] Walk listed(const std::vector<int>& labels) {
    schedule_.lists.push_back(std::make_shared<const std::vector<std::int32_t>>(labels));
    return {.list = schedule_.lists.back().get()};
  }

  [[nodiscard]] static Operation message(Operation::Kind kind, const Edge& edge) {
    return {.kind = kind,
            .channel = edge.channel,
            .path = edge.path,
            .merged = edge.blocks.size() > 1,
            .peers = always(edge.peer)};
  }
  std::uint32_t add_copy(const Home& from, const Region& to) {
    return add({.kind = Operation::Kind::copy, .source = from.region, .target = to}, after_arrival(from));
  }
  std::uint32_t add(const Operation& operation, const std::vector<Dependency>& after) {
    schedule_.operations.push_back(operation);
    dependencies_.push_back(after);
    return static_cast<std::uint32_t>(schedule_.operations.size()) - 1;
  }

  const Part& part_;
  Schedule schedule_;
  std::vector<std::vector<Dependency>> dependencies_;  // by operation
  std::map<int, Home> homes_;                          // of what has arrived, by label
};

}  // namespace

Schedule schedule_of(const Part& part) { return Assembly(part).assemble(); }

}  // namespace espalier::halo
