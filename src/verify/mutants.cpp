// SPDX-License-Identifier: Apache-2.0
#include "verify/mutants.hpp"

#include <utility>

namespace espalier {

namespace {

// A schedule whose operations can be moved about.
struct Draft {
  struct DraftOperation {
    Operation op;
    std::vector<Dependency> dependencies;
  };
  int blocks = 1;
  std::vector<Area> areas;
  decltype(Schedule::lists) lists;
  std::vector<DraftOperation> steps;

  explicit Draft(const Schedule& schedule) : blocks(schedule.blocks), areas(schedule.areas), lists(schedule.lists) {
    for (const Operation& op : schedule.operations) {
      const auto own = schedule.dependencies_of(op);
      steps.push_back({op, {own.begin(), own.end()}});
    }
  }

  [[nodiscard]] Schedule finish() const {
    Schedule schedule;
    schedule.blocks = blocks;
    schedule.areas = areas;
    schedule.lists = lists;
    for (const DraftOperation& step : steps) {
      Operation op = step.op;
      op.first_dependency = static_cast<std::uint32_t>(schedule.dependencies.size());
      op.dependency_count = static_cast<std::uint32_t>(step.dependencies.size());
      schedule.operations.push_back(op);
      schedule.dependencies.insert(schedule.dependencies.end(), step.dependencies.begin(), step.dependencies.end());
    }
    return schedule;
  }

  // Operations get new numbers; no_number: it has gone, and with it what depended on it.
  static constexpr std::uint32_t no_number = ~std::uint32_t{0};
  template <class NewNumber>
  void renumber(const NewNumber& new_number) {
    for (DraftOperation& step : steps) {
      std::vector<Dependency> kept;
      for (Dependency dependency : step.dependencies) {
        dependency.operation = new_number(dependency.operation);
        if (dependency.operation != no_number) kept.push_back(dependency);
      }
      step.dependencies = std::move(kept);
    }
  }

  void drop(std::uint32_t number) {
    steps.erase(steps.begin() + number);
    renumber([=](std::uint32_t k) { return k == number ? no_number : k > number ? k - 1 : k; });
  }
  void double_up(std::uint32_t number) {
    renumber([=](std::uint32_t k) { return k > number ? k + 1 : k; });
    steps.insert(steps.begin() + number + 1, DraftOperation(steps[number]));
  }
  void swap_with_next(std::uint32_t number) {
    std::swap(steps[number], steps[number + 1]);
    renumber([=](std::uint32_t k) { return k == number ? number + 1 : k == number + 1 ? number : k; });
  }
};

class Maker {
 public:
  Maker(const Schedule& schedule, Rank me, Rank ranks) : original_(schedule), me_(me), ranks_(ranks) {}

  std::vector<Mutant> run() {
    for (number_ = 0; number_ < original_.steps.size(); ++number_) {
      mutate_order();
      mutate_operation();
      mutate_regions();
      for (at_ = 0; at_ < original_.steps[number_].dependencies.size(); ++at_) mutate_dependency();
    }
    return std::move(mutants_);
  }

 private:
  // One mutant: `change` is made to a draft of the schedule.
  template <class Change>
  void make(Mutation mutation, const std::string& where, const Change& change) {
    Draft draft = original_;
    change(draft);
    mutants_.push_back({mutation, "operation " + std::to_string(number_) + where, draft.finish()});
  }
  // Unless it makes no difference at all: a walk over the only block that goes round comes back to it.
  template <class Change>
  void make_operation(Mutation mutation, const Change& change) {
    Operation changed = original_.steps[number_].op;
    change(changed);
    if (means_the_same(changed, original_.steps[number_].op)) return;
    make(mutation, "", [&](Draft& draft) { draft.steps[number_].op = changed; });
  }
  template <class Change>
  void make_dependency(Mutation mutation, const Change& change) {
    make(mutation, ", dependency " + std::to_string(at_),
         [&](Draft& draft) { change(draft.steps[number_].dependencies[at_]); });
  }

