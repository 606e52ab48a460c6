// SPDX-License-Identifier: Apache-2.0
//    rank   before     after
//    0      A0 A1 A2   A0 B0 C0
//    1      B0 B1 B2   A1 B1 C1     Everybody has a block for everybody.
//    2      C0 C1 C2   A2 B2 C2
#include "contract/contract.hpp"

namespace espalier {

extern constexpr Contract alltoall_contract{
    .collective = Collective::alltoall,
    .division = Division::by_pair,
    .input = BufferPart::outgoing,
    .output = BufferPart::incoming,
    .sources = Sources::owner,
    .in_place = InPlace::other_place,
};

}  // namespace espalier
