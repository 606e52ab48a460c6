// SPDX-License-Identifier: Apache-2.0
#include "policy/overlap.hpp"

#include "contract/contract.hpp"

namespace espalier {

bool depends_on_all(Collective collective) {
  const Contract& contract = contract_of(collective);
  const bool forms_prefixes = contract.sources == Sources::up_to_own || contract.sources == Sources::before_own;
  return !contract.is_rooted() && !forms_prefixes;
}

bool may_run_ahead(Collective collective, std::size_t bytes) {
  constexpr std::size_t max_eager_bytes = std::size_t{64} << 10;  // of the MPIs tested, over any network
  return bytes <= max_eager_bytes && !depends_on_all(collective);
}

bool calls_overlap(Collective collective, std::size_t bytes) {
  constexpr std::size_t min_bytes = 4096;
  return bytes >= min_bytes && !depends_on_all(collective);
}

}  // namespace espalier
