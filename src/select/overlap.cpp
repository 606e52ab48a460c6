// SPDX-License-Identifier: Apache-2.0
#include "select/overlap.hpp"

#include "contract/contract.hpp"

namespace espalier {

bool calls_overlap(Collective collective, std::size_t bytes) {
  constexpr std::size_t min_bytes = 4096;
  const Contract& contract = contract_of(collective);
  const bool forms_prefixes = contract.sources == Sources::up_to_own || contract.sources == Sources::before_own;
  return bytes >= min_bytes && (contract.is_rooted() || forms_prefixes);
}

}  // namespace espalier
