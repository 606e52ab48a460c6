// SPDX-License-Identifier: Apache-2.0
#include "engine/scratch.hpp"

#include <new>

namespace espalier {

namespace {
constexpr std::align_val_t cache_line{64};
}

Scratch::Scratch(std::size_t bytes)
    : memory_(bytes == 0 ? nullptr : static_cast<std::byte*>(::operator new(bytes, cache_line))) {}

void Scratch::Free::operator()(std::byte* memory) const { ::operator delete(memory, cache_line); }

}  // namespace espalier
