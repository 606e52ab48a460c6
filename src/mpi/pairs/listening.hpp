// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/types.hpp"

namespace espalier {

class Fabric;  // transport/fabric
struct FabricWord;

// Answers the questions of other ranks about paired messages, and takes in their answers (pair_words.hpp): for the
// fabric, which calls it with its lock held from within whatever call of the MPI this process is in.
void listen_to_pairs(Fabric& fabric, Rank from, const FabricWord& word) noexcept;

}  // namespace espalier
