// SPDX-License-Identifier: Apache-2.0
#include "differential/rare_types.hpp"

#include <utility>

#include "shared/random.hpp"

namespace espalier::apps {

namespace {

constexpr int elements_without_bytes = 3;

}  // namespace

Rare rare_types_of(const Case& one) {
  if (!one.contract().carries_data || one.contract().reduces || one.comm == "between") return Rare::none;
  switch (scramble(one.seed, 16) % 4) {
    case 0: return Rare::from_bottom;
    case 1: return one.form->function.is_uneven ? Rare::of_nothing : Rare::from_bottom;
    case 2: return one.form->function.is_typed ? Rare::block_by_block : Rare::none;
    default: return Rare::none;
  }
}

RareTypes::~RareTypes() {
  for (MPI_Datatype& type : made_) MPI_Type_free(&type);
}

CallBlocks RareTypes::by_type(const CallBlocks& said, std::size_t blocks, MPI_Datatype type) {
  MPI_Type_commit(&type);
  made_.push_back(type);
  CallBlocks result = said;
  result.type = type;
  if (said.types != nullptr) result.types = types_.emplace_back(blocks, type).data();
  return result;
}

CallBlocks RareTypes::from_bottom(const CallBlocks& said, std::size_t blocks, const Buffer& buffer) {
  MPI_Aint address = 0, lower_bound = 0, extent = 0;
  MPI_Get_address(buffer.origin(), &address);
  MPI_Type_get_extent(buffer.base(), &lower_bound, &extent);
  const int one = 1;
  const MPI_Datatype base = buffer.base();
  MPI_Datatype at_address, type;
  MPI_Type_create_struct(1, &one, &address, &base, &at_address);
  MPI_Type_create_resized(at_address, 0, extent, &type);
  MPI_Type_free(&at_address);
  return by_type(said, blocks, type);
}

CallBlocks RareTypes::of_nothing(const CallBlocks& said, std::size_t blocks, bool is_large) {
  MPI_Datatype type;
  MPI_Type_contiguous(0, MPI_DOUBLE, &type);
  CallBlocks result = by_type(said, blocks, type);
  result.count = elements_without_bytes;
  if (said.counts != nullptr) result.counts = kept(std::vector<int>(blocks, elements_without_bytes), is_large);
  return result;
}

CallBlocks RareTypes::block_by_block(const CallBlocks& said, std::vector<int> counts, bool is_large,
                                     std::uint64_t random) {
  std::vector<MPI_Datatype> types(said.types, said.types + counts.size());
  for (std::size_t block = 0; block < counts.size(); ++block) {
    if (counts[block] == 0 || scramble(random, block) % 2 != 0) continue;
    MPI_Type_contiguous(counts[block], types[block], &types[block]);
    MPI_Type_commit(&types[block]);
    made_.push_back(types[block]);
    counts[block] = 1;
  }
  CallBlocks result = said;
  result.types = types_.emplace_back(std::move(types)).data();
  result.counts = kept(counts, is_large);
  return result;
}

const void* RareTypes::kept(const std::vector<int>& counts, bool is_large) {
  if (is_large) return large_counts_.emplace_back(counts.begin(), counts.end()).data();
  return counts_.emplace_back(counts).data();
}

}  // namespace espalier::apps
