// SPDX-License-Identifier: Apache-2.0
//    rank     before   after
//    0        .        M
//    1 root   M        M      Everybody gets the root's message.
//    2        .        M
#include "contract/contract.hpp"

namespace espalier {

extern constexpr Contract bcast_contract{
    .collective = Collective::bcast,
    .input_at = Holder::root,
    .sources = Sources::root,
    .in_place = InPlace::always,
};

}  // namespace espalier
