// SPDX-License-Identifier: Apache-2.0
//    rank   before     after
//    0      A0 A1 A2   A0 o B0 o C0
//    1      B0 B1 B2   A1 o B1 o C1     Everybody gets the combination of the blocks that bear its number.
//    2      C0 C1 C2   A2 o B2 o C2
#include "contract/contract.hpp"

namespace espalier {

extern constexpr Contract reduce_scatter_contract{
    .collective = Collective::reduce_scatter,
    .division = Division::by_rank,
    .output = BufferPart::own,
    .reduces = true,
    .in_place = InPlace::other_place,
};

}  // namespace espalier
