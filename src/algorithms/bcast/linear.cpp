// SPDX-License-Identifier: Apache-2.0
//        0          The root sends to everybody by itself: one hop, but all bytes leave by one port.
//     / / \ \       .
//    1 2   3 4
#include "algorithms/algorithm.hpp"

namespace espalier {

namespace {

void build(Builder& b) {
  if (!b.is_root()) return b.output(b.recv(b.root()));
  const Stream data = b.input();
  for (Rank distance = 1; distance < b.size(); distance++) {
    b.send(wrap(std::int64_t{b.root()} + distance, b.size()), data);
  }
  b.output(data);
}

}  // namespace

extern const Algorithm bcast_linear{
    .name = "linear",
    .collective = Collective::bcast,
    .description = "the root sends to every rank by itself",
    .source = "folklore",
    .is_direct = true,
    .build = build,
};

}  // namespace espalier
