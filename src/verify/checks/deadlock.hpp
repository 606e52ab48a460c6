// SPDX-License-Identifier: Apache-2.0
// No deadlock for any number of segments and any window, from the graph of operations alone.
#pragma once

#include <string>

#include "verify/model/all_ranks.hpp"

namespace espalier::proof {

// Events are P(x, i), item i of operation x is posted, and D(x, i), it has completed; for local work they are one. An
// event waits for others, and no event waits in a cycle exactly if the run ends. Each such "waits for" is an edge
// between operations with an offset: (x, i) waits for (y, j) with j <= i + offset, where an offset is
// a * s + b * w + c, with s segments and a window of w:
//
//     P(x, i) waits for  D(y, i + shift s)        aligned dependency
//                        D(y, i - w)              lagged
//                        D(y, items - 1)          whole: at most items - 1 ahead, items = blocks * s
//                        P(y, items - 1)          posted, likewise
//                        P(y, i - 1)              in step
//                        D(x, i - 1)              one item under way at a time is all that an engine must grant
//     D(x, i) waits for  P(x, i)
//                        P(y, i + start(x) - start(y))   y: the peer's operations on the same messages; start: where an
//                                                        operation's messages begin on its channel, linear in s
//
// A cycle of events is a cycle of operations whose true offsets add up to 0. They are at most the edges' offsets
// (counts that are clamped to the last item ask for less, those clamped to none do not wait), so there is none if on
// every cycle of operations the offsets add up to less than 0: A s + B w + C < 0 for all s, w >= 1. Here B <= 0
// always, as only lagged edges have a w. So it holds for all s and w exactly if A <= 0 on every cycle, and the sum is
// negative for s = w = 1. Both are searches for a heaviest cycle, made inside strongly connected components only. The
// first is what finds the deadlocks that appear only for s > k w: too many segments for a ring of scratch slots.
//
// Blocks of different sizes are covered as well. Then an item is (k, j), segment j of the k-th block of its operation's
// walk, and items are compared by k first. An edge with a segments leads from (k, j) to (k + a, j) at most, for a block
// that has no segment j stands with its last one; and to less than that wherever it has a lag or a constant below 0.
// Moving by blocks keeps items in order. So along a cycle with A < 0 one comes to an earlier block, and along one with
// A = 0 to an earlier item, since B + C < 0 there: never back to where one began.
//
// The check may refuse a schedule that is right (it does not see that a cycle would need an item that does not exist),
// but never passes a wrong one. Empty text: no deadlock.
[[nodiscard]] std::string check_deadlock(const AllRanks& all);

}  // namespace espalier::proof
