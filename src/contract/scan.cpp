// SPDX-License-Identifier: Apache-2.0
//    rank   before   after
//    0      A        A
//    1      B        A o B         Everybody gets the combination of the messages up to his own, element by element.
//    2      C        A o B o C
#include "contract/contract.hpp"

namespace espalier {

extern constexpr Contract scan_contract{
    .collective = Collective::scan,
    .sources = Sources::up_to_own,
    .reduces = true,
};

}  // namespace espalier
