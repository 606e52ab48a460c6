// SPDX-License-Identifier: Apache-2.0
// All that the fake MPI remembers.
#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <optional>

#include "fake/fake_mpi.hpp"
#include "fake/handles.hpp"

namespace espalier::fake {

using Bytes = std::vector<std::byte>;

// Of one object on one rank.
using Attributes = std::map<int, void*>;

template <class Copy, class Delete>
struct Keyval {
  Copy* copy = nullptr;
  Delete* on_delete = nullptr;
  void* extra = nullptr;
};
using CommKeyval = Keyval<MPI_Comm_copy_attr_function, MPI_Comm_delete_attr_function>;
using TypeKeyval = Keyval<MPI_Type_copy_attr_function, MPI_Type_delete_attr_function>;

// Where all ranks of a communicator meet in a collective call.
struct Meeting {
  std::string function;  // that all of them must have called
  std::vector<Bytes> given;
  std::size_t arrived = 0, leaving = 0;
};

struct Comm {
  struct OfRank {
    MPI_Errhandler handler = MPI_ERRORS_ARE_FATAL;
    Attributes attributes;
  };
  std::vector<int> members;  // world ranks
  std::optional<std::vector<int>> remote;
  std::map<Rank, OfRank> of = {};  // by world rank
  Meeting meeting = {};
  std::size_t freed = 0;  // by this many of its ranks

  [[nodiscard]] int rank_of(int world_rank) const;
};

struct Piece {
  MPI_Aint offset = 0;
  MPI_Count bytes = 0;
};

struct Type {
  std::vector<Piece> pieces;  // in the order of the signature; neighbours are one
  MPI_Aint lower_bound = 0, extent = 0;
  bool committed = false;
  int combiner = MPI_COMBINER_NAMED;
  int count = 0;                           // MPI_COMBINER_CONTIGUOUS only
  MPI_Datatype inner = MPI_DATATYPE_NULL;  // the same, and MPI_COMBINER_DUP
  std::map<Rank, Attributes> attributes = {};

  [[nodiscard]] MPI_Count size() const;
  [[nodiscard]] MPI_Aint true_lower_bound() const;
  [[nodiscard]] MPI_Aint true_upper_bound() const;
};

// What the application gave for a request of its own.
struct Generalized {
  MPI_Grequest_query_function* query = nullptr;
  MPI_Grequest_free_function* on_free = nullptr;
  MPI_Grequest_cancel_function* cancel = nullptr;
  void* extra = nullptr;
};

struct Request {
  bool is_over = false;
  int error = MPI_SUCCESS;
  MPI_Comm comm = MPI_COMM_NULL;
  int source = 0, target = 0, tag = 0;  // world ranks
  std::byte* buffer = nullptr;          // of a receive
  int count = 0;
  Type type = {};
  MPI_Status status = {};
  std::optional<Generalized> generalized = {};
  // Of a persistent one: what begins it again.
  std::function<void(MPI_Request)> start = {};
  bool is_active = true;
};

struct MessageUnderWay {
  MPI_Comm comm = MPI_COMM_NULL;
  int source = 0, target = 0, tag = 0;  // world ranks
  Bytes data;
  MPI_Request waits = MPI_REQUEST_NULL;  // a synchronous send
};

struct Operation {
  MPI_User_function* function = nullptr;
  bool commutes = true;
};

// Of each job others: what a job leaves behind is not taken for the next one's.
[[nodiscard]] inline unsigned first_request_of_next_job() {
  static unsigned job = 0;
  return 0xec000000 + 0x1000 * job++;
}

struct State {
  Rank size = 1;
  int thread_level = MPI_THREAD_SINGLE;
  Handles<Comm> comms{0xc4000000};
  Handles<std::vector<int>> groups{0xc8000000};  // world ranks
  Handles<Type> types{0xcc000000};
  Handles<Request> requests{first_request_of_next_job()};
  Handles<Operation> operations{0xd8000000};
  Handles<std::function<void(MPI_Comm, int)>> handlers{0xd4000000};
  Handles<CommKeyval> comm_keyvals{0xa4000000};
  Handles<TypeKeyval> type_keyvals{0xb4000000};
  std::list<MessageUnderWay> messages;  // that no receive has met yet
  std::list<MPI_Request> receives;      // that no message has met yet
  std::map<Rank, std::vector<int>> raised;
  std::map<Rank, int> copies_of_self;  // this many were made
};
[[nodiscard]] State& state();

// Handles that stand for something else on each rank, MPI_COMM_SELF and its copies, as handles that do so everywhere.
[[nodiscard]] MPI_Comm same_everywhere(MPI_Comm comm);

[[nodiscard]] MPI_Comm make_copy_of_self();

// Null if there is no such communicator, or datatype.
[[nodiscard]] Comm* find_comm(MPI_Comm comm);
[[nodiscard]] const Type* find_type(MPI_Datatype type);
[[nodiscard]] Comm::OfRank& mine(MPI_Comm comm);

// By the error handler of the communicator on this rank; the world's if there is no such one. Returns the code.
int raise(MPI_Comm comm, int error_class);

[[nodiscard]] Bytes packed(const void* buffer, int count, const Type& type);
// Cuts off what is too long: false then.
[[nodiscard]] bool unpack(const Bytes& bytes, void* buffer, int count, const Type& type);

// As MPI_Wait.
int wait(MPI_Request* request, MPI_Status* status);

// Each rank gives something, and gets what all gave, by rank.
[[nodiscard]] std::vector<Bytes> exchange(MPI_Comm comm, const char* function, const Bytes& bytes);

// right[k] = left[k] o right[k]
void combine(MPI_Op op, MPI_Datatype type, const void* left, void* right, int count);

// Whatever hooked into the progress of this process gets its turn.
void make_progress();
[[nodiscard]] bool is_inside_hook();

// What each file knows.
void add_communicators(Native& table);
void add_types(Native& table);
void add_packing(Native& table);
void add_messages(Native& table);
void add_completion(Native& table);
void add_requests(Native& table);
void add_persistent(Native& table);
void add_collectives(Native& table);
void add_operations(Native& table);
void add_errors(Native& table);

}  // namespace espalier::fake
