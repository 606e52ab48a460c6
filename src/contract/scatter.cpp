// SPDX-License-Identifier: Apache-2.0
//    rank     before   after
//    0        .        A
//    1 root   A B C    B     Everybody gets a block from the root.
//    2        .        C
#include "contract/contract.hpp"

namespace espalier {

extern constexpr Contract scatter_contract{
    .collective = Collective::scatter,
    .division = Division::by_rank,
    .output = BufferPart::own,
    .input_at = Holder::root,
    .sources = Sources::root,
    .in_place = InPlace::stays,
};

}  // namespace espalier
