// SPDX-License-Identifier: Apache-2.0
// Runs any schedule: many streams at once, items as they become ready, up to `window` of them under way per operation.
// The rules and the order of posting are those of Progress; this class adds the bytes. Nothing is allocated after
// construction, so its size does not depend on the length of the message.
#pragma once

#include <utility>

#include "engine/lending.hpp"
#include "engine/memory.hpp"
#include "engine/progress.hpp"
#include "schedule/layout.hpp"
#include "transport/port.hpp"

namespace espalier {

template <Port P>
class GeneralExecutor {
 public:
  // Schedule, layout, scratch memory and port must outlive the executor.
  GeneralExecutor(const Schedule& schedule, const Layout& layout, const Elements& elements, std::byte* scratch, P& port)
      : schedule_(schedule),
        layout_(layout),
        elements_(elements),
        addresses_(scratch),
        port_(port),
        progress_(schedule, layout.items(), layout.window()) {
    port.reserve(progress_.tokens());
    if constexpr (LendingPort<P>) note_lenders();
  }

  void start(const Buffers& buffers) {
    addresses_.set(buffers);
    progress_.restart();
    is_new_ = true;
  }

  // Goes as far as it can without waiting, with a bounded amount of local work, and no further once the port has
  // failed. True at the end.
  [[nodiscard]] bool advance() {
    has_moved_ = std::exchange(is_new_, false) || take_completed();
    if (port_.failed() || (!has_moved_ && !has_local_work_)) return progress_.finished();
    has_moved_ = true;
    has_local_work_ = work();
    return progress_.finished();
  }

  // From start to end, blocking; fails if the port fails.
  void run(const Buffers& buffers) {
    start(buffers);
    while (!advance() && !port_.failed()) {
      if (!has_moved_) port_.idle();
    }
  }

  // Whether the last advance() did anything.
  [[nodiscard]] bool has_moved() const { return has_moved_; }
  [[nodiscard]] const Progress& progress() const { return progress_; }

 private:
  // A processor reduces so much in a few microseconds: an empty poll (0.1 us) then costs little, and messages that have
  // arrived meanwhile do not wait long.
  static constexpr std::size_t local_bytes_between_polls = 32 << 10;

  bool take_completed() {
    const std::span<const Token> tokens = port_.poll();
    for (const Token token : tokens) progress_.complete(token);
    return !tokens.empty();
  }

  // Posts all messages that are ready and does local work for a while. True if local work may be left.
  bool work() {
    Item item;
    for (std::size_t worked_bytes = 0;;) {
      while (progress_.take_message(item)) post(item);
      if (worked_bytes >= local_bytes_between_polls) return true;
      if (!progress_.take_local(item)) return false;
      worked_bytes += perform(item) * elements_.stride_bytes;
      progress_.complete_local(item);
    }
  }

  [[nodiscard]] std::byte* address(const Region& region, const Extent& extent) const {
    return addresses_.at(region.buffer, extent.offset * elements_.stride_bytes);
  }
  [[nodiscard]] std::byte* address(const Region& region, Item item) const {
    return address(region, layout_.extent(item.operation, region, item.index));
  }

  void post(Item item) {
    const Operation& operation = schedule_.operations[item.operation];
    const Region& region = operation.walked();
    const Extent extent = layout_.extent(item.operation, region, item.index);
    const Message message{operation.peer(layout_.block_of(item.operation, item.index)),
                          operation.channel,
                          operation.path,
                          lends(item.operation),
                          address(region, extent),
                          extent.length * elements_.stride_bytes};
    const Token token = progress_.token_of(item);
    operation.kind == Operation::Kind::send ? port_.send(token, message) : port_.recv(token, message);
  }

  std::size_t perform(Item item) {
    const Operation& operation = schedule_.operations[item.operation];
    const Extent extent = layout_.extent(item.operation, operation.target, item.index);
    std::byte* const target = address(operation.target, extent);
    if (operation.kind == Operation::Kind::copy) {
      copy_elements(elements_, target, address(operation.source, item), extent.length);
    } else {
      const auto [left, right] = lenders_of(item.operation);
      reduce_elements(elements_, target, operand(operation.source, item, left),
                      operand(operation.source_right, item, right), extent.length);
      release(left, item);
      release(right, item);
    }
    return extent.length;
  }

  // What a lending port has to do with it; nothing is left of it for others.
  void note_lenders() {
    lenders_ = find_lenders(schedule_);
    lends_.resize(lenders_.size());
    for (const auto& [left, right] : lenders_) {
      if (left) lends_[*left] = 1;
      if (right) lends_[*right] = 1;
    }
  }
  [[nodiscard]] bool lends(std::uint32_t operation) const {
    if constexpr (LendingPort<P>) return lends_[operation] != 0;
    return false;
  }
  [[nodiscard]] Lenders lenders_of(std::uint32_t operation) const {
    if constexpr (LendingPort<P>) return lenders_[operation];
    return {};
  }
  [[nodiscard]] const std::byte* operand(const Region& region, Item item,
                                         [[maybe_unused]] const std::optional<std::uint32_t>& lender) {
    if constexpr (LendingPort<P>) {
      if (lender) return port_.lies_at(progress_.token_of({*lender, item.index}));
    }
    return address(region, item);
  }
  void release([[maybe_unused]] const std::optional<std::uint32_t>& lender, [[maybe_unused]] Item item) {
    if constexpr (LendingPort<P>) {
      if (lender) port_.release(progress_.token_of({*lender, item.index}));
    }
  }

  const Schedule& schedule_;
  const Layout& layout_;
  Elements elements_;
  Addresses addresses_;
  P& port_;
  Progress progress_;
  std::vector<Lenders> lenders_;  // by operation
  std::vector<char> lends_;
  bool is_new_ = false, has_moved_ = false, has_local_work_ = false;
};

}  // namespace espalier
