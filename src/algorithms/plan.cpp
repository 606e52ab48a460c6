// SPDX-License-Identifier: Apache-2.0
#include "algorithms/plan.hpp"

#include <algorithm>

namespace espalier {

namespace {

// Blocks and segments begin at cache lines, so that two lanes or a reduction and a receive do not share one.
constexpr std::size_t cache_line_bytes = 64;

// Keeps item numbers far from overflow when somebody asks for tiny segments of a huge message.
constexpr int max_items = 1 << 24;

// In how many segments this many bytes are cut so that none exceeds `segment_bytes` by more than rounding.
int segments_of(std::size_t bytes, std::size_t segment_bytes) {
  if (segment_bytes == 0) return 1;
  return static_cast<int>(std::clamp<std::size_t>((bytes + segment_bytes - 1) / segment_bytes, 1, max_items));
}

std::size_t granule_for(std::size_t element_bytes) {
  const bool divides = element_bytes > 0 && cache_line_bytes % element_bytes == 0;
  return divides ? cache_line_bytes / element_bytes : 1;
}

// Of each block the problem's count says how large it is.
bool has_own_blocks(const Problem& problem) {
  return contract_of(problem.collective).division != Division::by_algorithm;
}

// Of the whole message: of all blocks of a rank's buffer, where it has a block for each.
int pieces_of(const Problem& problem, Rank size, std::size_t segment_bytes) {
  return segments_of(problem.bytes() * (has_own_blocks(problem) ? static_cast<std::size_t>(size) : 1), segment_bytes);
}

}  // namespace

Request request_for(const Choice& choice, const Problem& problem, const Shape& shape, Rank me, bool in_place) {
  return {.contract = contract_of(problem.collective),
          .shape = shape,
          .root = problem.root,
          .pieces = pieces_of(problem, shape.size, choice.cut.segment_bytes),
          .radix = choice.radix,
          .leaders = choice.leaders,
          .arrangement = choice.arrangement.get(),
          .me = me,
          .in_place = in_place,
          .has_gaps = problem.is_uneven && !contract_of(problem.collective).reduces};
}

Partition partition_for(const Choice& choice, const Problem& problem, const Schedule& schedule) {
  const auto blocks = static_cast<std::size_t>(schedule.blocks);
  const std::size_t block_bytes = has_own_blocks(problem) ? problem.bytes() : (problem.bytes() + blocks - 1) / blocks;
  const int segments = blocks_are_segments(*choice.algorithm) ? 1 : segments_of(block_bytes, choice.cut.segment_bytes);
  return partition_of(problem, schedule, problem.count,
                      std::clamp(segments, 1, std::max(1, max_items / schedule.blocks)));
}

Partition partition_of(const Problem& problem, const Schedule& schedule, std::size_t count, int segments) {
  const bool exact = has_own_blocks(problem);
  return Partition({.blocks = schedule.blocks,
                    .elements = exact ? count * static_cast<std::size_t>(schedule.blocks) : count,
                    .segments = segments,
                    .granule = granule_for(problem.element_bytes),
                    .exact = exact});
}

}  // namespace espalier
