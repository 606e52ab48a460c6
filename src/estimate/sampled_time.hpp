// SPDX-License-Identifier: Apache-2.0
// How long a choice takes among more ranks than can be played through: by what a sample of them has to do, by how
// crowded their routes are, and by how far a segment travels.
#pragma once

#include "core/choice.hpp"

namespace espalier {

// Seconds. Pipelines along trees of the network take what equations 3 and 4 of paper 1 say. Of the others the rank of
// the sample that has most to do counts: its messages follow one another, each among those that the other ranks send
// meanwhile. On tori of up to 125 nodes the native algorithms take between half and twice as long as played.
// The shape's network is known, and its nodes are joined.
[[nodiscard]] double sampled_seconds(const Choice& choice, const Problem& problem, const Shape& shape);

}  // namespace espalier
