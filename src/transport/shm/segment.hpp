// SPDX-License-Identifier: Apache-2.0
// Memory that the processes of a node have in common. Nobody else gets at it: it has no name, or one that nobody can
// guess and that is gone as soon as all have opened it; other users may not open it in any case. A process that opens
// it checks that it is what was meant: process numbers mean something else in another container. When the last process
// ends, however that happens, it is gone.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "files/descriptor.hpp"

namespace espalier {

// Where a segment is to be opened. Plain bytes: it is sent to others.
struct SegmentAddress {
  std::uint64_t bytes = 0;
  std::array<std::uint64_t, 2> key{};  // that stands in it
  std::int32_t pid = 0, descriptor = -1;
  std::array<char, 40> name{};  // empty: it has none
};

class Segment {
 public:
  // Without a name: of memory, which nothing but memory limits. Others reach it through /proc. All zero.
  [[nodiscard]] static std::optional<Segment> make(std::size_t bytes);
  // With a name, in /dev/shm, and all of it there at once: what is missing later would end the process by a signal.
  [[nodiscard]] static std::optional<Segment> make_named(std::size_t bytes);
  // Nothing: it cannot be opened, or is something else.
  [[nodiscard]] static std::optional<Segment> open(const SegmentAddress& address);

  ~Segment();
  Segment(Segment&& other) noexcept;
  Segment& operator=(Segment&& other) noexcept;

  [[nodiscard]] const SegmentAddress& address() const { return address_; }
  [[nodiscard]] std::byte* data() const;  // `bytes` of it, from a page on
  // All have opened it: no more can.
  void close_to_others();

 private:
  Segment(Descriptor file, const SegmentAddress& address) : file_(std::move(file)), address_(address) {}
  [[nodiscard]] bool map();
  [[nodiscard]] static std::optional<Segment> finished(Segment made);
  [[nodiscard]] static std::optional<Segment> checked(Segment found);

  Descriptor file_;
  SegmentAddress address_;
  void* memory_ = nullptr;
};

}  // namespace espalier
