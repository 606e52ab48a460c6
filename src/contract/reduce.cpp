// SPDX-License-Identifier: Apache-2.0
//    rank     before   after
//    0        A        .
//    1 root   B        A o B o C     The root gets the combination of all messages, element by element.
//    2        C        .
#include "contract/contract.hpp"

namespace espalier {

extern constexpr Contract reduce_contract{
    .collective = Collective::reduce,
    .output_at = Holder::root,
    .reduces = true,
};

}  // namespace espalier
