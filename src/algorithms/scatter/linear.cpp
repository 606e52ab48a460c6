// SPDX-License-Identifier: Apache-2.0
//        0          The root sends to everybody by itself, to a few at a time: one hop, but all bytes leave by one port.
//     / / \ \       .
//    1 2   3 4
#include "algorithms/algorithm.hpp"

namespace espalier {

namespace {

void build(Builder& b) {
  const Range own{b.rank(), 1};
  if (!b.is_root()) return b.output(b.recv(b.root(), own));
  const Range others{b.root() + 1, b.size() - 1};
  b.send_each(others, b.input(others));
  b.output(b.input(own));
}

}  // namespace

extern const Algorithm scatter_linear{
    .name = "linear",
    .collective = Collective::scatter,
    .description = "the root sends to every rank by itself, to a few at a time",
    .source = "folklore",
    .takes_uneven = true,
    .is_direct = true,
    .build = build,
};

}  // namespace espalier
