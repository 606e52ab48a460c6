// SPDX-License-Identifier: Apache-2.0
// The encoding of Protocol Buffers, as far as it is needed: numbers, texts, messages within messages, lists of numbers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace espalier {

class ProtobufMessage {
 public:
  ProtobufMessage& number(int field, std::uint64_t value) {
    key(field, 0);
    varint(value);
    return *this;
  }
  ProtobufMessage& text(int field, std::string_view value) {
    key(field, 2);
    varint(value.size());
    bytes_ += value;
    return *this;
  }
  ProtobufMessage& message(int field, const ProtobufMessage& value) { return text(field, value.bytes_); }
  ProtobufMessage& numbers(int field, std::span<const std::uint64_t> values) {
    if (values.empty()) return *this;
    ProtobufMessage packed;
    for (const std::uint64_t value : values) packed.varint(value);
    return message(field, packed);
  }

  // As it stands in a stream of messages: after its length.
  [[nodiscard]] std::string with_length() const {
    ProtobufMessage length;
    length.varint(bytes_.size());
    return length.bytes_ + bytes_;
  }

 private:
  void key(int field, std::uint64_t wire_type) { varint(static_cast<std::uint64_t>(field) << 3 | wire_type); }
  void varint(std::uint64_t value) {
    for (; value > 0x7F; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }

  std::string bytes_;
};

}  // namespace espalier
