// SPDX-License-Identifier: Apache-2.0
//    rank   before   after
//    0      A        .
//    1      B        A         Everybody but the first gets the combination of the messages before his own, element by
//    2      C        A o B     element.
#include "contract/contract.hpp"

namespace espalier {

extern constexpr Contract exscan_contract{
    .collective = Collective::exscan,
    .output_at = Holder::all_but_first,
    .sources = Sources::before_own,
    .reduces = true,
};

}  // namespace espalier
