// SPDX-License-Identifier: Apache-2.0
// A schedule bound to a message: everything that a call with the same arguments needs again, but the buffers. Made
// once, run many times; a run allocates nothing.
#pragma once

#include <utility>
#include <variant>

#include "engine/flat.hpp"
#include "engine/general.hpp"
#include "engine/openings.hpp"
#include "engine/scratch.hpp"

namespace espalier {

// One run at a time. It is started, and advanced until it is over; run() does both, and waits. Several bound schedules
// may run at once, each with a port of its own.
template <Port P>
class BoundSchedule {
 public:
  // The partition is that of the other ranks, as partition.hpp has it; `window` may differ. The port must outlive this
  // object.
  BoundSchedule(Schedule schedule, Partition partition, int window, const Elements& how, P& port)
      : schedule_(std::move(schedule)),
        partition_(std::move(partition)),
        layout_(schedule_, partition_, window),
        scratch_(layout_.scratch_elements() * how.stride_bytes),
        port_(port),
        executor_(make_executor(how)) {
    if constexpr (OpeningPort<P>) {
      port.open(find_reach(schedule_, layout_, how.stride_bytes), find_openings(schedule_, layout_, how.stride_bytes));
    }
  }

  BoundSchedule(const BoundSchedule&) = delete;
  BoundSchedule& operator=(const BoundSchedule&) = delete;

  // `number`: as Port::begin() wants it.
  void start(std::uint64_t number, const Buffers& buffers) {
    port_.begin(number, memory_of(buffers));
    std::visit([&](auto& executor) { executor.start(buffers); }, executor_);
  }
  // Goes as far as it can without waiting. True once the run is over, well or not.
  [[nodiscard]] bool advance() {
    const bool ended = std::visit([](auto& executor) { return executor.advance(); }, executor_);
    if (!ended && !port_.failed()) [[likely]]
      return false;
    finish();
    return true;
  }

  // Blocking, from start to end; false if the port failed.
  bool run(std::uint64_t number, const Buffers& buffers) {
    port_.begin(number, memory_of(buffers));
    std::visit([&](auto& executor) { executor.run(buffers); }, executor_);
    finish();
    return !port_.failed();
  }

  [[nodiscard]] const Schedule& schedule() const { return schedule_; }
  [[nodiscard]] const Layout& layout() const { return layout_; }

 private:
  using Executor = std::variant<FlatExecutor<P>, GeneralExecutor<P>>;

  [[nodiscard]] Executor make_executor(const Elements& how) {
    if (is_flat(schedule_, layout_.items())) {
      return Executor(std::in_place_index<0>, schedule_, layout_, how, scratch_.data(), port_);
    }
    return Executor(std::in_place_index<1>, schedule_, layout_, how, scratch_.data(), port_);
  }

  [[nodiscard]] RunMemory memory_of(const Buffers& buffers) const {
    return {buffers.input, buffers.output, scratch_.data()};
  }

  void finish() { port_.failed() ? port_.abandon() : port_.end(); }

  const Schedule schedule_;
  const Partition partition_;
  const Layout layout_;
  Scratch scratch_;
  P& port_;
  Executor executor_;
};

}  // namespace espalier
