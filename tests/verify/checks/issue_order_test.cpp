// SPDX-License-Identifier: Apache-2.0
#include "../checks.hpp"

namespace espalier::issue_order_test {
namespace {

using namespace hand_made;
using namespace checks;

const Region input = blocks_of(Buffer::input, 1), output = blocks_of(Buffer::output, 1);

// Two ranks swap their inputs. `sends_first`: in which order the operations are numbered, and nothing else.
Schedule swapping(Rank me, bool sends_first) {
  Script script;
  const Region theirs = slots_of(script.area(Area::Kind::slots, 1), 1);
  const Region left = me == 0 ? input : theirs, right = me == 0 ? theirs : input;
  if (sends_first) script.send(1 - me, input);
  const std::uint32_t received = script.recv(1 - me, theirs);
  script.reduce(output, left, right, {after(received)});
  if (!sends_first) script.send(1 - me, input);
  return script.schedule();
}

TEST(IssueOrder, is_part_of_what_is_right) {
  expect_right(allreduce_of_two, {swapping(0, true), swapping(1, true)}, {1, 1});
  expect_right(allreduce_of_two, {swapping(0, true), swapping(1, false)}, {1, 1});
  expect_only(allreduce_of_two, {swapping(0, false), swapping(1, false)}, {1, 1}, "issue order",
              "issued in the order of the operations' numbers: deadlock");
}

TEST(IssueOrder, is_free_with_several_segments) {
  expect_right(allreduce_of_two, {swapping(0, false), swapping(1, false)}, {3, 1});
}

// Rank 1's schedule walks over two blocks, so it runs in the general executor, next to a flat one.
TEST(IssueOrder, is_checked_next_to_ranks_that_are_not_flat) {
  const auto make = [](bool sends_first) {
    Script flat(2), general(2);
    const auto block = [](Buffer buffer, int k) { return blocks_of(buffer, 1, {k}); };
    const auto send_both = [&] {
      const std::uint32_t first = flat.send(1, block(Buffer::input, 0));
      flat.send(1, block(Buffer::input, 1), {after_posting(first)});
    };
    if (sends_first) send_both();
    const std::uint32_t received = flat.recv(1, block(Buffer::output, 0));
    flat.recv(1, block(Buffer::output, 1), {after_all_of(received)});
    if (!sends_first) send_both();
    general.area(Area::Kind::slots, 2);
    general.recv(0, slots_of(0, 2));
    general.reduce(blocks_of(Buffer::output, 2), slots_of(0, 2), blocks_of(Buffer::input, 2), {after(0)});
    general.send(0, blocks_of(Buffer::output, 2), {after_all_of(1)});
    return Schedules{flat.schedule(), general.schedule()};
  };
  expect_right(allreduce_of_two, make(true), {1, 1});
  expect_only(allreduce_of_two, make(false), {1, 1}, "issue order", "deadlock");
}

}  // namespace
}  // namespace espalier::issue_order_test
