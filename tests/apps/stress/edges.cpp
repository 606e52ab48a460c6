// SPDX-License-Identifier: Apache-2.0
// The edges of what is ours: one rank alone, two groups at once, communicators of all kinds, empty and large messages,
// the application's attributes, and programs whose root goes round.
//
//     mpiexec -x LD_PRELOAD=.../libespalier.so -n 4 edges
#include <algorithm>
#include <string>
#include <vector>

#include "shared/between_groups.hpp"
#include "shared/failures.hpp"
#include "shared/known_calls.hpp"
#include "shared/mpi_functions.hpp"
#include "shared/preloaded.hpp"
#include "shared/program.hpp"
#include "shared/random.hpp"
#include "shared/settings.hpp"

namespace espalier::apps {

namespace {

constexpr int large_count = (3 << 20) / 8 + 5;

void expect(bool holds, const std::string& what) {
  if (!holds) fail(what);
}

void use(const Member& member, std::uint64_t calls) {
  for (std::uint64_t number = 0; number < calls; ++number) make_known_call(member, number, 500);
}

struct KindOfCommunicator {
  const char* name;
  MPI_Comm (*make)(const Member& world);
};

MPI_Comm of_group(const Member& world, int first) {
  MPI_Group all, some;
  MPI_Comm comm = MPI_COMM_NULL;
  if (first >= world.size) return comm;
  int range[][3] = {{world.size - 1, first, -1}};
  MPI_Comm_group(world.comm, &all);
  MPI_Group_range_incl(all, 1, range, &some);
  if (world.rank >= first) MPI_Comm_create_group(world.comm, some, 3, &comm);
  MPI_Group_free(&some);
  MPI_Group_free(&all);
  return comm;
}

const KindOfCommunicator kinds_of_communicators[] = {
    {"a duplicate that arrives later",
     [](const Member& world) {
       MPI_Comm comm;
       MPI_Request request;
       MPI_Comm_idup(world.comm, &comm, &request);
       MPI_Wait(&request, MPI_STATUS_IGNORE);
       return comm;
     }},
    {"cartesian, with the ranks in any order",
     [](const Member& world) {
       MPI_Comm comm;
       int extents[2] = {0, 0};
       const int periods[2] = {1, 0};
       MPI_Dims_create(world.size, 2, extents);
       MPI_Cart_create(world.comm, 2, extents, periods, 1, &comm);
       return comm;
     }},
    {"rows of a cartesian one",
     [](const Member& world) {
       MPI_Comm grid, row;
       int extents[2] = {0, 0};
       const int periods[2] = {0, 0}, kept[2] = {1, 0};
       MPI_Dims_create(world.size, 2, extents);
       MPI_Cart_create(world.comm, 2, extents, periods, 0, &grid);
       MPI_Cart_sub(grid, kept, &row);
       MPI_Comm_free(&grid);
       return row;
     }},
    {"a graph, whose ranks know their neighbours",
     [](const Member& world) {
       MPI_Comm comm;
       const int next = (world.rank + 1) % world.size, before = (world.rank + world.size - 1) % world.size;
       MPI_Dist_graph_create_adjacent(world.comm, 1, &before, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED, MPI_INFO_NULL,
                                      1, &comm);
       return comm;
     }},
    {"of one node",
     [](const Member& world) {
       MPI_Comm comm;
       MPI_Comm_split_type(world.comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &comm);
       return comm;
     }},
    {"of a group, backwards", [](const Member& world) { return of_group(world, 0); }},
    {"of a group that not all are in", [](const Member& world) { return of_group(world, 1); }},
    {"of two groups that became one",
     [](const Member& world) {
       MPI_Comm group, both, merged = MPI_COMM_NULL;
       if (world.size < 2) return merged;
       const int side = world.rank % 2;
       MPI_Comm_split(world.comm, side, world.rank, &group);
       MPI_Intercomm_create(group, 0, world.comm, 1 - side, 7, &both);
       MPI_Intercomm_merge(both, side == 0, &merged);
       MPI_Comm_free(&both);
       MPI_Comm_free(&group);
       return merged;
     }},
};

void test_one_rank_alone() {
  now_doing("MPI_COMM_SELF");
  use(Member(MPI_COMM_SELF), 200);
}

// In which a rank has no buffers at all, or those that MPICH 5 wants to be two.
void test_empty_messages_without_buffers(const Member& world) {
  now_doing("empty messages");
  int somewhere = 0;
  for (const Form& form : forms_of(Kind::blocking)) {
    for (int root = 0; root < world.size; ++root) {
      KnownCall empty(world, {.form = callable(form), .root = root});
      Call call = empty.call();
      call.input = nullptr;
      call.output = form.function.is_uneven ? &somewhere : nullptr;
      expect(empty.wish().form.function.native(called_mpi(), call) == MPI_SUCCESS, "empty " + empty.describe());
    }
  }
}

// Even ranks and odd ranks, each group with the other one.
void test_two_groups(const Member& world) {
  now_doing("intercommunicator");
  if (world.size < 2) return;
  MPI_Comm group, both;
  const int side = world.rank % 2;
  MPI_Comm_split(world.comm, side, world.rank, &group);
  MPI_Intercomm_create(group, 0, world.comm, 1 - side, 7, &both);
  const int root = side == 0 ? (world.rank == 0 ? MPI_ROOT : MPI_PROC_NULL) : 0;
  make_calls_between_groups(both, root);
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
  std::uint64_t number = 0;
  for (int turn = 0; turn < 2; ++turn) {
    for (int count = 1; count <= 20; ++count) {
      for (int root = 0; root < world.size; ++root) {
        for (const Form& form : forms_of(Kind::blocking)) {
          if (form.function.contract->is_rooted() && !form.function.is_large) {
            make_and_check(world, {.form = form, .number = ++number, .root = root, .count = count});
          }
        }
      }
    }
  }
}

// Sizes at which the fixed table prefers own algorithms to the native MPI.
void test_large_messages(const Member& world) {
  now_doing("large messages");
  std::uint64_t number = 0;
  for (const Form& form : forms_of(Kind::blocking)) {
    const Contract& contract = *form.function.contract;
    if (form.function.is_large) continue;
    const int blocks = contract.division == Division::by_algorithm ? 1 : world.size;
    for (int root = 0; root < (contract.is_rooted() ? world.size : 1); ++root) {
      make_and_check(world, {.form = form, .number = ++number, .root = root, .count = large_count / blocks});
    }
  }
}

void use_each_variant(const Member& member) {
  for (int turn = 0; turn < 2; ++turn) make_each_call(member, scramble(turn, 1));
  use(member, 50);
}

void test_kinds_of_communicators(const Member& world) {
  for (const KindOfCommunicator& kind : kinds_of_communicators) {
    now_doing(kind.name);
    MPI_Comm comm = kind.make(world);
    if (comm == MPI_COMM_NULL) continue;
    use_each_variant(Member(comm));
    MPI_Comm_free(&comm);
  }
}

void test_session() {
  now_doing("a session");
  MPI_Session session;
  MPI_Group group;
  MPI_Comm comm;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, "espalier.edges", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
  MPI_Group_free(&group);
  const Member member(comm);
  const std::uint64_t before = all_calls().own;
  use_each_variant(member);
  if (member.size > 1 && all_calls().own == before) fail("no call on the communicator of a session was ours");
  MPI_Comm_free(&comm);
  MPI_Session_finalize(&session);
}

int run(const Arguments&) {
  const Member world(MPI_COMM_WORLD);
  test_large_messages(world);
  const CallCounts by_table = all_calls();
  for (const std::string& setting : {std::string(), own_algorithms(0), own_algorithms(1)}) {
    if (const std::string error = force(setting); !error.empty()) fail(error);
    test_one_rank_alone();
    test_empty_messages_without_buffers(world);
    test_two_groups(world);
    copied = deleted = 0;
    test_attributes(world);
    test_kinds_of_communicators(world);
    test_root_goes_round(world);
    test_large_messages(world);
  }
  test_session();
  return conclude("\"own\": " + std::to_string(all_calls().own) +
                  ", \"own_by_table\": " + std::to_string(by_table.own));
}

}  // namespace

}  // namespace espalier::apps

int main(int argc, char** argv) { return espalier::apps::run_program(argc, argv, espalier::apps::run); }
