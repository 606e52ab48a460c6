// SPDX-License-Identifier: Apache-2.0
// Runs schedules in which every operation has one item, at the speed of code written by hand: offsets are resolved when
// it is built, and what is left at run time is one pass over compact steps.
#pragma once

#include "engine/flat_program.hpp"
#include "engine/lending.hpp"
#include "engine/memory.hpp"
#include "schedule/layout.hpp"
#include "transport/port.hpp"

namespace espalier {

template <Port P>
class FlatExecutor {
 public:
  // For schedules with is_flat(). Scratch memory and port must outlive the executor.
  FlatExecutor(const Schedule& schedule, const Layout& layout, const Elements& elements, std::byte* scratch, P& port)
      : elements_(elements), addresses_(scratch), port_(port) {
    const FlatProgram program = flat_order(schedule, layout.items());
    waits_ = program.waits;
    steps_.reserve(program.steps.size());
    for (const FlatStep& step : program.steps) steps_.push_back(resolved(schedule, layout, step));
    if constexpr (LendingPort<P>) note_lenders(find_lenders(schedule));
    port.reserve(schedule.operations.size());
  }

  void start(const Buffers& buffers) {
    addresses_.set(buffers);
    next_step_ = 0;
    next_wait_ = 0;
    waits_left_ = waits_before(0);
  }

  // Goes as far as it can without waiting, and no further once the port has failed. True at the end.
  [[nodiscard]] bool advance() {
    for (;; waits_left_ = waits_before(next_step_)) {
      for (; waits_left_ > 0; --waits_left_, ++next_wait_) {
        if (!port_.test(waits_[next_wait_]) || port_.failed()) return false;
      }
      if (next_step_ == steps_.size()) return true;
      perform(steps_[next_step_++]);
    }
  }

  // From start to end, blocking; fails if the port fails.
  void run(const Buffers& buffers) {
    addresses_.set(buffers);
    const std::uint32_t* next_wait = waits_.data();
    for (const BoundStep& step : steps_) {
      if (!wait(next_wait, step.wait_count)) return;
      next_wait += step.wait_count;
      perform(step);
    }
    (void)wait(next_wait, waits_.data() + waits_.size() - next_wait);
  }

 private:
  struct Location {
    std::size_t offset_bytes = 0;
    Buffer buffer = Buffer::none;
    bool is_lent = false;  // an operand: it lies where the message `lender` does; a message: it may stay where it lies
    Token lender = 0;
  };
  struct BoundStep {
    Location target, source, source_right;
    std::size_t amount = 0;  // of a message in bytes, of local work in elements
    Token token = 0;
    std::uint32_t wait_count = 0;  // messages to wait for first; the steps share one list of them
    Rank peer = no_rank;
    Channel channel = 0;
    Path path = 0;
    Operation::Kind kind = Operation::Kind::copy;
  };

  [[nodiscard]] BoundStep resolved(const Schedule& schedule, const Layout& layout, const FlatStep& step) const {
    const Operation& operation = schedule.operations[step.operation];
    const auto place = [&](const Region& region) -> Location {
      if (region.buffer == Buffer::none) return {};
      return {layout.extent(step.operation, region, 0).offset * elements_.stride_bytes, region.buffer};
    };
    const std::size_t elements = layout.extent(step.operation, operation.walked(), 0).length;
    const bool communicates = operation.communicates();
    return {place(operation.target),
            place(operation.source),
            place(operation.source_right),
            communicates ? elements * elements_.stride_bytes : elements,
            step.operation,
            step.wait_count,
            communicates ? operation.peer() : no_rank,
            operation.channel,
            operation.path,
            operation.kind};
  }

  void note_lenders(const std::vector<Lenders>& lenders) {
    const auto note = [&](Location& operand, const std::optional<std::uint32_t>& lender) {
      if (!lender) return;
      operand.is_lent = true;
      operand.lender = *lender;
      for (BoundStep& step : steps_) step.target.is_lent = step.target.is_lent || step.token == *lender;
    };
    for (BoundStep& step : steps_) {
      note(step.source, lenders[step.token].left);
      note(step.source_right, lenders[step.token].right);
    }
  }

  [[nodiscard]] std::uint32_t waits_before(std::size_t step) const {
    return step < steps_.size() ? steps_[step].wait_count : static_cast<std::uint32_t>(waits_.size()) - next_wait_;
  }

  [[nodiscard]] bool wait(const std::uint32_t* tokens, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) port_.wait(tokens[k]);
    return !port_.failed();
  }

  [[nodiscard]] std::byte* at(const Location& where) const { return addresses_.at(where.buffer, where.offset_bytes); }

  [[nodiscard]] const std::byte* operand(const Location& where) {
    if constexpr (LendingPort<P>) {
      if (where.is_lent) return port_.lies_at(where.lender);
    }
    return at(where);
  }
  void release(const Location& where) {
    if constexpr (LendingPort<P>) {
      if (where.is_lent) port_.release(where.lender);
    }
  }

  void perform(const BoundStep& step) {
    switch (step.kind) {
      case Operation::Kind::send: return port_.send(step.token, message(step, step.source));
      case Operation::Kind::recv: return port_.recv(step.token, message(step, step.target));
      case Operation::Kind::reduce:
        reduce_elements(elements_, at(step.target), operand(step.source), operand(step.source_right), step.amount);
        release(step.source);
        return release(step.source_right);
      case Operation::Kind::copy: return copy_elements(elements_, at(step.target), at(step.source), step.amount);
    }
  }

  [[nodiscard]] Message message(const BoundStep& step, const Location& where) const {
    return {step.peer, step.channel, step.path, where.is_lent, at(where), step.amount};
  }

  Elements elements_;
  Addresses addresses_;
  P& port_;
  std::vector<BoundStep> steps_;
  std::vector<std::uint32_t> waits_;

  // Of a run that goes in steps.
  std::size_t next_step_ = 0;
  std::uint32_t next_wait_ = 0, waits_left_ = 0;
};

}  // namespace espalier
