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

#include <memory>
#include <vector>

#include "core/prefetch.hpp"
#include "engine/posting_rules.hpp"
#include "transport/port.hpp"

namespace espalier {

struct Item {
  std::uint32_t operation = 0;
  std::int32_t index = 0;
};

class Progress {
 public:
  // What the rules were made of must outlive this. Nothing is allocated later on.
  explicit Progress(std::shared_ptr<const PostingRules> rules);
  // Of one rank alone.
  Progress(const Schedule& schedule, const Items& items, int window)
      : Progress(std::make_shared<const PostingRules>(schedule, items, window)) {}

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
  [[nodiscard]] std::size_t tokens() const { return states_.size() * rules_->in_flight(); }
  [[nodiscard]] Token token_of(Item item) const {
    return item.operation * rules_->in_flight() + item.index % rules_->in_flight();
  }

  // For those who run many in turn: has the memory of its counters brought into the cache.
  void prefetch() const;

  // For reports of a deadlock.
  [[nodiscard]] int posted(std::uint32_t operation) const { return states_[operation].posted; }
  [[nodiscard]] int done(std::uint32_t operation) const { return states_[operation].done; }
  [[nodiscard]] int items(std::uint32_t operation) const { return rules_->of(operation).items; }

 private:
  // As small as can be: who runs many has those of no rank in the cache.
  struct Counters {
    std::int32_t posted = 0;
    std::int32_t done = 0;
    std::uint32_t unmet = 0;       // the dependency that was found unmet last: the next look begins there
    std::uint32_t early : 31 = 0;  // items that completed before earlier ones
    std::uint32_t queued : 1 = 0;
  };
  using Stack = std::vector<std::uint32_t>;

  void wake(std::uint32_t operation);
  [[nodiscard]] bool may_post(std::uint32_t operation);
  [[nodiscard]] bool take(Stack& stack, Item& item);
  void count_done(std::uint32_t operation);

  std::shared_ptr<const PostingRules> rules_;
  std::size_t unfinished_ = 0;  // operations
  std::vector<Counters> states_;
  Stack messages_, local_;
  std::vector<char> completed_;  // by token: those that are early
};

inline void Progress::prefetch() const {
  prefetch_all(states_.data(), states_.size() * sizeof(Counters));
  for (const void* place : {static_cast<const void*>(messages_.data()), static_cast<const void*>(local_.data()),
                            static_cast<const void*>(completed_.data())})
    espalier::prefetch(place);
}

inline void Progress::wake(std::uint32_t operation) {
  Counters& state = states_[operation];
  if (state.queued != 0) return;
  const PostingRules::Rule& rule = rules_->of(operation);
  if (state.posted == rule.items) return;
  state.queued = 1;
  (rule.communicates ? messages_ : local_).push_back(operation);
}

inline bool Progress::may_post(std::uint32_t operation) {
  Counters& state = states_[operation];
  const PostingRules::Rule& rule = rules_->of(operation);
  if (state.posted == rule.items) return false;
  if (rule.communicates && state.posted - state.done >= rules_->window()) return false;
  for (std::uint32_t k = 0; k < rule.dependencies; ++k) {
    const Dependency& dependency = rules_->dependency(rule.first_dependency + state.unmet);
    const Counters& other = states_[dependency.operation];
    const int reached = dependency.is_of_posting() ? other.posted : other.done;
    if (reached < rules_->needed(dependency, operation, state.posted)) return false;
    if (++state.unmet == rule.dependencies) state.unmet = 0;
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
      const PostingRules::Rule& rule = rules_->of(operation);
      if (state.posted == rule.items || rule.leads) {
        for (const std::uint32_t successor : rules_->after_posted(operation)) wake(successor);
      }
      return true;
    }
    stack.pop_back();
    state.queued = 0;
  }
  return false;
}

inline bool Progress::take_message(Item& item) { return take(messages_, item); }
inline bool Progress::take_local(Item& item) { return take(local_, item); }

inline void Progress::count_done(std::uint32_t operation) {
  Counters& state = states_[operation];
  if (++state.done == rules_->of(operation).items) --unfinished_;
  wake(operation);
  for (const std::uint32_t successor : rules_->after_done(operation)) wake(successor);
}

inline void Progress::complete(Token token) {
  const std::uint32_t operation = token / rules_->in_flight();
  Counters& state = states_[operation];
  if (token != token_of({operation, state.done})) {
    completed_[token] = 1;
    ++state.early;
    return;
  }
  count_done(operation);
  while (state.early > 0) {
    char& completed = completed_[token_of({operation, state.done})];
    if (completed == 0) return;
    completed = 0;
    --state.early;
    count_done(operation);
  }
}

}  // namespace espalier