  void mutate_order() {
    make(Mutation::drop_operation, "", [&](Draft& draft) { draft.drop(number_); });
    make(Mutation::double_operation, "", [&](Draft& draft) { draft.double_up(number_); });
    if (number_ + 1 == original_.steps.size()) return;
    make(Mutation::swap_operations, "", [&](Draft& draft) { draft.swap_with_next(number_); });
  }

  void mutate_operation() {
    const Operation& op = original_.steps[number_].op;
    make_operation(Mutation::change_merging, [](Operation& changed) { changed.merged = !changed.merged; });
    for (const int by : {-1, 1}) {
      make_operation(Mutation::change_block, [&](Operation& changed) {
        for_each_region(changed, [&](Region& region) { move_block(region, by); });
      });
      make_operation(Mutation::change_length, [&](Operation& changed) {
        for_each_region(changed, [&](Region& region) { region.blocks += by; });
      });
    }
    if (op.walked().blocks > 1) {
      make_operation(Mutation::change_direction, [](Operation& changed) {
        for_each_region(changed, [](Region& region) {
          region.label.step = -region.label.step;
          if (region.buffer != Buffer::scratch) region.place.step = -region.place.step;
        });
      });
    }
    if (op.kind == Operation::Kind::reduce) {
      make_operation(Mutation::swap_operands,
                     [](Operation& changed) { std::swap(changed.source, changed.source_right); });
    }
    if (op.communicates()) mutate_channel(op);
  }

  void mutate_channel(const Operation& op) {
    make_operation(Mutation::change_channel,
                   [](Operation& changed) { changed.channel = static_cast<Channel>(changed.channel + 1); });
    for (const int by : {1, ranks_ - 1}) {
      const Rank peer = wrap(std::int64_t{op.peer()} + by, ranks_);
      if (peer == op.peer() || peer == me_) continue;
      make_operation(Mutation::change_peer, [&](Operation& changed) {
        changed.peers.first = op.has_one_peer() ? peer : changed.peers.first + by;
      });
      if (ranks_ == 3) break;  // both lead to the same rank, or to this one
    }
  }

  void mutate_regions() {
    for (Region Operation::*which : {&Operation::source, &Operation::source_right, &Operation::target}) {
      const Region& region = original_.steps[number_].op.*which;
      if (region.buffer == Buffer::none) continue;
      for (const int by : {-1, 1}) {
        make_operation(Mutation::change_place, [&](Operation& changed) { (changed.*which).place.first += by; });
        make_operation(Mutation::change_label, [&](Operation& changed) { (changed.*which).label.first += by; });
      }
      mutate_buffer(which, region);
    }
  }

  void mutate_buffer(Region Operation::*which, const Region& region) {
    for (const Buffer buffer : {Buffer::input, Buffer::output}) {
      if (region.buffer == buffer) continue;
      make_operation(Mutation::change_buffer, [&](Operation& changed) {
        (changed.*which) = {buffer, -1, region.blocks, region.label, region.label};
      });
    }
    for (int area = 0; area < static_cast<int>(original_.areas.size()); ++area) {
      const bool neighbour = region.buffer != Buffer::scratch || area == region.area - 1 || area == region.area + 1;
      if (!neighbour) continue;
      make_operation(Mutation::change_buffer, [&](Operation& changed) {
        (changed.*which).buffer = Buffer::scratch;
        (changed.*which).area = area;
        if (region.buffer != Buffer::scratch) (changed.*which).place = {0, 1, 0};
      });
    }
  }

