// SPDX-License-Identifier: Apache-2.0
// Memory for elements of any datatype, in which every byte that MPI must leave alone is known.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace espalier::apps {

// `count` elements of a type, with room before and behind. All of it begins as `background`.
class Buffer {
 public:
  static constexpr std::byte background{0xa5};

  // `base`: of which all elements of the type are made, at multiples of its extent; the type itself, if it is not said.
  Buffer(MPI_Datatype type, int count, MPI_Datatype base = MPI_DATATYPE_NULL);

  // What MPI is given as the buffer's address.
  [[nodiscard]] std::byte* origin() { return memory_.data() + origin_; }
  [[nodiscard]] const std::byte* origin() const { return memory_.data() + origin_; }
  [[nodiscard]] MPI_Datatype type() const { return type_; }
  [[nodiscard]] MPI_Datatype base() const { return base_; }
  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] std::byte* element(int i) { return origin() + i * extent_; }
  [[nodiscard]] const std::byte* element(int i) const { return origin() + i * extent_; }

  // Fills the elements with a packed message.
  void unpack(const std::vector<std::byte>& message);
  // The first elements alone, packed and unpacked.
  [[nodiscard]] Buffer first(int count) const;

  // As the other one, which has the same type and count; it stays where it is.
  void restore(const Buffer& other) { std::ranges::copy(other.memory_, memory_.begin()); }

  // Elements of a type without gaps, one behind the other.
  void assign(const std::vector<std::byte>& values);
  [[nodiscard]] std::vector<std::byte> values() const;

  // The first element in which `other`, which has the same type and count, has another value.
  [[nodiscard]] std::optional<std::string> difference_from(const Buffer& other) const;
  // The first byte that belongs to no element and is not background any more.
  [[nodiscard]] std::optional<std::string> damage() const;
  [[nodiscard]] bool untouched() const;
  friend bool operator==(const Buffer&, const Buffer&) = default;
  // A number for the values of all elements.
  [[nodiscard]] std::uint64_t hash() const;

 private:
  enum class Meaning : std::uint8_t { gap, value, padding };

  [[nodiscard]] std::vector<Meaning> meanings() const;
  [[nodiscard]] std::string where(std::size_t byte) const;

  void mark_padding(std::vector<Meaning>& meanings) const;

  MPI_Datatype type_;
  int count_;
  MPI_Datatype base_;
  MPI_Aint extent_ = 0;
  std::size_t origin_ = 0;
  std::vector<std::byte> memory_;
};

// The number of bytes in a message of this many elements.
[[nodiscard]] std::size_t packed_bytes(MPI_Datatype type, int count);

// Bytes that every rank can compute.
[[nodiscard]] std::vector<std::byte> make_message(std::size_t bytes, std::uint64_t seed);

}  // namespace espalier::apps
