// SPDX-License-Identifier: Apache-2.0
#include "contract/contract.hpp"

#include <array>
#include <limits>

namespace espalier {

#define COLLECTIVE(name) extern const Contract name##_contract;
#include "core/collectives.def"
#undef COLLECTIVE

const Contract& contract_of(Collective collective) {
  static constexpr const Contract* contracts[] = {
#define COLLECTIVE(name) &name##_contract,
#include "core/collectives.def"
#undef COLLECTIVE
  };
  return *contracts[static_cast<std::size_t>(collective)];
}

Held held_by(const Contract& contract, BufferPart part, Rank me, Rank size, int blocks) {
  switch (part) {
    case BufferPart::all: return {label_count(contract, size, blocks), 0, 1};
    case BufferPart::own: return {1, me, 1};
    case BufferPart::outgoing: return {size, me * size, 1};
    case BufferPart::incoming: return {size, me, size};
  }
  return {};
}

Rank most_ranks_of(const Contract& contract) {
  constexpr Rank root_of_limit = 46340;  // its square is the largest that a label can be
  return contract.division == Division::by_pair ? root_of_limit : std::numeric_limits<Rank>::max();
}

int label_count(const Contract& contract, Rank size, int blocks) {
  switch (contract.division) {
    case Division::by_algorithm: return blocks;
    case Division::by_rank: return size;
    case Division::by_pair: return size * size;
  }
  return 0;
}

RankRange sources_of(const Contract& contract, int label, Rank me, Rank root, Rank size) {
  switch (contract.sources) {
    case Sources::root: return {root, 1};
    case Sources::owner: return {contract.division == Division::by_pair ? label / size : label, 1};
    case Sources::all: return {0, size};
    case Sources::up_to_own: return {0, me + 1};
    case Sources::before_own: return {0, me};
  }
  return {};
}

}  // namespace espalier
