// SPDX-License-Identifier: Apache-2.0
#include "differential/task.hpp"

#include <map>
#include <stdexcept>

#include "differential/buffer.hpp"
#include "policy/selection/selector.hpp"
#include "select/forced.hpp"
#include "shared/preloaded.hpp"
#include "shared/random.hpp"

namespace espalier::apps {

namespace {

// Between groups the first half's rank is the root.
int root_between(const Case& one, const Group& group) {
  if (group.is_receiving) return one.root % group.remote_size;
  return group.rank == one.root % group.size ? MPI_ROOT : MPI_PROC_NULL;
}

int root_of(const Case& one, const Group& group) {
  if (!one.contract().is_rooted()) return 0;
  return group.is_between_groups() ? root_between(one, group) : one.root % group.size;
}

// Both blocks between two ranks.
int smaller_of_pair(int label, int size) {
  const int from = label / size, to = label % size;
  return std::min(from, to) * size + std::max(from, to);
}

int units_by(Pattern pattern, int most, std::uint64_t random) {
  switch (pattern) {
    case Pattern::equal: break;
    case Pattern::mixed:
      return random % 3 == 0 || most == 0 ? 0 : 1 + static_cast<int>(random / 3 % static_cast<std::uint64_t>(most));
    case Pattern::alternate: return random % 2 == 0 ? most : 0;
    case Pattern::one: return random % 5 == 0 ? most : 0;
  }
  return most;
}

// Decides as the library should.
const Selector& selector_for(const std::string& algorithm) {
  static std::map<std::string, Selector> made;
  const auto found = made.find(algorithm);
  if (found != made.end()) return found->second;
  Settings settings;
  const std::string error = algorithm.empty() ? "" : force(std::string_view(algorithm), settings);
  if (!error.empty()) throw std::invalid_argument(algorithm + ": " + error);
  return made.emplace(algorithm, Selector(settings)).first->second;
}

}  // namespace

Task::Task(const Case& one, const Group& group)
    : case_(one), contract_(one.contract()), group_(group), root_(root_of(one, group)) {
  if (contract_.reduces) {
    operand_ = &operand_named(one.type, one.op);
  } else {
    layout_ = &layout_named(one.type);
  }
  is_in_place_ = contract_.in_place == InPlace::always || (may_be_in_place() && wants_in_place());
}

bool Task::has(Holder holder) const {
  if (!contract_.carries_data) return false;
  if (group_.is_between_groups() && contract_.is_rooted()) {
    return holder == Holder::root ? root_ == MPI_ROOT : group_.is_receiving;
  }
  return holder == Holder::every_rank || (holder == Holder::root ? group_.rank == root_ : group_.rank > 0);
}

bool Task::may_be_in_place() const {
  if (!contract_.carries_data || group_.is_between_groups()) return false;
  if (contract_.in_place == InPlace::stays) return has(contract_.input_at);
  return has(contract_.output_at) || contract_.output_at == Holder::all_but_first;
}

bool Task::wants_in_place() const {
  if (case_.in_place != InPlaceWish::mixed) return case_.in_place == InPlaceWish::yes;
  return scramble(case_.seed, 11, group_.rank) % 2 == 0;
}

// Between groups everybody has blocks for the ranks of the other one, but the blocks of a result that is distributed
// are those of his own.
Held Task::held(BufferPart part) const {
  if (!group_.is_between_groups()) return held_by(contract_, part, group_.rank, group_.size, 1);
  if (part == BufferPart::own || is_one_message()) return {1, 0, 1};
  return {contract_.reduces ? group_.size : group_.remote_size, 0, 1};
}

int Task::units(int label) const {
  if (!contract_.carries_data) return 0;
  if (group_.is_between_groups()) {
    // Both groups distribute equally much.
    const bool shares_out = contract_.reduces && contract_.division == Division::by_rank;
    return case_.count * (shares_out ? group_.remote_size : 1);
  }
  if (!case_.form->function.is_uneven) return case_.count;
  const bool is_symmetric = contract_.division == Division::by_pair && case_.in_place != InPlaceWish::no;
  const int which = is_symmetric ? smaller_of_pair(label, group_.size) : label;
  return units_by(case_.pattern, case_.count, scramble(case_.seed, 12, which));
}

std::vector<int> Task::units_of(const Held& blocks) const {
  std::vector<int> units_of_each;
  for (int place = 0; place < blocks.count; ++place) units_of_each.push_back(units(blocks.label_at(place)));
  return units_of_each;
}

int Task::place() const { return group_.is_between_groups() ? group_.rank : wrap(group_.rank - root_, group_.size); }

Side Task::unit(int who) const { return operand_ != nullptr ? Side{operand_->type, 1} : layout_->unit(who); }

// Between groups each rank gives blocks of its own.
std::vector<std::byte> Task::message(int label, std::uint64_t seed) const {
  const std::size_t bytes = layout_->unit_bytes() * static_cast<std::size_t>(units(label));
  const int whose = group_.is_between_groups() ? 1 + 2 * group_.rank + (group_.is_receiving ? 1 : 0) : 0;
  return make_message(bytes, scramble(seed, label, whose));
}

int Task::units_of_all() const {
  int sum = 0;
  for (int label = 0; label < label_count(contract_, group_.size, 1); ++label) sum += units(label);
  return sum;
}

Problem Task::problem() const {
  Problem problem{.collective = contract_.collective,
                  .root = contract_.is_rooted() ? root_ : 0,
                  .is_uneven = case_.form->function.is_uneven};
  if (!contract_.carries_data) return problem;
  int units = case_.count;
  if (problem.is_uneven) units = contract_.sizes_are_common() ? units_of_all() / group_.size : 0;
  problem.count = static_cast<std::size_t>(units);
  if (!contract_.reduces) {
    problem.count *= layout_->unit_bytes();
    return problem;
  }
  problem.element_bytes = packed_bytes(operand_->type, 1);
  problem.arithmetic = operand_->commutes ? Arithmetic::commutative : Arithmetic::rank_order;
  return problem;
}

Choice Task::choice() const { return selector_for(case_.algorithm).decide(problem(), {group_.size}).first_choice(); }

bool Task::moves_something() const {
  if (group_.size <= 1) return false;
  const std::size_t unit_bytes = operand_ != nullptr ? 1 : layout_->unit_bytes();
  return !contract_.carries_data || (units_of_all() > 0 && unit_bytes > 0);
}

// Requests may outlive an operation of the application's.
bool Task::is_ours() const {
  if (!is_active() || group_.is_between_groups() || !moves_something()) return false;
  if (case_.form->kind != Kind::blocking && contract_.reduces && !operand_->is_predefined) return false;
  return !choice().native();
}

}  // namespace espalier::apps
