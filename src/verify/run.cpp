// SPDX-License-Identifier: Apache-2.0
#include "verify/run.hpp"

#include "verify/describe.hpp"

namespace espalier::proof {

using Kind = Operation::Kind;

SymbolicRun::SymbolicRun(const Network& network, Limits limits, Expressions& expressions)
    : network_(network),
      limits_(limits),
      expressions_(expressions),
      states_(network.operations()),
      traffic_(network.channels().size()),
      events_(network.size()) {
  for (Rank rank = 0; rank < network.size(); ++rank) {
    cells_.emplace_back(network.schedule(rank), limits.segments, limits.window);
    memory_.emplace_back(cells_[rank].size());
    std::size_t events = 0;
    for (std::uint32_t op = network.first(rank); op < network.first(rank + 1); ++op) {
      states_[op].items = network.operation(op).items(limits.segments);
      events += states_[op].items;
    }
    events_[rank].reserve(events);
  }
  define_inputs();
  find_dependants();
}

void SymbolicRun::define_inputs() {
  for (Rank rank = 0; rank < network_.size(); ++rank) {
    if (!network_.problem().contributes(rank)) continue;
    const bool in_place = network_.problem().in_place_at(rank);
    for (int block = 0; block < network_.blocks(); ++block) {
      for (int segment = 0; segment < limits_.segments; ++segment) {
        const auto piece = static_cast<std::uint32_t>(block * limits_.segments + segment);
        const std::uint32_t cell = in_place ? cells_[rank].output(block, segment) : cells_[rank].input(block, segment);
        memory_[rank][cell] = {Expressions::leaf(rank), piece};
      }
    }
  }
}

void SymbolicRun::find_dependants() {
  first_dependant_.assign(network_.operations() + 1, 0);
  for (std::uint32_t op = 0; op < network_.operations(); ++op) {
    for (const Dependency& dependency : network_.dependencies_of(op)) {
      const std::uint32_t target = network_.target_of(op, dependency);
      ++first_dependant_[target + 1];
      if (dependency.kind == Dependency::Kind::in_step) states_[target].leads = true;
    }
  }
  for (std::uint32_t op = 0; op < network_.operations(); ++op) first_dependant_[op + 1] += first_dependant_[op];
  dependants_.resize(first_dependant_.back());
  std::vector<std::uint32_t> next = first_dependant_;
  for (std::uint32_t op = 0; op < network_.operations(); ++op) {
    for (const Dependency& dependency : network_.dependencies_of(op)) {
      dependants_[next[network_.target_of(op, dependency)]++] = op;
    }
  }
}

std::string SymbolicRun::run() {
  for (std::uint32_t op = network_.operations(); op-- > 0;) wake(op);
  while (!queue_.empty() && error_.empty()) {
    const std::uint32_t op = limits_.breadth_first ? queue_.front() : queue_.back();
    limits_.breadth_first ? queue_.pop_front() : queue_.pop_back();
    states_[op].queued = false;
    while (error_.empty() && can_post(op)) post(op);
  }
  return error_.empty() ? explain_stop() : error_;
}

void SymbolicRun::wake(std::uint32_t op) {
  State& state = states_[op];
  if (state.queued || state.posted == state.items) return;
  state.queued = true;
  queue_.push_back(op);
}

void SymbolicRun::wake_dependants(std::uint32_t op) {
  for (std::uint32_t k = first_dependant_[op]; k < first_dependant_[op + 1]; ++k) wake(dependants_[k]);
}

bool SymbolicRun::can_post(std::uint32_t op) const {
  const State& state = states_[op];
  if (state.posted == state.items || state.posted - state.done >= limits_.in_flight) return false;
  for (const Dependency& dependency : network_.dependencies_of(op)) {
    const State& other = states_[network_.target_of(op, dependency)];
    const int reached = dependency.is_of_posting() ? other.posted : other.done;
    if (reached < needed(dependency, state.posted, limits_.segments, limits_.window, other.items)) return false;
  }
  return true;
}

void SymbolicRun::post(std::uint32_t op) {
  State& state = states_[op];
  const int item = state.posted++;
  if (state.posted == state.items || state.leads) wake_dependants(op);
  switch (network_.operation(op).kind) {
    case Kind::send:
    case Kind::recv: post_message(op); return;
    case Kind::copy: copy(op, item); break;
    case Kind::reduce: reduce(op, item); break;
  }
  finish(op, item);
}

void SymbolicRun::post_message(std::uint32_t op) {
  const std::uint32_t number = network_.channel_of(op);
  const Network::Channel& channel = network_.channels()[number];
  Traffic& traffic = traffic_[number];
  const bool sends = network_.operation(op).kind == Kind::send;
  const auto& side = sends ? channel.sends : channel.receives;
  std::size_t& posting = sends ? traffic.posting_send : traffic.posting_receive;
  if (side[posting] != op) {
    return fail(describe(network_, op) + " is posted before operation " +
                std::to_string(network_.number_of(side[posting])) + ", which is earlier on the same channel");
  }
  if (states_[op].posted == states_[op].items) ++posting;
  ++(sends ? traffic.sends_posted : traffic.receives_posted);
  match(number);
}

void SymbolicRun::match(std::uint32_t number) {
  const Network::Channel& channel = network_.channels()[number];
  Traffic& traffic = traffic_[number];
  if (traffic.sends_posted == 0 || traffic.receives_posted == 0) return;
  --traffic.sends_posted;
  --traffic.receives_posted;
  const Event send = take(traffic.next_send, channel.sends), receive = take(traffic.next_receive, channel.receives);
  transfer(send, receive);
  finish(send.op, send.item);
  finish(receive.op, receive.item);
}

SymbolicRun::Event SymbolicRun::take(Cursor& cursor, const std::vector<std::uint32_t>& side) const {
  const Event event{side[cursor.index], cursor.item};
  if (++cursor.item == states_[event.op].items) cursor = {cursor.index + 1, 0};
  return event;
}

void SymbolicRun::finish(std::uint32_t op, int item) {
  ++states_[op].done;
  events_[network_.rank_of(op)].push_back({op, item});
  wake(op);
  wake_dependants(op);
}

void SymbolicRun::transfer(Event send, Event receive) {
  const Rank from = network_.rank_of(send.op), to = network_.rank_of(receive.op);
  const CellRange source = load(send.op, network_.operation(send.op).source, send.item);
  const Operation& op = network_.operation(receive.op);
  const CellRange target = cells_[to].of(op, op.target, receive.item);
  for (std::uint32_t k = 0; k < target.count; ++k) memory_[to][target.first + k] = memory_[from][source.first + k];
}

void SymbolicRun::copy(std::uint32_t number, int item) {
  const Operation& op = network_.operation(number);
  const Rank rank = network_.rank_of(number);
  const CellRange source = load(number, op.source, item);
  const CellRange target = cells_[rank].of(op, op.target, item);
  std::vector<Value>& memory = memory_[rank];
  for (std::uint32_t k = 0; k < target.count; ++k) memory[target.first + k] = memory[source.first + k];
}

void SymbolicRun::reduce(std::uint32_t number, int item) {
  const Operation& op = network_.operation(number);
  const Rank rank = network_.rank_of(number);
  const CellRange left = load(number, op.source, item), right = load(number, op.source_right, item);
  if (!error_.empty()) return;
  const CellRange target = cells_[rank].of(op, op.target, item);
  std::vector<Value>& memory = memory_[rank];
  for (std::uint32_t k = 0; k < target.count; ++k) {
    const Value a = memory[left.first + k], b = memory[right.first + k];
    memory[target.first + k] = {expressions_.join(a.expression, b.expression), a.piece};
  }
}

// The cells of a region that is about to be read, each of which must hold the piece of the message that its label says.
CellRange SymbolicRun::load(std::uint32_t number, const Region& region, int item) {
  const Operation& op = network_.operation(number);
  const Rank rank = network_.rank_of(number);
  const CellRange range = cells_[rank].of(op, region, item);
  const int segments = limits_.segments;
  for (std::uint32_t k = 0; k < range.count; ++k) {
    const int at = item + static_cast<int>(k);  // counted in segments along the walk
    const Value& value = memory_[rank][range.first + k];
    const auto piece = static_cast<std::uint32_t>(region.label.at(at / segments) * segments + at % segments);
    if (value.expression == Expressions::none) fail(describe(network_, number, item) + " reads what was never written");
    if (value.piece != piece) {
      fail(describe(network_, number, item) + " reads block " + std::to_string(value.piece / segments) + " segment " +
           std::to_string(value.piece % segments) + " where block " + std::to_string(piece / segments) + " segment " +
           std::to_string(piece % segments) + " should lie");
    }
  }
  return range;
}

void SymbolicRun::fail(std::string text) {
  if (error_.empty()) error_ = std::move(text);
}

std::string SymbolicRun::explain_stop() const {
  for (std::uint32_t op = 0; op < network_.operations(); ++op) {
    const State& state = states_[op];
    if (state.done == state.items) continue;
    return "deadlock with " + std::to_string(limits_.segments) + " segments and window " +
           std::to_string(limits_.window) + ": " + describe(network_, op, state.done) + " of " +
           std::to_string(state.items) + " waits for " + waits_for(op);
  }
  return {};
}

std::string SymbolicRun::waits_for(std::uint32_t op) const {
  const State& state = states_[op];
  if (state.posted > state.done) return "its peer";
  for (const Dependency& dependency : network_.dependencies_of(op)) {
    const std::uint32_t target = network_.target_of(op, dependency);
    const State& other = states_[target];
    const bool of_posting = dependency.is_of_posting();
    const int reached = of_posting ? other.posted : other.done;
    const int count = needed(dependency, state.posted, limits_.segments, limits_.window, other.items);
    if (reached < count) {
      return describe(network_, target) + ", which has " + (of_posting ? "posted " : "finished ") +
             std::to_string(reached) + " of the " + std::to_string(count) + " items needed";
    }
  }
  return "nothing";
}

Expressions::Id SymbolicRun::output(Rank rank, int block, int segment) const {
  return memory_[rank][cells_[rank].output(block, segment)].expression;
}

bool SymbolicRun::output_is_in_place(Rank rank, int block, int segment) const {
  const Value& value = memory_[rank][cells_[rank].output(block, segment)];
  return value.piece == static_cast<std::uint32_t>(block * limits_.segments + segment);
}

std::size_t SymbolicRun::count_events() const {
  std::size_t count = 0;
  for (const auto& events : events_) count += events.size();
  return count;
}

}  // namespace espalier::proof
