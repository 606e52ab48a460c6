// SPDX-License-Identifier: Apache-2.0
#include "transport/fabric/wire/seal.hpp"

#include <cstring>

namespace espalier {

namespace {

constexpr std::size_t word_bytes = sizeof(std::uint64_t);

}  // namespace

Seal::Seal(const HashKey& job, Rank from, Rank to, std::uint32_t epoch) {
  const auto number = [](Rank rank) { return std::uint64_t{static_cast<std::uint32_t>(rank)}; };
  std::uint64_t drawn = 0;
  const auto draw = [&] { return SipHash(job).add(number(from) << 32 | number(to)).add(epoch).add(drawn++).finish(); };
  for (std::uint64_t* const half : {&marks_.low, &marks_.high, &masks_.low, &masks_.high}) *half = draw();
}

SealedHead Seal::close(std::uint64_t number, std::span<std::byte> text) const {
  mask(number, text);
  return {mark_of(number, text), number};
}

// Two words compare in the same time whatever they are.
bool Seal::open(const SealedHead& head, std::span<std::byte> text) const {
  if (mark_of(head.number, text) != head.mark) return false;
  mask(head.number, text);
  return true;
}

std::uint64_t Seal::mark_of(std::uint64_t number, std::span<const std::byte> text) const {
  SipHash hash(marks_);
  hash.add(number);
  for (std::size_t at = 0; at < text.size(); at += word_bytes) hash.add(word_at(text.subspan(at, word_bytes)));
  return hash.finish();
}

// Twice, and it is as it was.
void Seal::mask(std::uint64_t number, std::span<std::byte> text) const {
  for (std::size_t at = 0; at < text.size(); at += word_bytes) {
    const std::uint64_t masked = word_at(text.subspan(at, word_bytes)) ^ SipHash(masks_).add(number).add(at).finish();
    for (std::size_t k = 0; k < word_bytes; ++k) text[at + k] = static_cast<std::byte>(masked >> 8 * k);
  }
}

}  // namespace espalier
