// SPDX-License-Identifier: Apache-2.0
// A schedule bound to a message: everything that a call with the same arguments needs again, but the buffers. Made
// once, run many times; a run allocates nothing.
#pragma once

#include <utility>
#include <variant>

#include "engine/flat.hpp"
#include "engine/general.hpp"
#include "engine/scratch.hpp"

namespace espalier {

template <Transport T>
class BoundSchedule {
 public:
  // The partition is that of the other ranks, as partition.hpp has it; `window` may differ. The transport must outlive
  // this object, and serves one run at a time.
  BoundSchedule(Schedule schedule, Partition partition, int window, const Elements& how, T& transport)
      : schedule_(std::move(schedule)),
        partition_(std::move(partition)),
        layout_(schedule_, partition_, window),
        scratch_(layout_.scratch_elements() * how.stride_bytes),
        executor_(make_executor(how, transport)) {}

  BoundSchedule(const BoundSchedule&) = delete;
  BoundSchedule& operator=(const BoundSchedule&) = delete;

  // Blocking; false if the transport failed.
  bool run(const Buffers& buffers) {
    if (auto* flat = std::get_if<FlatExecutor<T>>(&executor_)) return flat->run(buffers);
    return std::get_if<GeneralExecutor<T>>(&executor_)->run(buffers);
  }

  [[nodiscard]] const Schedule& schedule() const { return schedule_; }
  [[nodiscard]] const Layout& layout() const { return layout_; }
  [[nodiscard]] bool runs_flat() const { return std::holds_alternative<FlatExecutor<T>>(executor_); }

 private:
  using Executor = std::variant<FlatExecutor<T>, GeneralExecutor<T>>;

  [[nodiscard]] Executor make_executor(const Elements& how, T& transport) const {
    if (is_flat(schedule_, layout_.items())) {
      return Executor(std::in_place_index<0>, schedule_, layout_, how, scratch_.data(), transport);
    }
    return Executor(std::in_place_index<1>, schedule_, layout_, how, scratch_.data(), transport);
  }

  const Schedule schedule_;
  const Partition partition_;
  const Layout layout_;
  Scratch scratch_;
  Executor executor_;
};

}  // namespace espalier
