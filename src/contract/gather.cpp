// SPDX-License-Identifier: Apache-2.0
//    rank     before   after
//    0        A        .
//    1 root   B        A B C     The root gets everybody's block.
//    2        C        .
#include "contract/contract.hpp"

namespace espalier {

extern constexpr Contract gather_contract{
    .collective = Collective::gather,
    .division = Division::by_rank,
    .input = BufferPart::own,
    .output_at = Holder::root,
    .sources = Sources::owner,
};

}  // namespace espalier
