// SPDX-License-Identifier: Apache-2.0
// The edges of what is ours: one rank alone, two groups at once, empty and large messages, the application's
// attributes, and programs whose root goes round.
//
//     mpiexec -x LD_PRELOAD=.../libespalier.so -n 4 edges
#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "shared/failures.hpp"
#include "shared/known_calls.hpp"
#include "shared/mpi_functions.hpp"
#include "shared/preloaded.hpp"
#include "shared/random.hpp"

namespace espalier::apps {

namespace {

void expect(bool holds, const std::string& what) {
  if (!holds) fail(what);
}

void use(const Member& member, std::uint64_t calls) {
  for (std::uint64_t number = 0; number < calls; ++number) make_known_call(member, number, 500);
}

void test_one_rank_alone() {
  now_doing("MPI_COMM_SELF");
  use(Member(MPI_COMM_SELF), 200);
}

void test_empty_messages_without_buffers(const Member& world) {
  now_doing("empty messages");
  for (int root = 0; root < world.size; ++root) {
    expect(MPI_Bcast(nullptr, 0, MPI_INT, root, world.comm) == MPI_SUCCESS, "empty bcast");
    expect(MPI_Reduce(nullptr, nullptr, 0, MPI_DOUBLE, MPI_SUM, root, world.comm) == MPI_SUCCESS, "empty reduce");
    expect(MPI_Allreduce(MPI_IN_PLACE, nullptr, 0, MPI_INT, MPI_MAX, world.comm) == MPI_SUCCESS, "empty allreduce");
  }
  const std::vector<int> none(static_cast<std::size_t>(world.size), 0);
  const int* const zeros = none.data();
  const auto check = [](int status, const char* what) { expect(status == MPI_SUCCESS, what); };
  check(MPI_Allgather(nullptr, 0, MPI_INT, nullptr, 0, MPI_INT, world.comm), "empty allgather");
  check(MPI_Allgatherv(nullptr, 0, MPI_INT, nullptr, zeros, zeros, MPI_INT, world.comm), "empty allgatherv");
  check(MPI_Alltoall(nullptr, 0, MPI_INT, nullptr, 0, MPI_INT, world.comm), "empty alltoall");
  int somewhere = 0;  // MPICH 5 takes two null pointers for one buffer
  check(MPI_Alltoallv(nullptr, zeros, zeros, MPI_INT, &somewhere, zeros, zeros, MPI_INT, world.comm),
        "empty alltoallv");
  check(MPI_Reduce_scatter_block(nullptr, nullptr, 0, MPI_INT, MPI_SUM, world.comm), "empty reduce_scatter_block");
}

int size_of_other(MPI_Comm both) {
  int size = 0;
  MPI_Comm_remote_size(both, &size);
  return size;
}

// Even ranks and odd ranks, each group with the other one.
void test_two_groups(const Member& world) {
  now_doing("intercommunicator");
  if (world.size < 2) return;
  MPI_Comm group, both;
  const int side = world.rank % 2;
  MPI_Comm_split(world.comm, side, world.rank, &group);
  MPI_Intercomm_create(group, 0, world.comm, 1 - side, 7, &both);
  const CallCounts before = all_calls();

  int value = world.rank, sum = -1;
  MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, both);
  int expected = 0;
  for (int rank = 1 - side; rank < world.size; rank += 2) expected += rank;
  expect(sum == expected, "allreduce between groups");

  const int root = side == 0 ? (world.rank == 0 ? MPI_ROOT : MPI_PROC_NULL) : 0;
  int news = world.rank == 0 ? 77 : -1;
  MPI_Bcast(&news, 1, MPI_INT, root, both);
  expect(news == (side == 1 || world.rank == 0 ? 77 : -1), "bcast between groups");
  sum = -1;
  MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, root, both);
  if (world.rank == 0) expect(sum == expected, "reduce between groups");
  MPI_Barrier(both);

  std::vector<int> theirs(static_cast<std::size_t>(size_of_other(both))), exchanged(theirs.size());
  MPI_Allgather(&value, 1, MPI_INT, theirs.data(), 1, MPI_INT, both);
  const std::vector<int> mine(theirs.size(), world.rank);
  MPI_Alltoall(mine.data(), 1, MPI_INT, exchanged.data(), 1, MPI_INT, both);
  for (std::size_t i = 0; i < theirs.size(); ++i) {
    const int other = 1 - side + 2 * static_cast<int>(i);
    expect(theirs[i] == other, "allgather between groups");
    expect(exchanged[i] == other, "alltoall between groups");
  }

  const CallCounts after = all_calls();
  expect(after.own == before.own, "collectives between groups must be native");
  unsigned long long counted = is_preloaded() ? 4 : 0;
  for (const Collective other : {Collective::allgather, Collective::alltoall}) counted += is_intercepted(other) ? 1 : 0;
  expect(after.native == before.native + counted, "collectives between groups must be counted");
  MPI_Comm_free(&both);
  MPI_Comm_free(&group);
}

