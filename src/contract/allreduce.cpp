// SPDX-License-Identifier: Apache-2.0
//    rank   before   after
//    0      A        A o B o C
//    1      B        A o B o C     Everybody gets the combination of all messages, element by element.
//    2      C        A o B o C
#include "contract/contract.hpp"

namespace espalier {

extern constexpr Contract allreduce_contract{
    .collective = Collective::allreduce,
    .reduces = true,
};

}  // namespace espalier
