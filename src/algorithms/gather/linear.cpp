// SPDX-License-Identifier: Apache-2.0
//        0          Everybody sends to the root by itself: one hop, but all bytes come in by one port. The root receives
//     / / \ \       from a few at a time.
//    1 2   3 4
#include "algorithms/algorithm.hpp"

namespace espalier {

namespace {

void build(Builder& b) {
  const Stream own = b.input();
  if (!b.is_root()) return b.send(b.root(), own);
  const Range others{b.root() + 1, b.size() - 1};
  b.output(b.recv_each(others, others));
  b.output(own);
}

}  // namespace

extern const Algorithm gather_linear{
    .name = "linear",
    .collective = Collective::gather,
    .description = "every rank sends to the root by itself, a few at a time",
    .source = "folklore",
    .takes_uneven = true,
    .is_direct = true,
    .build = build,
};

}  // namespace espalier
