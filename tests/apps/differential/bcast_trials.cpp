// SPDX-License-Identifier: Apache-2.0
#include "differential/buffer.hpp"
#include "differential/layouts.hpp"
#include "differential/trials.hpp"
#include "shared/mpi_functions.hpp"

namespace espalier::apps {

namespace {

void run(Job& job, const Variant& variant, const Row& row, std::uint64_t number) {
  const Group& group = job.groups[row[1]];
  if (!group.has_me()) return;
  const int root = job.roots[row[2]] % group.size, units = job.counts[row[3]];
  const Layout& layout = layouts()[row[4]];
  const Side side = layout.side(units, wrap(group.rank - root, group.size));
  const std::size_t bytes = packed_bytes(side.type, side.count);
  const Trial trial{.variant = variant,
                    .group = group,
                    .problem = {.collective = Collective::bcast, .root = root, .count = bytes, .in_place = true},
                    .what = std::to_string(units) + " units, " + layout.name,
                    .seed = number,
                    .number = number};
  trial.begin();

  Buffer expected(side.type, side.count);
  const std::vector<std::byte> message = make_message(bytes, number);
  expected.unpack(message);
  const auto initial = [&] { return group.rank == root ? expected : Buffer(side.type, side.count); };

  if (layout.uniform) {
    Buffer native = initial();
    native_mpi().bcast(native.origin(), side.count, side.type, root, group.comm);
    if (native.difference_from(expected)) trial.fail("the native result is not what the test expects");
  } else if (!trial.is_ours() || units == 0) {
    return;
  }
  for (int repeat = 0; repeat < 2; ++repeat) {
    Buffer buffer = initial();
    job.tally.make(trial, [&] { return MPI_Bcast(buffer.origin(), side.count, side.type, root, group.comm); });
    if (const auto difference = buffer.difference_from(expected)) trial.fail(*difference);
    if (const auto damage = buffer.damage()) trial.fail(*damage);
  }
  job.tally.add_trial();
}

}  // namespace

Matrix bcast_matrix(const Job& job) {
  const auto size = [](const auto& list) { return static_cast<int>(list.size()); };
  return {Collective::bcast, {size(job.groups), size(job.roots), size(job.counts), size(layouts())}, run};
}

}  // namespace espalier::apps
