// SPDX-License-Identifier: Apache-2.0
// Among which choices the fastest is found by measuring.
#pragma once

#include <span>
#include <vector>

#include "core/choice.hpp"
#include "settings/settings.hpp"
#include "tuning/candidate.hpp"

namespace espalier {

// No more are found.
inline constexpr std::size_t max_alternatives = 16;

struct Alternative {
  Choice choice;
  tuning::Estimate estimate;
};

// What a memory knows of a choice.
struct KnownChoice {
  Choice choice;
  double log_seconds = 0;
  double sd = 0;  // of that
};

// Whether other additions than those of the baseline choice would show, and must not be tried.
[[nodiscard]] bool is_bound_to_order(const Problem& problem, Reproducible reproducible);

// The first is what all is measured by: the native MPI, or `baseline`, which is among them in any case. That is where
// the order of additions shows in the bits and must not change, and where one native call could take seconds. None that
// are hopeless by estimate. A function of what is equal on all ranks. Takes some tenths of a millisecond among few
// ranks, and tens of them among many: ranks can share it (choice_search.hpp).
[[nodiscard]] std::vector<Alternative> alternatives_for(const Problem& problem, const Shape& shape,
                                                        const Choice& baseline, Reproducible reproducible);

// The first of them. `is_bound`: to the order in which the baseline adds.
[[nodiscard]] Choice first_alternative(const Shape& shape, const Choice& baseline, bool is_bound);

// Whether the messages of a call are so short that only their number counts.
[[nodiscard]] bool is_short(const Problem& problem, const Shape& shape);

// About how long it takes one rank to find them. Seconds, not those of this machine: equal on all ranks.
[[nodiscard]] double seconds_to_find_alternatives(const Problem& problem, const Shape& shape);

// Of MPI_Alltoall those of paper 5, in its order, whatever the estimate says of them: the native one; simple spread,
// all at once; and pairwise and ring, each plain and with three kinds of barriers.
[[nodiscard]] std::vector<Alternative> alternatives_of_star(const Problem& problem, const Shape& shape);

// Those that are known enter with what is known of them, those that are among them and others.
void add_known(std::span<const KnownChoice> known, std::vector<Alternative>& alternatives);

// Whether two of ours give the same bits, or both are the native MPI.
[[nodiscard]] bool adds_alike(const Choice& one, const Choice& other);

}  // namespace espalier
