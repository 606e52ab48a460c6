// SPDX-License-Identifier: Apache-2.0
//    A block for the rank j places on goes there in steps: by 1, 2, 4, ... places, as the bits of j say.
//
//    step 0:  r -> r+1   blocks 1 3 5 7 ...
//    step 1:  r -> r+2   blocks 2 3 6 7 ...        ceil(log2 p) messages, each of half of the blocks
//    step 2:  r -> r+4   blocks 4 5 6 7 ...
#include <vector>

#include "algorithms/algorithm.hpp"

namespace espalier {

namespace {

void build(Builder& b) {
  const auto at = [&](int distance) { return wrap(std::int64_t{b.rank()} + distance, b.size()); };
  b.merge_streams();
  std::vector<Stream> blocks;  // by how far they have to go from the rank that they are of
  for (int j = 0; j < b.size(); ++j) blocks.push_back(b.input(b.to({at(j), 1})));
  for (int step = 1; step < b.size(); step *= 2) {
    Bundle leaving;
    std::vector<int> numbers;
    std::vector<std::int32_t> arriving;
    for (int j = step; j < b.size(); ++j) {
      if ((j & step) == 0) continue;
      leaving.push_back(blocks[j]);
      numbers.push_back(j);
      const int gone = j & (2 * step - 1);  // so far it has come by now
      arriving.push_back(b.label(at(-gone), at(j - gone)));
    }
    b.send(at(step), leaving);
    const Stream came = b.recv(at(-step), b.listed(std::move(arriving)));
    for (std::size_t k = 0; k < numbers.size(); ++k) blocks[numbers[k]] = came.part(static_cast<int>(k));
  }
  b.output(blocks);
}

}  // namespace

extern const Algorithm alltoall_bruck{
    .name = "bruck",
    .collective = Collective::alltoall,
    .description = "ceil(log2 p) steps, in each of which half of the blocks move on; for short ones",
    .source =
        "Bruck et al.: Efficient algorithms for all-to-all communications in multiport message-passing systems, 1997",
    .build = build,
};

}  // namespace espalier
