// SPDX-License-Identifier: Apache-2.0
// Nobody leaves before everybody has arrived: an all-reduction of nothing, in which all learn of all.
#include "contract/contract.hpp"

namespace espalier {

extern constexpr Contract barrier_contract{
    .collective = Collective::barrier,
    .carries_data = false,
};

}  // namespace espalier
