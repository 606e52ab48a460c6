// SPDX-License-Identifier: Apache-2.0
//    rank   before   after
//    0      A        A B C
//    1      B        A B C     Everybody gets everybody's block.
//    2      C        A B C
#include "contract/contract.hpp"

namespace espalier {

extern constexpr Contract allgather_contract{
    .collective = Collective::allgather,
    .division = Division::by_rank,
    .input = BufferPart::own,
    .sources = Sources::owner,
};

}  // namespace espalier
