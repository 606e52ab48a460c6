// SPDX-License-Identifier: Apache-2.0
#include "fake/state.hpp"

#include <cstdio>
#include <numeric>

namespace espalier::fake {

namespace {

std::optional<State> the_state;

// Each rank has communicators of its own behind MPI_COMM_SELF and its copies.
constexpr MPI_Comm self_of_first_rank = 0x7e000000;
constexpr MPI_Comm first_copy_of_self = 0x7d000000;
constexpr int most_copies = 256;
MPI_Comm self_of(Rank rank) { return self_of_first_rank + rank; }
bool is_copy_of_self(MPI_Comm comm) { return comm >= first_copy_of_self && comm < first_copy_of_self + most_copies; }
Comm alone(Rank rank) { return {.members = {rank}, .meeting = {.given = std::vector<Bytes>(1)}}; }

std::vector<int> first_ranks(Rank size) {
  std::vector<int> ranks(static_cast<std::size_t>(size));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

int keep(Comm comm) {
  comm.meeting.given.resize(comm.members.size());
  return state().comms.add(std::move(comm));
}

Native without_functions() {
  Native table;
#define ESPALIER_REFUSE(name) table.name = [](auto...) -> int { fail("no MPI_" #name); };
  ESPALIER_NATIVE_FUNCTIONS(ESPALIER_REFUSE)
#undef ESPALIER_REFUSE
  return table;
}

}  // namespace

State& state() { return *the_state; }

void start(Rank size) {
  the_state.emplace().size = size;
  state().comms.put(MPI_COMM_WORLD, {.members = first_ranks(size), .meeting = {.given = std::vector<Bytes>(size)}});
  for (Rank rank = 0; rank < size; ++rank) {
    state().comms.put(self_of(rank), alone(rank));
  }
}

Native functions() {
  Native table = without_functions();
  table.Init = [](int*, char***) { return MPI_SUCCESS; };
  table.Init_thread = [](int*, char***, int required, int* provided) {
    *provided = state().thread_level = required;
    return MPI_SUCCESS;
  };
  table.Get_library_version = [](char* text, int* length) {
    *length = std::snprintf(text, MPI_MAX_LIBRARY_VERSION_STRING, "Fake MPI 1.0\nfor tests");
    return MPI_SUCCESS;
  };
  for (auto* add : {add_communicators, add_types, add_packing, add_messages, add_completion, add_requests,
                    add_persistent, add_collectives, add_operations, add_errors}) {
    add(table);
  }
  return table;
}

MPI_Comm same_everywhere(MPI_Comm comm) {
  if (comm == MPI_COMM_SELF) return self_of(my_rank());
  return is_copy_of_self(comm) ? comm + most_copies * (my_rank() + 1) : comm;
}

Comm* find_comm(MPI_Comm comm) { return state().comms.find(same_everywhere(comm)); }

Comm::OfRank& mine(MPI_Comm comm) {
  Comm* const found = find_comm(comm);
  if (found == nullptr) fail("no such communicator");
  return found->of[my_rank()];
}

MPI_Comm make_communicator(std::vector<int> world_ranks) { return keep({.members = std::move(world_ranks)}); }

MPI_Comm make_copy_of_self() {
  const int number = state().copies_of_self[my_rank()]++;
  if (number == most_copies) fail("this many copies of MPI_COMM_SELF are too many");
  const MPI_Comm copy = first_copy_of_self + number;
  state().comms.put(same_everywhere(copy), alone(my_rank()));
  return copy;
}

MPI_Comm make_intercommunicator(std::vector<int> local, std::vector<int> remote) {
  return keep({.members = std::move(local), .remote = std::move(remote)});
}

Remains remains() {
  const State& all = state();
  return {all.types.size(), all.groups.size(), all.requests.size(), all.messages.size()};
}

void set_thread_level(int level) { state().thread_level = level; }

}  // namespace espalier::fake
