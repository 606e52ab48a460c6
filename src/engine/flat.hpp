// SPDX-License-Identifier: Apache-2.0
// Runs schedules in which every operation has one item, at the speed of code written by hand: offsets are resolved when
// it is built, and what is left at run time is one pass over compact steps.
#pragma once

#include "engine/flat_program.hpp"
#include "engine/memory.hpp"
#include "schedule/layout.hpp"
#include "transport/transport.hpp"

namespace espalier {

template <Transport T>
class FlatExecutor {
 public:
  // For schedules with is_flat(). Scratch memory and transport must outlive the executor.
  FlatExecutor(const Schedule& schedule, const Layout& layout, const Elements& elements, std::byte* scratch,
               T& transport)
      : elements_(elements), addresses_(scratch), transport_(transport) {
    const FlatProgram program = flat_order(schedule, layout.items());
    waits_ = program.waits;
    steps_.reserve(program.steps.size());
    for (const FlatStep& step : program.steps) steps_.push_back(resolved(schedule, layout, step));
    transport.reserve(schedule.operations.size());
  }

  // Blocking; false if the transport failed.
  bool run(const Buffers& buffers) {
    addresses_.set(buffers);
    const std::uint32_t* next_wait = waits_.data();
    for (const Step& step : steps_) {
      if (!wait(next_wait, step.wait_count)) return false;
      next_wait += step.wait_count;
      perform(step);
    }
    return wait(next_wait, waits_.data() + waits_.size() - next_wait);
  }

 private:
  struct Location {
    std::size_t offset_bytes = 0;
    Buffer buffer = Buffer::none;
  };
  struct Step {
    Location target, source, source_right;
    std::size_t amount = 0;  // of a message in bytes, of local work in elements
    Token token = 0;
    std::uint32_t wait_count = 0;  // messages to wait for first; the steps share one list of them
    Rank peer = no_rank;
    Channel channel = 0;
    Path path = 0;
    Operation::Kind kind = Operation::Kind::copy;
  };

  [[nodiscard]] Step resolved(const Schedule& schedule, const Layout& layout, const FlatStep& step) const {
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

  [[nodiscard]] bool wait(const std::uint32_t* tokens, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) transport_.wait(tokens[k]);
    return !transport_.failed();
  }

  [[nodiscard]] std::byte* at(const Location& where) const { return addresses_.at(where.buffer, where.offset_bytes); }

  void perform(const Step& step) {
    switch (step.kind) {
      case Operation::Kind::send:
        return transport_.send(step.token, {step.peer, step.channel, step.path, at(step.source), step.amount});
      case Operation::Kind::recv:
        return transport_.recv(step.token, {step.peer, step.channel, step.path, at(step.target), step.amount});
      case Operation::Kind::reduce:
        return reduce_elements(elements_, at(step.target), at(step.source), at(step.source_right), step.amount);
      case Operation::Kind::copy: return copy_elements(elements_, at(step.target), at(step.source), step.amount);
    }
  }

  Elements elements_;
  Addresses addresses_;
  T& transport_;
  std::vector<Step> steps_;
  std::vector<std::uint32_t> waits_;
};

}  // namespace espalier
