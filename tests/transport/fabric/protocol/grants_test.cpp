// SPDX-License-Identifier: Apache-2.0
// Grants of both sides: regions told once, again after 16 others, in each epoch; grants that come before their run, in
// another order of runs and channels, of a region that is not known (lost) or no longer (late), and without bytes.
#include "transport/fabric/protocol/grants.hpp"

#include <gtest/gtest.h>

#include "fake_link.hpp"

namespace espalier::grants_test {
namespace {

struct Streams {
  explicit Streams(std::uint64_t number, Channel channel = 2)
      : run(number),
        messages(8),
        inlet(run, messages, nobody.peer, channel),
        outlet(run, messages, nobody.peer, channel) {}

  fake::FakePeer nobody{1};
  fake::FakeRun run;
  StreamEnd::Messages messages;
  Inlet inlet;
  Outlet outlet;
};

std::array<std::byte, 1000> memory;

WritableRegion region(std::uint32_t id) {
  WritableRegion region;
  region.id = id;
  region.area = {memory.data(), memory.size()};
  region.where.base = 5000;
  region.where.keys[1] = 77;
  return region;
}

TEST(Grants, tell_a_region_once_in_an_epoch_and_again_after_another_one_in_its_place) {
  Grants grants;
  EXPECT_TRUE(grants.is_new(region(3)));
  EXPECT_FALSE(grants.is_new(region(3)));
  EXPECT_TRUE(grants.is_new(region(3 + 16)));
  EXPECT_TRUE(grants.is_new(region(3)));
  grants.forget();
  EXPECT_TRUE(grants.is_new(region(3)));
}

TEST(Grants, are_read_as_they_were_meant) {
  Streams streams(4);
  streams.inlet.number = 1234;
  Grants theirs;
  const WritableRegion open = region(3);
  theirs.note_region(Grants::record_of(open));
  const FabricRecord record = Grants::record_of(streams.inlet, 6, 2, memory.data() + 100, 300, &open);
  EXPECT_EQ(record.grant.run, (RunName{4, 7}));
  EXPECT_EQ(record.grant.channel, 2u);
  const std::optional<Granted> granted = theirs.read(record);
  ASSERT_TRUE(granted);
  EXPECT_TRUE(granted->has_bytes);
  EXPECT_EQ(granted->first_piece, 6u);
  EXPECT_EQ(granted->pieces, 2u);
  EXPECT_EQ(granted->address, 5100u);
  EXPECT_EQ(granted->bytes, 300u);
  EXPECT_EQ(granted->keys[1], 77u);
  EXPECT_EQ(granted->inlet, 1234u);
}

TEST(Grants, of_pieces_without_bytes_need_no_region) {
  const Streams streams(4);
  const std::optional<Granted> granted = Grants().read(Grants::record_of(streams.inlet, 0, 1, nullptr, 0, nullptr));
  ASSERT_TRUE(granted);
  EXPECT_FALSE(granted->has_bytes);
  EXPECT_EQ(granted->bytes, 0u);
}

TEST(Grants, of_a_region_that_is_lost_or_replaced_are_not_read) {
  const Streams streams(4);
  const WritableRegion open = region(3), other = region(3 + 16);
  const FabricRecord record = Grants::record_of(streams.inlet, 0, 1, memory.data(), 10, &open);
  Grants theirs;
  EXPECT_FALSE(theirs.read(record));
  theirs.note_region(Grants::record_of(open));
  EXPECT_TRUE(theirs.read(record));
  theirs.note_region(Grants::record_of(other));
  EXPECT_FALSE(theirs.read(record));
  theirs.note_region(Grants::record_of(open));
  theirs.note_region(Grants::record_of(open));  // doubled
  EXPECT_TRUE(theirs.read(record));
  theirs.forget();
  EXPECT_FALSE(theirs.read(record));
}

TEST(Grants, that_come_before_their_run_wait_for_it_in_order) {
  Streams first(4), of_other_channel(4, 3), of_other_run(5);
  Grants theirs;
  const auto keep = [&](const Streams& streams, std::uint64_t piece) {
    const FabricRecord record = Grants::record_of(streams.inlet, piece, 1, nullptr, 0, nullptr);
    theirs.keep(record, *theirs.read(record));
  };
  keep(first, 0);
  keep(of_other_run, 0);
  keep(first, 1);
  keep(of_other_channel, 0);
  theirs.move_kept_to(first.outlet);
  ASSERT_EQ(first.outlet.granted.size(), 2u);
  EXPECT_EQ(first.outlet.granted[0].first_piece, 0u);
  EXPECT_EQ(first.outlet.granted[1].first_piece, 1u);
  theirs.move_kept_to(first.outlet);
  EXPECT_EQ(first.outlet.granted.size(), 2u);
  theirs.move_kept_to(of_other_run.outlet);
  EXPECT_EQ(of_other_run.outlet.granted.size(), 1u);
  theirs.forget();
  theirs.move_kept_to(of_other_channel.outlet);
  EXPECT_TRUE(of_other_channel.outlet.granted.empty());
}

TEST(FailedRuns, are_remembered_until_eight_others_have_failed) {
  FailedRuns runs;
  EXPECT_TRUE(runs.all().empty());
  runs.add({1, 7});
  EXPECT_TRUE(runs.has({1, 7}));
  EXPECT_FALSE(runs.has({1, 8}));
  for (std::uint64_t number = 2; number < 9; ++number) runs.add({number, 7});
  EXPECT_TRUE(runs.has({1, 7}));
  runs.add({9, 7});
  EXPECT_FALSE(runs.has({1, 7}));
  EXPECT_EQ(runs.all().size(), 8u);
}

}  // namespace
}  // namespace espalier::grants_test