  void mutate_dependency() {
    const std::string where = ", dependency " + std::to_string(at_);
    const auto& own = original_.steps[number_].dependencies;
    const Dependency& dependency = own[at_];
    const auto list = [&](Draft& draft) -> std::vector<Dependency>& { return draft.steps[number_].dependencies; };
    make(Mutation::drop_dependency, where, [&](Draft& draft) { list(draft).erase(list(draft).begin() + at_); });
    make(Mutation::double_dependency, where, [&](Draft& draft) { list(draft).push_back(dependency); });
    if (at_ + 1 < own.size()) {
      make(Mutation::swap_dependencies, where,
           [&](Draft& draft) { std::swap(list(draft)[at_], list(draft)[at_ + 1]); });
    }
    for (const int by : {-1, 1}) {
      const std::int64_t other = std::int64_t{dependency.operation} + by;
      const bool exists = other >= 0 && other < static_cast<std::int64_t>(original_.steps.size());
      if (exists && other != number_) {
        make_dependency(Mutation::redirect_dependency,
                        [&](Dependency& changed) { changed.operation = static_cast<std::uint32_t>(other); });
      }
      if (dependency.kind == Dependency::Kind::aligned) {
        make_dependency(Mutation::change_shift, [&](Dependency& changed) { changed.shift += by; });
      }
    }
    using Kind = Dependency::Kind;
    for (const Kind kind : {Kind::aligned, Kind::lagged, Kind::whole, Kind::posted, Kind::in_step}) {
      if (kind == dependency.kind) continue;
      make_dependency(Mutation::change_kind, [&](Dependency& changed) { changed.kind = kind; });
    }
  }

  [[nodiscard]] bool means_the_same(const Operation& a, const Operation& b) const {
    return a.channel == b.channel && a.merged == b.merged && have_the_same_peers(a, b) &&
           means_the_same(a.source, b.source) && means_the_same(a.source_right, b.source_right) &&
           means_the_same(a.target, b.target);
  }
  [[nodiscard]] static bool have_the_same_peers(const Operation& a, const Operation& b) {
    if (!a.communicates()) return true;
    for (int k = 0; k < std::max(a.walked().blocks, b.walked().blocks); ++k) {
      if (a.peer(k) != b.peer(k)) return false;
    }
    return true;
  }
  [[nodiscard]] bool means_the_same(const Region& a, const Region& b) const {
    if (a.buffer != b.buffer || a.area != b.area || a.blocks != b.blocks) return false;
    const bool in_ring = a.buffer == Buffer::scratch && original_.areas[a.area].kind == Area::Kind::ring;
    for (int k = 0; k < a.blocks; ++k) {
      if (a.label.at(k) != b.label.at(k) || (!in_ring && a.place.at(k) != b.place.at(k))) return false;
    }
    return true;
  }

  template <class Change>
  static void for_each_region(Operation& op, const Change& change) {
    for (Region* region : {&op.source, &op.source_right, &op.target}) {
      if (region->buffer != Buffer::none) change(*region);
    }
  }

  void move_block(Region& region, int by) const {
    if (region.label.list == nullptr && region.label.scale == 1 && region.label.base == 0) {
      region.label.first = wrap(std::int64_t{region.label.first} + by, original_.blocks);
      if (region.buffer != Buffer::scratch) region.place.first = region.label.first;
    } else {
      region.label.first += by;
      if (region.buffer != Buffer::scratch) region.place.first += by;
    }
  }

  const Draft original_;
  Rank me_, ranks_;
  std::uint32_t number_ = 0;
  std::size_t at_ = 0;  // a dependency of the operation
  std::vector<Mutant> mutants_;
};

}  // namespace

std::string_view name_of(Mutation mutation) {
  static constexpr std::string_view names[mutation_kinds] = {
      "drop operation",    "double operation",    "swap operations", "swap operands",   "change peer",
      "change channel",    "change block",        "change label",    "change place",    "change length",
      "change direction",  "change buffer",       "change merging",  "drop dependency", "double dependency",
      "swap dependencies", "redirect dependency", "change shift",    "change kind"};
  return names[static_cast<int>(mutation)];
}

std::vector<Mutant> make_mutants(const Schedule& schedule, Rank me, Rank ranks) {
  return Maker(schedule, me, ranks).run();
}

}  // namespace espalier
