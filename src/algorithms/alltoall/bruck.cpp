// SPDX-License-Identifier: Apache-2.0
//    A block for the rank j places on goes there in steps, as the digits of j in the radix say.
//
//    radix 2, step 1:  r -> r+1   blocks 1 3 5 7 ...
//             step 2:  r -> r+2   blocks 2 3 6 7 ...        ceil(log2 p) messages, each of half of the blocks
//             step 4:  r -> r+4   blocks 4 5 6 7 ...
//
//    A larger radix: fewer steps in which more messages leave at once, and blocks that move less often.
#include <vector>

#include "algorithms/algorithm.hpp"

namespace espalier {

namespace {

// The blocks of a rank, by how far they have to go from the rank that they are of.
class Blocks {
 public:
  explicit Blocks(Builder& b) : b_(b) {
    for (int j = 0; j < b.size(); ++j) blocks_.push_back(b.input(b.to({at(j), 1})));
  }

  // Those with this digit move on by digit * step places, which are the places of `digit` in a number.
  void move(int step, int digit) {
    Bundle leaving;
    std::vector<int> moved;
    std::vector<std::int32_t> arriving;
    for (int j = digit * step; j < b_.size(); ++j) {
      if (j / step % b_.radix() != digit) continue;
      leaving.push_back(blocks_[j]);
      moved.push_back(j);
      const int gone = j % step + digit * step;  // so far it has arrived by now
      arriving.push_back(b_.label(at(-gone), at(j - gone)));
    }
    if (moved.empty()) return;
    b_.send(at(digit * step), leaving);
    const Stream came = b_.recv(at(-digit * step), b_.listed(std::move(arriving)));
    for (std::size_t k = 0; k < moved.size(); ++k) blocks_[moved[k]] = came.part(static_cast<int>(k));
  }

  [[nodiscard]] const Bundle& all() const { return blocks_; }

 private:
  [[nodiscard]] Rank at(int distance) const { return wrap(std::int64_t{b_.rank()} + distance, b_.size()); }

  Builder& b_;
  Bundle blocks_;
};

void build(Builder& b) {
  b.merge_streams();
  Blocks blocks(b);
  for (std::int64_t step = 1; step < b.size(); step *= b.radix()) {
    for (int digit = 1; digit < b.radix(); ++digit) blocks.move(static_cast<int>(step), digit);
  }
  b.output(blocks.all());
}

}  // namespace

extern const Algorithm alltoall_bruck{
    .name = "bruck",
    .collective = Collective::alltoall,
    .description = "ceil(log_k p) steps, in each of which blocks move on together (radix k); for short ones",
    .source =
        "Bruck et al.: Efficient algorithms for all-to-all communications in multiport message-passing systems, 1997",
    .takes_radix = true,
    .most_ranks = 4096,  // p log p blocks are listed: some 6 MB
    .takes_few_steps = true,
    .build = build,
};

}  // namespace espalier
