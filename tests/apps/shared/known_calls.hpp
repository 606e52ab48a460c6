// SPDX-License-Identifier: Apache-2.0
// For programs that make very many calls with known results.
#pragma once

#include "shared/known_call.hpp"

namespace espalier::apps {

// Makes the blocking call that follows from the number (KnownCall::wish()), and says what is wrong with its result. All
// members call it with equal arguments.
void make_known_call(const Member& member, std::uint64_t number, int max_elements);

// The same for a call of one's own choice.
void make_and_check(const Member& member, const KnownCall::Wish& wish);

// A short one of each blocking function.
void make_each_call(const Member& member, std::uint64_t number);

}  // namespace espalier::apps
