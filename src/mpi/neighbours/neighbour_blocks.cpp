// SPDX-License-Identifier: Apache-2.0
#include "mpi/neighbours/neighbour_blocks.hpp"

#include <algorithm>
#include <limits>

#include "mpi/types/datatypes.hpp"
#include "mpi/types/handles.hpp"

namespace espalier {

namespace {

// Those of an allgather give all neighbours the same.
bool gives_all_the_same(const Call& call) { return call.function->collective == "neighbor_allgather"; }

struct Span {
  std::int64_t begin = std::numeric_limits<std::int64_t>::max(), end = 0;
  std::size_t bytes = 0;
};

Span span_of(const UserBlocks& side) {
  Span span;
  for (const UserBlock& block : side.blocks) {
    if (block.count == 0) continue;
    const auto bytes = static_cast<std::int64_t>(block.bytes());
    span.begin = std::min(span.begin, block.offset);
    span.end = std::max(span.end, block.offset + bytes);
    span.bytes += block.bytes();
  }
  return span;
}

// What lies far apart is not made known to others as one stretch of memory.
bool lies_near(const UserBlocks& side) {
  constexpr std::int64_t near = std::int64_t{1} << 20;
  const Span span = span_of(side);
  if (span.bytes == 0) return true;
  return span.end - span.begin <= near + 4 * static_cast<std::int64_t>(span.bytes) && side.buffer != MPI_BOTTOM;
}

// Nothing of a predefined datatype lies at an absolute address that no place says.
bool is_nowhere(const UserBlock& block) { return block.bytes() != 0 && find_known_type(block.type) != nullptr; }

}  // namespace

NeighbourBlocks::NeighbourBlocks(const Job& job, const Call& call, const Neighbourhood& neighbourhood) : job_(job) {
  const NeighbourSide input{call.sent, call.input, neighbourhood.to, gives_all_the_same(call)};
  const NeighbourSide output{call.received, call.output, neighbourhood.from, false};
  are_right_ = find(call, input, sides_.input) && find(call, output, sides_.output);
  if (!are_right_) return;
  are_contiguous_ = are_contiguous(job_, sides_.input) && are_contiguous(job_, sides_.output);
  lie_near_ = lies_near(sides_.input) && lies_near(sides_.output);
}

NeighbourBlocks::~NeighbourBlocks() {
  for (Kept& type : kept_) job_.mpi.Type_free(&type.copy);
}

bool NeighbourBlocks::find(const Call& call, const NeighbourSide& side, UserBlocks& found) {
  const CallBlocks& said = side.said;
  if (side.peers.empty()) return true;  // the arguments may be anything
  if (side.buffer == MPI_IN_PLACE) return false;
  found.buffer = const_cast<std::byte*>(static_cast<const std::byte*>(side.buffer));
  const bool is_to_be_kept = call.function->form != CallForm::blocking;
  const bool has_places = said.places != nullptr || said.displacements != nullptr;
  UserBlock common;  // of one datatype for all
  if (said.types == nullptr && !find_type(said.type, is_to_be_kept, common)) return false;
  for (std::size_t k = 0; k < side.peers.size(); ++k) {
    const auto place = static_cast<int>(k);
    UserBlock block = common;
    block.count = count_at(call, said, place);
    if (block.count < 0) return false;
    if (side.peers[k] == MPI_PROC_NULL) block.count = 0;  // nothing is said, and nothing comes
    if (said.types != nullptr && block.count != 0 && !find_type(said.types[k], is_to_be_kept, block)) return false;
    if (said.places != nullptr) {
      block.offset = said.places[k];
    } else if (has_places) {
      block.offset = displacement_at(call, said, place) * common.facts.extent;
    } else if (!side.is_one_block) {
      block.offset = static_cast<std::int64_t>(k) * block.facts.extent * count_at(call, said, place);
    }
    if (side.buffer == MPI_BOTTOM && said.places == nullptr && is_nowhere(block)) return false;
    found.blocks.push_back(block);
  }
  return true;
}

bool NeighbourBlocks::find_type(MPI_Datatype type, bool is_to_be_kept, UserBlock& block) {
  if (type == MPI_DATATYPE_NULL) return false;
  block.type = type;
  if (find_known_type(type) != nullptr) return find_facts(job_.mpi, type, block.facts);
  are_by_handles_ = false;
  if (!is_committed(job_.mpi, job_.traffic, type) || !find_facts(job_.mpi, type, block.facts)) return false;
  return !is_to_be_kept || keep(block.type);
}

// What is named several times is kept once, so that one can still see that it is the same.
bool NeighbourBlocks::keep(MPI_Datatype& type) {
  const auto known = std::ranges::find(kept_, type, &Kept::original);
  if (known != kept_.end()) {
    type = known->copy;
    return true;
  }
  kept_.reserve(kept_.size() + 1);
  MPI_Datatype copy = MPI_DATATYPE_NULL;
  if (job_.mpi.Type_contiguous(1, type, &copy) != MPI_SUCCESS) return false;
  kept_.push_back({.original = type, .copy = copy});
  type = copy;
  return job_.mpi.Type_commit(&kept_.back().copy) == MPI_SUCCESS;
}

}  // namespace espalier
