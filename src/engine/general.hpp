// SPDX-License-Identifier: Apache-2.0
// Runs any schedule: many streams at once, items as they become ready, up to `window` of them under way per operation.
// The rules and the order of posting are those of Progress; this class adds the bytes. Nothing is allocated after
// construction, so its size does not depend on the length of the message.
#pragma once

#include "engine/memory.hpp"
#include "engine/progress.hpp"
#include "schedule/layout.hpp"
#include "transport/transport.hpp"

namespace espalier {

template <Transport T>
class GeneralExecutor {
 public:
  // Schedule, layout, scratch memory and transport must outlive the executor.
  GeneralExecutor(const Schedule& schedule, const Layout& layout, const Elements& elements, std::byte* scratch,
                  T& transport)
      : schedule_(schedule),
        layout_(layout),
        elements_(elements),
        addresses_(scratch),
        transport_(transport),
        progress_(schedule, layout.items(), layout.window()) {
    transport.reserve(progress_.tokens());
  }

  // Blocking; false if the transport failed.
  bool run(const Buffers& buffers) {
    start(buffers);
    for (;;) {
      work();
      if (finished()) return true;
      completed(transport_.poll());
      if (transport_.failed()) return false;
    }
  }

  // The same in steps: start, then work() and completed(poll()) in turn until finished().
  void start(const Buffers& buffers) {
    addresses_.set(buffers);
    progress_.restart();
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

  void completed(std::span<const Token> tokens) {
    for (const Token token : tokens) progress_.complete(token);
  }

  [[nodiscard]] bool finished() const { return progress_.finished(); }
  [[nodiscard]] const Progress& progress() const { return progress_; }

 private:
  // A processor reduces so much in a few microseconds: an empty poll (0.1 us) then costs little, and messages that have
  // come meanwhile do not wait long.
  static constexpr std::size_t local_bytes_between_polls = 32 << 10;

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
    const Message message{operation.peer(layout_.block_of(item.operation, item.index)), operation.channel,
                          operation.path, address(region, extent), extent.length * elements_.stride_bytes};
    if (operation.kind == Operation::Kind::send) {
      transport_.send(progress_.token_of(item), message);
    } else {
      transport_.recv(progress_.token_of(item), message);
    }
  }

  std::size_t perform(Item item) {
    const Operation& operation = schedule_.operations[item.operation];
    const Extent extent = layout_.extent(item.operation, operation.target, item.index);
    std::byte* const target = address(operation.target, extent);
    const std::byte* const source = address(operation.source, item);
    if (operation.kind == Operation::Kind::copy) {
      copy_elements(elements_, target, source, extent.length);
    } else {
      reduce_elements(elements_, target, source, address(operation.source_right, item), extent.length);
    }
    return extent.length;
  }

  const Schedule& schedule_;
  const Layout& layout_;
  Elements elements_;
  Addresses addresses_;
  T& transport_;
  Progress progress_;
};

}  // namespace espalier
