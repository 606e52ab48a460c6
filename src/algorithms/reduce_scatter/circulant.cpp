// SPDX-License-Identifier: Apache-2.0
//    p = 6, step 0:  r -> r+3    0 1 2 | 3 4 5    The allgather on the circulant graph backwards: blocks count from the
//           step 1:  r -> r+2    0 1 | 2          rank's own, what is right of the bar leaves, and what comes is added
//           step 2:  r -> r+1    0 | 1            on its left.
#include "algorithms/shapes/circulant.hpp"

#include "algorithms/algorithm.hpp"

namespace espalier {

namespace {

// The sums, once `more` has been added to as many of the first ones.
Bundle add_to_first(Builder& b, const Bundle& sums, const Stream& more) {
  Bundle added;
  int done = 0;
  for (const Stream& sum : sums) {
    const int common = std::min(sum.blocks(), more.blocks() - done);
    Stream theirs = more.part(done, common);
    theirs.labels = sum.part(0, common).labels;  // the same, counted from 0 again behind the last one
    if (common > 0) added.push_back(b.reduce(theirs, sum.part(0, common)));
    if (common < sum.blocks()) added.push_back(sum.part(common, sum.blocks() - common));
    done += common;
  }
  return added;
}

// Those from the `count`-th on.
Bundle without_first(const Bundle& sums, int count) {
  Bundle last;
  for (const Stream& sum : sums) {
    const int skipped = std::min(count, sum.blocks());
    if (skipped < sum.blocks()) last.push_back(sum.part(skipped, sum.blocks() - skipped));
    count -= skipped;
  }
  return last;
}

void build(Builder& b) {
  const Circulant graph(b.size());
  b.merge_streams();
  Bundle sums{b.input({b.rank(), b.size() - b.rank()}), b.input({0, b.rank()})};
  int have = b.size();
  for (int phase = graph.phases() - 1; phase >= 0; --phase) {
    const int keep = graph.skip(phase);
    b.send(graph.after(b.rank(), phase), without_first(sums, keep));
    const Stream theirs = b.recv(graph.before(b.rank(), phase), {b.rank(), have - keep});
    sums = add_to_first(b, blocks_of(sums, 0, keep), theirs);
    have = keep;
  }
  b.output(sums);
}

}  // namespace

extern const Algorithm reduce_scatter_circulant{
    .name = "circulant",
    .collective = Collective::reduce_scatter,
    .description = "ceil(log2 p) steps on a circulant graph; any number of ranks",
    .source = "Träff: Optimal, non-pipelined reduce-scatter and allreduce algorithms, 2024",
    .order = {"circulant"},
    .takes_uneven = true,
    .takes_few_steps = true,
    .build = build,
};

}  // namespace espalier
