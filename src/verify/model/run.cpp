// SPDX-License-Identifier: Apache-2.0
#include "verify/model/run.hpp"

#include "verify/model/describe.hpp"

namespace espalier::proof {

using Kind = Operation::Kind;

SymbolicRun::SymbolicRun(const AllRanks& all, std::span<const Partition> partitions, IssueOrder order,
                         Expressions& expressions)
    : all_(all),
      partitions_(partitions),
      order_(order),
      expressions_(expressions),
      states_(all.operations()),
      traffic_(all.channels().size()),
      events_(all.size()) {
  cells_.reserve(static_cast<std::size_t>(all.size()));
  for (Rank rank = 0; rank < all.size(); ++rank) {
    const Cells& cells = cells_.emplace_back(all.problem(), rank, all.schedule(rank), partitions[rank], order.window);
    memory_.emplace_back(cells.size());
    std::size_t events = 0;
    for (std::uint32_t op = all.first(rank); op < all.first(rank + 1); ++op) {
      states_[op].items = cells.items().count(all.number_of(op));
      events += states_[op].items;
    }
    events_[rank].reserve(events);
  }
  define_inputs();
  find_dependants();
}

void SymbolicRun::define_inputs() {
  const Case& problem = all_.problem();
  for (Rank rank = 0; rank < all_.size(); ++rank) {
    const Held held = problem.input(rank, all_.blocks());
    const bool in_place = problem.in_place_at(rank);
    for (int place = 0; place < held.count; ++place) {
      const int label = held.label_at(place);
      const int there = in_place ? problem.place_in_output(rank, label, all_.blocks()) : place;
      for (int segment = 0; segment < partitions_[rank].segments(label); ++segment) {
        const Cells& cells = cells_[rank];
        memory_[rank][in_place ? cells.output(there, segment) : cells.input(there, segment)] = {Expressions::leaf(rank),
                                                                                                label, segment};
      }
    }
  }
}

void SymbolicRun::find_dependants() {
  first_dependant_.assign(all_.operations() + 1, 0);
  for (std::uint32_t op = 0; op < all_.operations(); ++op) {
    for (const Dependency& dependency : all_.dependencies_of(op)) {
      const std::uint32_t target = all_.target_of(op, dependency);
      ++first_dependant_[target + 1];
      if (dependency.kind == Dependency::Kind::in_step) states_[target].leads = true;
    }
  }
  for (std::uint32_t op = 0; op < all_.operations(); ++op) first_dependant_[op + 1] += first_dependant_[op];
  dependants_.resize(first_dependant_.back());
  std::vector<std::uint32_t> next = first_dependant_;
  for (std::uint32_t op = 0; op < all_.operations(); ++op) {
    for (const Dependency& dependency : all_.dependencies_of(op)) {
      dependants_[next[all_.target_of(op, dependency)]++] = op;
    }
  }
}

std::string SymbolicRun::run() {
  for (std::uint32_t op = all_.operations(); op-- > 0;) wake(op);
  while (!queue_.empty() && error_.empty()) {
    const std::uint32_t op = order_.breadth_first ? queue_.front() : queue_.back();
    order_.breadth_first ? queue_.pop_front() : queue_.pop_back();
    states_[op].queued = false;
    while (error_.empty() && can_post(op)) post(op);
  }
  return error_.empty() ? explain_stop() : error_;
}

void SymbolicRun::wake(std::uint32_t op) {
  OperationState& state = states_[op];
  if (state.queued || state.posted == state.items) return;
  state.queued = true;
  queue_.push_back(op);
}

void SymbolicRun::wake_dependants(std::uint32_t op) {
  for (std::uint32_t k = first_dependant_[op]; k < first_dependant_[op + 1]; ++k) wake(dependants_[k]);
}

bool SymbolicRun::can_post(std::uint32_t op) const {
  const OperationState& state = states_[op];
  if (state.posted == state.items || state.posted - state.done >= order_.in_flight) return false;
  for (const Dependency& dependency : all_.dependencies_of(op)) {
    const OperationState& other = states_[all_.target_of(op, dependency)];
    const int reached = dependency.is_of_posting() ? other.posted : other.done;
    if (reached < needed(dependency, op, state.posted)) return false;
  }
  return true;
}

void SymbolicRun::post(std::uint32_t op) {
  OperationState& state = states_[op];
  const int item = state.posted++;
  if (state.posted == state.items || state.leads) wake_dependants(op);
  switch (all_.operation(op).kind) {
    case Kind::send:
    case Kind::recv: post_message(op, item); return;
    case Kind::copy: copy(op, item); break;
    case Kind::reduce: reduce(op, item); break;
  }
  finish(op, item);
}

void SymbolicRun::post_message(std::uint32_t op, int item) {
  const int block = all_.operation(op).merged ? 0 : items_of(op).piece(all_.number_of(op), item).block;
  const std::uint32_t number = all_.channel_of(op, block);
  const AllRanks::ChannelEnds& channel = all_.channels()[number];
  Traffic& traffic = traffic_[number];
  const bool sends = all_.operation(op).kind == Kind::send;
  const Event next =
      take(sends ? traffic.posting_send : traffic.posting_receive, sends ? channel.sends : channel.receives);
  if (next.op != op || next.item != item) {
    return fail(describe(all_, op) + " is posted before operation " + std::to_string(all_.number_of(next.op)) +
                ", which is earlier on the same channel");
  }
  ++(sends ? traffic.sends_posted : traffic.receives_posted);
  match(number);
}

void SymbolicRun::match(std::uint32_t number) {
  const AllRanks::ChannelEnds& channel = all_.channels()[number];
  Traffic& traffic = traffic_[number];
  if (traffic.sends_posted == 0 || traffic.receives_posted == 0) return;
  --traffic.sends_posted;
  --traffic.receives_posted;
  const Event send = take(traffic.next_send, channel.sends), receive = take(traffic.next_receive, channel.receives);
  transfer(send, receive);
  finish(send.op, send.item);
  finish(receive.op, receive.item);
}

SymbolicRun::Event SymbolicRun::take(Cursor& cursor, const std::vector<Stretch>& side) const {
  if (cursor.item == cursor.end) {
    const Stretch& stretch = side[cursor.next_stretch++];
    const Items& items = items_of(stretch.op);
    const std::uint32_t number = all_.number_of(stretch.op);
    cursor.op = stretch.op;
    cursor.item = items.first_item(number, stretch.first);
    cursor.end = items.first_item(number, stretch.first + stretch.blocks);
  }
  return {cursor.op, cursor.item++};
}

void SymbolicRun::finish(std::uint32_t op, int item) {
  ++states_[op].done;
  events_[all_.rank_of(op)].push_back({op, item});
  wake(op);
  wake_dependants(op);
}

void SymbolicRun::transfer(Event send, Event receive) {
  const Rank from = all_.rank_of(send.op), to = all_.rank_of(receive.op);
  const CellRange source = load(send.op, all_.operation(send.op).source, send.item);
  const CellRange target = cells_of(receive.op, all_.operation(receive.op).target, receive.item);
  if (source.count != target.count)
    return fail(describe(all_, send.op, send.item) + " sends another number of segments than are expected");
  for (std::uint32_t k = 0; k < target.count; ++k) memory_[to][target.first + k] = memory_[from][source.first + k];
}

void SymbolicRun::copy(std::uint32_t number, int item) {
  const Operation& op = all_.operation(number);
  const Rank rank = all_.rank_of(number);
  const CellRange source = load(number, op.source, item);
  const CellRange target = cells_of(number, op.target, item);
  std::vector<SymbolicValue>& memory = memory_[rank];
  for (std::uint32_t k = 0; k < target.count; ++k) memory[target.first + k] = memory[source.first + k];
}

void SymbolicRun::reduce(std::uint32_t number, int item) {
  const Operation& op = all_.operation(number);
  const Rank rank = all_.rank_of(number);
  const CellRange left = load(number, op.source, item), right = load(number, op.source_right, item);
  if (!error_.empty()) return;
  const CellRange target = cells_of(number, op.target, item);
  std::vector<SymbolicValue>& memory = memory_[rank];
  for (std::uint32_t k = 0; k < target.count; ++k) {
    const SymbolicValue a = memory[left.first + k], b = memory[right.first + k];
    memory[target.first + k] = {expressions_.join(a.expression, b.expression), a.label, a.segment};
  }
}

// The cells of a region that is about to be read, each of which must hold what its label says.
CellRange SymbolicRun::load(std::uint32_t number, const Region& region, int item) {
  const Operation& op = all_.operation(number);
  const Rank rank = all_.rank_of(number);
  const CellRange range = cells_of(number, region, item);
  Items::Piece piece{0, 0};
  if (!op.merged) piece = items_of(number).piece(all_.number_of(number), item);
  for (std::uint32_t k = 0; k < range.count; ++k) {
    const SymbolicValue& value = memory_[rank][range.first + k];
    const int label = region.label.at(piece.block);
    if (value.expression == Expressions::none) fail(describe(all_, number, item) + " reads what was never written");
    if (value.label != label || value.segment != piece.segment) {
      fail(describe(all_, number, item) + " reads block " + std::to_string(value.label) + " segment " +
           std::to_string(value.segment) + " where block " + std::to_string(label) + " segment " +
           std::to_string(piece.segment) + " should lie");
    }
    if (++piece.segment == partitions_[rank].segments(label)) piece = {piece.block + 1, 0};
  }
  return range;
}

void SymbolicRun::fail(std::string text) {
  if (error_.empty()) error_ = std::move(text);
}

std::string SymbolicRun::explain_stop() const {
  for (std::uint32_t op = 0; op < all_.operations(); ++op) {
    const OperationState& state = states_[op];
    if (state.done == state.items) continue;
    return "deadlock with " + std::to_string(partitions_.front().max_segments()) + " segments and window " +
           std::to_string(order_.window) + ": " + describe(all_, op, state.done) + " of " +
           std::to_string(state.items) + " waits for " + waits_for(op);
  }
  return {};
}

std::string SymbolicRun::waits_for(std::uint32_t op) const {
  const OperationState& state = states_[op];
  if (state.posted > state.done) return "its peer";
  for (const Dependency& dependency : all_.dependencies_of(op)) {
    const std::uint32_t target = all_.target_of(op, dependency);
    const OperationState& other = states_[target];
    const bool of_posting = dependency.is_of_posting();
    const int reached = of_posting ? other.posted : other.done;
    const int count = needed(dependency, op, state.posted);
    if (reached < count) {
      return describe(all_, target) + ", which has " + (of_posting ? "posted " : "finished ") +
             std::to_string(reached) + " of the " + std::to_string(count) + " items needed";
    }
  }
  return "nothing";
}

Expressions::Id SymbolicRun::output(Rank rank, int place, int segment) const {
  return memory_[rank][cells_[rank].output(place, segment)].expression;
}

bool SymbolicRun::output_is(Rank rank, int place, int segment, int label) const {
  const SymbolicValue& value = memory_[rank][cells_[rank].output(place, segment)];
  return value.label == label && value.segment == segment;
}

std::size_t SymbolicRun::count_events() const {
  std::size_t count = 0;
  for (const auto& events : events_) count += events.size();
  return count;
}

}  // namespace espalier::proof
