// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "fake/state.hpp"

namespace espalier::fake {

namespace {

// The answer to a question about a communicator.
template <class Answer>
int ask(MPI_Comm comm, Answer answer) {
  const Comm* const found = find_comm(comm);
  if (found == nullptr) return raise(comm, MPI_ERR_COMM);
  answer(*found);
  return MPI_SUCCESS;
}

int comm_rank(MPI_Comm comm, int* rank) {
  return ask(comm, [&](const Comm& it) { *rank = it.rank_of(my_rank()); });
}

int comm_size(MPI_Comm comm, int* size) {
  return ask(comm, [&](const Comm& it) { *size = static_cast<int>(it.members.size()); });
}

int comm_remote_size(MPI_Comm comm, int* size) {
  return ask(comm, [&](const Comm& it) { *size = static_cast<int>(it.remote.value().size()); });
}

int comm_test_inter(MPI_Comm comm, int* between_groups) {
  return ask(comm, [&](const Comm& it) { *between_groups = it.remote ? 1 : 0; });
}

int comm_group(MPI_Comm comm, MPI_Group* group) {
  return ask(comm, [&](const Comm& it) { *group = state().groups.add(it.members); });
}

int group_size(MPI_Group group, int* size) {
  *size = static_cast<int>(state().groups.at(group).size());
  return MPI_SUCCESS;
}

int group_translate(MPI_Group from, int count, const int ranks[], MPI_Group to, int translated[]) {
  const std::vector<int>& target = state().groups.at(to);
  for (int k = 0; k < count; ++k) {
    const auto found = std::ranges::find(target, state().groups.at(from)[static_cast<std::size_t>(ranks[k])]);
    translated[k] = found == target.end() ? MPI_UNDEFINED : static_cast<int>(found - target.begin());
  }
  return MPI_SUCCESS;
}

int group_free(MPI_Group* group) {
  state().groups.remove(*group);
  *group = MPI_GROUP_NULL;
  return MPI_SUCCESS;
}

int create_keyval(MPI_Comm_copy_attr_function* copy, MPI_Comm_delete_attr_function* on_delete, int* keyval,
                  void* extra) {
  *keyval = state().comm_keyvals.add({copy, on_delete, extra});
  return MPI_SUCCESS;
}

// Attributes stay until their communicators go, and so does what their keyval says.
int free_keyval(int* keyval) {
  *keyval = MPI_KEYVAL_INVALID;
  return MPI_SUCCESS;
}

int get_attribute(MPI_Comm comm, int keyval, void* value, int* is_there) {
  static int highest_tag = 0x3fffff;
  if (find_comm(comm) == nullptr) return raise(comm, MPI_ERR_COMM);
  Attributes attributes = mine(comm).attributes;
  if (comm == MPI_COMM_WORLD) attributes[MPI_TAG_UB] = &highest_tag;
  *is_there = attributes.contains(keyval) ? 1 : 0;
  if (*is_there != 0) std::memcpy(value, &attributes[keyval], sizeof(void*));
  return MPI_SUCCESS;
}

int set_attribute(MPI_Comm comm, int keyval, void* value) {
  mine(comm).attributes[keyval] = value;
  return MPI_SUCCESS;
}

void copy_attributes(MPI_Comm from, MPI_Comm to) {
  for (const auto& [key, value] : mine(from).attributes) {
    const CommKeyval& keyval = state().comm_keyvals.at(key);
    void* copied = nullptr;
    int is_copied = 0;
    keyval.copy(from, key, keyval.extra, value, static_cast<void*>(&copied), &is_copied);
    if (is_copied != 0) mine(to).attributes[key] = copied;
  }
}

// A handle that all ranks have in common.
MPI_Comm make_copy(MPI_Comm comm) {
  const Comm& original = *find_comm(comm);
  MPI_Comm made = MPI_COMM_NULL;
  if (original.rank_of(my_rank()) == 0) made = make_communicator(original.members);
  Bytes bytes(sizeof made);
  std::memcpy(bytes.data(), &made, sizeof made);
  std::memcpy(&made, exchange(comm, "Comm_dup", bytes)[0].data(), sizeof made);
  return made;
}

int comm_dup(MPI_Comm comm, MPI_Comm* copy) {
  *copy = comm == MPI_COMM_SELF ? make_copy_of_self() : make_copy(comm);
  mine(*copy).handler = mine(comm).handler;
  copy_attributes(comm, *copy);
  return MPI_SUCCESS;
}

// The last one first. A callback that refuses keeps the communicator alive.
int delete_attributes(MPI_Comm comm) {
  Attributes& attributes = mine(comm).attributes;
  while (!attributes.empty()) {
    const auto [key, value] = *attributes.rbegin();
    const CommKeyval& keyval = state().comm_keyvals.at(key);
    if (const int status = keyval.on_delete(comm, key, value, keyval.extra); status != MPI_SUCCESS) return status;
    attributes.erase(key);
  }
  return MPI_SUCCESS;
}

// All ranks are on one node.
int split_type(MPI_Comm comm, int type, int, MPI_Info, MPI_Comm* node) {
  if (type != MPI_COMM_TYPE_SHARED) fail("communicators are split by nodes only");
  return comm_dup(comm, node);
}

int comm_free(MPI_Comm* comm) {
  Comm* const found = find_comm(*comm);
  if (found == nullptr) return raise(*comm, MPI_ERR_COMM);
  if (const int status = delete_attributes(*comm); status != MPI_SUCCESS) return raise(*comm, status);
  if (++found->freed == found->members.size()) state().comms.remove(same_everywhere(*comm));
  *comm = MPI_COMM_NULL;
  return MPI_SUCCESS;
}

}  // namespace

int Comm::rank_of(int world_rank) const {
  const auto found = std::ranges::find(members, world_rank);
  return found == members.end() ? MPI_UNDEFINED : static_cast<int>(found - members.begin());
}

void add_communicators(Native& table) {
  table.Comm_rank = comm_rank;
  table.Comm_size = comm_size;
  table.Comm_get_name = [](MPI_Comm, char* name, int* length) { return *name = '\0', *length = 0, MPI_SUCCESS; };
  table.Comm_set_name = [](MPI_Comm, const char*) { return MPI_SUCCESS; };
  table.Comm_remote_size = comm_remote_size;
  table.Comm_test_inter = comm_test_inter;
  table.Comm_group = comm_group;
  table.Group_size = group_size;
  table.Group_translate_ranks = group_translate;
  table.Group_free = group_free;
  table.Comm_create_keyval = create_keyval;
  table.Comm_free_keyval = free_keyval;
  table.Comm_get_attr = get_attribute;
  table.Comm_set_attr = set_attribute;
  table.Comm_dup = comm_dup;
  table.Comm_split_type = split_type;
  table.Comm_free = comm_free;
  table.Comm_disconnect = comm_free;
  table.Finalize = [] { return delete_attributes(MPI_COMM_SELF); };
  table.Query_thread = [](int* level) {
    *level = state().thread_level;
    return MPI_SUCCESS;
  };
}

}  // namespace espalier::fake
