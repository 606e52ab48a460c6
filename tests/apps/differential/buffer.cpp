// SPDX-License-Identifier: Apache-2.0
#include "differential/buffer.hpp"

#include <algorithm>
#include <cstdio>

#include "shared/random.hpp"

namespace espalier::apps {

namespace {

constexpr std::size_t guard_bytes = 64;

bool is_predefined(MPI_Datatype type) {
  int integers = 0, addresses = 0, types = 0, combiner = 0;
  MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  return combiner == MPI_COMBINER_NAMED;
}

// A long double has ten bytes, of the sixteen that it takes.
bool is_padding(MPI_Datatype type, std::size_t offset) {
  const bool is_first = type == MPI_LONG_DOUBLE || (type == MPI_LONG_DOUBLE_INT && offset < sizeof(long double));
  return (is_first || type == MPI_C_LONG_DOUBLE_COMPLEX) && offset % sizeof(long double) >= 10;
}

std::string hexadecimal(std::byte byte) {
  char text[8];
  std::snprintf(text, sizeof text, "%02x", static_cast<unsigned>(byte));
  return text;
}

}  // namespace

std::size_t packed_bytes(MPI_Datatype type, int count) {
  int size = 0;
  MPI_Type_size(type, &size);
  return static_cast<std::size_t>(size) * static_cast<std::size_t>(count);
}

std::vector<std::byte> make_message(std::size_t bytes, std::uint64_t seed) {
  std::vector<std::byte> message(bytes);
  for (std::size_t i = 0; i < bytes; ++i) message[i] = static_cast<std::byte>(scramble(seed, i / 8) >> i % 8 * 8);
  return message;
}

Buffer::Buffer(MPI_Datatype type, int count, MPI_Datatype base)
    : type_(type), count_(count), base_(base == MPI_DATATYPE_NULL ? type : base) {
  MPI_Aint lower_bound = 0, true_lower_bound = 0, true_extent = 0;
  MPI_Type_get_extent(type, &lower_bound, &extent_);
  MPI_Type_get_true_extent(type, &true_lower_bound, &true_extent);
  const MPI_Aint first = true_lower_bound, last = true_lower_bound + std::max(count - 1, 0) * extent_;
  const auto before = static_cast<std::size_t>(-std::min({MPI_Aint{0}, first, last}));
  const auto behind = static_cast<std::size_t>(std::max({MPI_Aint{0}, first + true_extent, last + true_extent}));
  origin_ = guard_bytes + (before + guard_bytes - 1) / guard_bytes * guard_bytes;
  memory_.assign(origin_ + behind + guard_bytes, background);
}

void Buffer::unpack(const std::vector<std::byte>& message) {
  int position = 0;
  if (message.empty()) return;
  MPI_Unpack(message.data(), static_cast<int>(message.size()), &position, origin(), count_, type_, MPI_COMM_SELF);
}

Buffer Buffer::first(int count) const {
  std::vector<std::byte> message(packed_bytes(type_, count));
  int position = 0;
  const int bytes = static_cast<int>(message.size());
  if (bytes > 0) MPI_Pack(origin(), count, type_, message.data(), bytes, &position, MPI_COMM_SELF);
  Buffer part(type_, count);
  part.unpack(message);
  return part;
}

// MPI itself says which bytes are values: those that it writes. What a predefined type leaves out of them is padding.
std::vector<Buffer::Meaning> Buffer::meanings() const {
  Buffer touched(type_, count_);
  std::ranges::fill(touched.memory_, std::byte{0});
  touched.unpack(std::vector<std::byte>(packed_bytes(type_, count_), std::byte{0xff}));
  std::vector<Meaning> result(memory_.size(), Meaning::gap);
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    if (touched.memory_[i] != std::byte{0}) result[i] = Meaning::value;
  }
  if (is_predefined(base_)) mark_padding(result);
  return result;
}

// The first byte of an element of a predefined type is always a value.
void Buffer::mark_padding(std::vector<Meaning>& meanings) const {
  MPI_Aint lower_bound = 0, extent = 0;
  MPI_Type_get_extent(base_, &lower_bound, &extent);
  for (std::size_t i = 0; i < meanings.size(); ++i) {
    const auto distance = static_cast<MPI_Aint>(i) - static_cast<MPI_Aint>(origin_);
    const auto offset = static_cast<std::size_t>((distance % extent + extent) % extent);
    if (offset > i || meanings[i - offset] != Meaning::value) continue;
    if (meanings[i] == Meaning::gap || is_padding(base_, offset)) meanings[i] = Meaning::padding;
  }
}

void Buffer::assign(const std::vector<std::byte>& values) { std::ranges::copy(values, origin()); }

std::vector<std::byte> Buffer::values() const { return {origin(), origin() + packed_bytes(type_, count_)}; }

bool Buffer::untouched() const {
  return std::ranges::all_of(memory_, [](std::byte byte) { return byte == background; });
}

std::string Buffer::where(std::size_t byte) const {
  const auto offset = static_cast<std::ptrdiff_t>(byte) - static_cast<std::ptrdiff_t>(origin_);
  return "byte " + std::to_string(offset) + " (extent " + std::to_string(extent_) + ")";
}

std::optional<std::string> Buffer::difference_from(const Buffer& other) const {
  if (memory_ == other.memory_) return std::nullopt;
  const std::vector<Meaning> meaning = meanings();
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    if (meaning[i] != Meaning::value || memory_[i] == other.memory_[i]) continue;
    return where(i) + " is " + hexadecimal(memory_[i]) + " and should be " + hexadecimal(other.memory_[i]);
  }
  return std::nullopt;
}

std::optional<std::string> Buffer::damage() const {
  const std::vector<Meaning> meaning = meanings();
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    if (meaning[i] == Meaning::gap && memory_[i] != background) return where(i) + " was written, but is no value";
  }
  return std::nullopt;
}

std::uint64_t Buffer::hash() const {
  const std::vector<Meaning> meaning = meanings();
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    if (meaning[i] == Meaning::value) hash = (hash ^ static_cast<std::uint64_t>(memory_[i])) * 0x100000001b3;
  }
  return scramble(hash);
}

}  // namespace espalier::apps
