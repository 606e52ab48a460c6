// SPDX-License-Identifier: Apache-2.0
// Which item of which operation may be posted next: the counters of one running schedule, without any bytes.
//
// Each operation has two counters, posted and done, and a flag for each item under way, since messages complete in any
// order while `done` only rises over a prefix. An operation is looked at when something that it depends on has moved,
// and only then.
//
// The order is depth first: what has just come in is passed on before the next item is touched, so that a pipeline
// fills as fast as its links allow, and what was just written is read while it is in the cache. Messages go before
// local work: posting one costs little, and then others can proceed while this processor reduces.
//
// The window is granted to each operation on its own; a limit shared among operations could starve the one that
// everybody waits for, and void the proof that schedules end.
#pragma once

#include <span>
#include <vector>

#include "schedule/items.hpp"
#include "transport/port.hpp"

namespace espalier {

struct Item {
  std::uint32_t operation = 0;
  std::int32_t index = 0;
};

class Progress {
 public:
  // Schedule and items must outlive this. Nothing is allocated later on.
  Progress(const Schedule& schedule, const Items& items, int window);

  void restart();

  // Takes the next message that may be posted, or the next item of local work that may be done, if there is any.
  [[nodiscard]] bool take_message(Item& item);
  [[nodiscard]] bool take_local(Item& item);

  // A message has completed, possibly before earlier ones of its operation.
  void complete(Token token);
  // The item of local work that was taken last has been done.
  void complete_local(Item item) { count_done(item.operation); }

  [[nodiscard]] bool finished() const { return unfinished_ == 0; }

  // Items under way have different tokens.
  [[nodiscard]] std::size_t tokens() const { return states_.size() * in_flight_; }
  [[nodiscard]] Token token_of(Item item) const { return item.operation * in_flight_ + item.index % in_flight_; }

  // For those who run many in turn: has the memory of its counters and dependencies brought into the cache.
  void prefetch() const;

  // For reports of a deadlock.
  [[nodiscard]] int posted(std::uint32_t operation) const { return states_[operation].posted; }
  [[nodiscard]] int done(std::uint32_t operation) const { return states_[operation].done; }
  [[nodiscard]] int items(std::uint32_t operation) const { return states_[operation].items; }

 private:
  struct Counters {
    std::int32_t items = 0;
    std::int32_t posted = 0;
    std::int32_t done = 0;
    std::uint32_t unmet = 0;  // the dependency that was found unmet last: the next look begins there
    std::uint32_t first_dependency = 0, dependencies = 0;  // the operation's, which lies elsewhere
    bool communicates = false;
    bool leads = false;  // others keep in step with it
    bool queued = false;
  };
  // Who must be looked at when an operation moves.
  struct Successors {
    std::vector<std::uint32_t> first, operations;
    [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t operation) const {
      return {operations.data() + first[operation], operations.data() + first[operation + 1]};
    }
  };
  using Stack = std::vector<std::uint32_t>;

  [[nodiscard]] static Successors successors(const Schedule& schedule, bool of_posting);
  void wake(std::uint32_t operation);
  [[nodiscard]] bool may_post(std::uint32_t operation);
  [[nodiscard]] bool take(Stack& stack, Item& item);
  void count_done(std::uint32_t operation);

  const Schedule& schedule_;
  const Items& items_;
  int window_;
  std::uint32_t in_flight_ = 1;  // items of one operation that can be under way at once
  std::size_t unfinished_ = 0;   // operations
  std::vector<Counters> states_;
  std::vector<char> completed_;  // by token
  Successors after_done_, after_posted_;
  Stack messages_, local_;
};

inline void Progress::prefetch() const {
  constexpr std::size_t line = 64;
  const auto fetch = [](const auto& memory) {
    const auto* first = reinterpret_cast<const char*>(memory.data());
    for (std::size_t at = 0; at < memory.size() * sizeof(memory[0]); at += line) __builtin_prefetch(first + at);
  };
  fetch(states_);
  fetch(schedule_.dependencies);
}

inline void Progress::wake(std::uint32_t operation) {
  Counters& state = states_[operation];
  if (state.queued || state.posted == state.items) return;
  state.queued = true;
  (state.communicates ? messages_ : local_).push_back(operation);
}

inline bool Progress::may_post(std::uint32_t operation) {
  Counters& state = states_[operation];
  if (state.posted == state.items) return false;
  if (state.communicates && state.posted - state.done >= window_) return false;
  for (std::uint32_t k = 0; k < state.dependencies; ++k) {
    const Dependency& dependency = schedule_.dependencies[state.first_dependency + state.unmet];
    const Counters& other = states_[dependency.operation];
    const int reached = dependency.is_of_posting() ? other.posted : other.done;
    if (reached < items_.needed(dependency, other.items, operation, state.posted, window_)) return false;
    if (++state.unmet == state.dependencies) state.unmet = 0;
  }
  return true;
}

// An operation stays on its stack for as long as its items can be posted.
inline bool Progress::take(Stack& stack, Item& item) {
  while (!stack.empty()) {
    const std::uint32_t operation = stack.back();
    Counters& state = states_[operation];
    if (may_post(operation)) {
      item = {operation, state.posted++};
      if (state.posted == state.items || state.leads) {
        for (const std::uint32_t successor : after_posted_.of(operation)) wake(successor);
      }
      return true;
    }
    stack.pop_back();
    state.queued = false;
  }
  return false;
}

inline bool Progress::take_message(Item& item) { return take(messages_, item); }
inline bool Progress::take_local(Item& item) { return take(local_, item); }

inline void Progress::count_done(std::uint32_t operation) {
  Counters& state = states_[operation];
  if (++state.done == state.items) --unfinished_;
  wake(operation);
  for (const std::uint32_t successor : after_done_.of(operation)) wake(successor);
}

inline void Progress::complete(Token token) {
  completed_[token] = 1;
  const std::uint32_t operation = token / in_flight_;
  const Counters& state = states_[operation];
  while (state.done < state.posted) {
    char& completed = completed_[token_of({operation, state.done})];
    if (completed == 0) return;
    completed = 0;
    count_done(operation);
  }
}

}  // namespace espalier