int copied = 0, deleted = 0;

int note_copy(MPI_Comm, int, void*, void* value, void* copy, int* flag) {
  ++copied;
  *static_cast<void**>(copy) = value;
  *flag = 1;
  return MPI_SUCCESS;
}
int note_delete(MPI_Comm, int, void*, void*) {
  ++deleted;
  return MPI_SUCCESS;
}

// Whatever we make of a communicator must not copy or delete the application's attributes.
void test_attributes(const Member& world) {
  now_doing("attributes");
  int key = MPI_KEYVAL_INVALID, value = 0;
  MPI_Comm_create_keyval(note_copy, note_delete, &key, nullptr);
  MPI_Comm comm, copy;
  MPI_Comm_split(world.comm, 0, world.rank, &comm);
  MPI_Comm_set_attr(world.comm, key, &value);
  MPI_Comm_set_attr(comm, key, &value);
  use(Member(comm), 50);
  use(world, 50);
  expect(copied == 0 && deleted == 0, "collectives copied or deleted an attribute");
  MPI_Comm_dup(comm, &copy);
  expect(copied == 1, "a duplicate has the attribute once");
  use(Member(copy), 50);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&comm);
  expect(copied == 1 && deleted == 2, "freeing deletes each attribute once");
  MPI_Comm_delete_attr(world.comm, key);
  MPI_Comm_free_keyval(&key);
}

// More roots and lengths than any cache of prepared calls holds.
void test_root_goes_round(const Member& world) {
  now_doing("the root goes round");
  for (int turn = 0; turn < 3; ++turn) {
    for (int count = 1; count <= 40; ++count) {
      for (int root = 0; root < world.size; ++root) {
        std::vector<int> values(static_cast<std::size_t>(count), world.rank == root ? root + count : -1);
        MPI_Bcast(values.data(), count, MPI_INT, root, world.comm);
        expect(std::ranges::all_of(values, [&](int v) { return v == root + count; }), "bcast from all roots in turn");
        std::vector<int> sums(values.size(), -1);
        MPI_Reduce(values.data(), sums.data(), count, MPI_INT, MPI_SUM, root, world.comm);
        const int expected = world.rank == root ? world.size * (root + count) : -1;
        expect(std::ranges::all_of(sums, [&](int v) { return v == expected; }), "reduce to all roots in turn");
      }
    }
  }
}

// Sizes at which the fixed table prefers own algorithms to the native MPI.
void test_large_messages(const Member& world) {
  now_doing("large messages");
  constexpr int count = (3 << 20) / 8 + 5;
  std::vector<std::uint64_t> input(count), ours(count), native(count);
  for (int i = 0; i < count; ++i) input[i] = scramble(static_cast<std::uint64_t>(i), world.rank);
  for (int root = 0; root < world.size; ++root) {
    ours = native = input;
    MPI_Bcast(ours.data(), count, MPI_UINT64_T, root, world.comm);
    native_mpi().bcast(native.data(), count, MPI_UINT64_T, root, world.comm);
    expect(ours == native, "large bcast");
    MPI_Reduce(input.data(), ours.data(), count, MPI_UINT64_T, MPI_SUM, root, world.comm);
    native_mpi().reduce(input.data(), native.data(), count, MPI_UINT64_T, MPI_SUM, root, world.comm);
    expect(ours == native, "large reduce");
  }
  MPI_Allreduce(input.data(), ours.data(), count, MPI_UINT64_T, MPI_SUM, world.comm);
  native_mpi().allreduce(input.data(), native.data(), count, MPI_UINT64_T, MPI_SUM, world.comm);
  expect(ours == native, "large allreduce");
}

int run() {
  const Member world(MPI_COMM_WORLD);
  test_large_messages(world);
  const CallCounts by_table = all_calls();
  for (const char* setting :
       {"",
        "bcast:circulant,segment=1KiB;reduce:rabenseifner;allreduce:ring,segment=1KiB;barrier:dissemination;"
        "allgather:ring,segment=1KiB;alltoall:pairwise,segment=1KiB;reduce_scatter_block:ring,segment=1KiB",
        "bcast:knomial;reduce:in_order;allreduce:tree;barrier:dissemination;allgather:bruck;alltoall:bruck;"
        "reduce_scatter_block:ring"}) {
    if (const std::string error = force(setting); !error.empty()) fail(error);
    test_one_rank_alone();
    test_empty_messages_without_buffers(world);
    test_two_groups(world);
    copied = deleted = 0;
    test_attributes(world);
    test_root_goes_round(world);
    test_large_messages(world);
  }
  return conclude("\"own\": " + std::to_string(all_calls().own) +
                  ", \"own_by_table\": " + std::to_string(by_table.own));
}

}  // namespace

}  // namespace espalier::apps

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int status = espalier::apps::run();
  MPI_Finalize();
  return status;
}
