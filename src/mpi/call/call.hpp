// SPDX-License-Identifier: Apache-2.0
// A collective call as the application made it.
#pragma once

#include <mpi.h>

#include <string_view>

#include "contract/contract.hpp"
#include "engine/call.hpp"
#include "native/native.hpp"
#include "report/job_sums.hpp"

namespace espalier {

struct Call;

// Who takes part in a function.
enum class FunctionKind : std::uint8_t {
  collective,  // all ranks of a communicator: a contract says what it does
  exchange,    // each rank and its neighbours in a topology
  message,     // two ranks
};

// One of the MPI's functions that we take the place of.
struct Function {
  const char* name = "";             // "MPI_Bcast_c"
  std::string_view collective = "";  // "bcast", for the report
  CallForm form = CallForm::blocking;
  FunctionKind kind = FunctionKind::collective;
  const Contract* contract = nullptr;  // of a collective; others have none
  bool is_large = false;   // MPI_X_c: its counts are MPI_Count, its displacements MPI_Aint; otherwise both are int
  bool is_uneven = false;  // MPI_Xv, MPI_Xw: blocks have counts of their own
  bool is_typed = false;   // MPI_Xw: and datatypes, and their displacements are bytes
  bool names_data_twice = false;
  int (*native)(const Native& mpi, const Call& call) = nullptr;  // hands a call to the native MPI, unchanged
  std::size_t logged_place = logged_place_of(collective);        // among sums by collective

  [[nodiscard]] bool is_collective() const { return kind == FunctionKind::collective; }
};

// What a call says of the blocks of one of its buffers. The v-forms have a count and a displacement for each.
struct CallBlocks {
  MPI_Count count = 0;  // of each block
  MPI_Datatype type = MPI_DATATYPE_NULL;
  const void* counts = nullptr;  // by place; the v-forms' only
  const void* displacements = nullptr;
  // Where blocks have datatypes of their own, too: by place, and displacements are bytes. Those of neighbours have
  // `places` instead, which are of that type in the small forms, too.
  const MPI_Datatype* types = nullptr;
  const MPI_Aint* places = nullptr;
};

// Where a function was called from: where it returns to, and the caller's frame, which lies above that on the stack.
struct CallSite {
  const void* address = nullptr;  // null: nobody wants to know
  const void* frame = nullptr;
};

struct Call {
  const Function* function = nullptr;
  const void* input = nullptr;  // sendbuf
  void* output = nullptr;       // recvbuf; a broadcast's only buffer
  CallBlocks sent;              // where a call names its data once, they stand here
  CallBlocks received;          // where it names them twice; in place only these count
  MPI_Op op = MPI_OP_NULL;
  int root = 0;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Info info = MPI_INFO_NULL;   // of a persistent call
  MPI_Request* request = nullptr;  // of a nonblocking or persistent call
  CallSite site;                   // for the report alone

  [[nodiscard]] const Contract& contract() const { return *function->contract; }
  [[nodiscard]] Collective collective() const { return contract().collective; }
  // Of which collective the ranks speak: those with and without blocks of their own sizes meet each other.
  [[nodiscard]] std::string_view meets_as() const {
    return function->is_collective() ? name_of(collective()) : function->collective;
  }
  [[nodiscard]] bool names_data_twice() const { return function->names_data_twice; }
};

// How a rank's buffers stand to each other. `one_address`: input and output begin at one address, and are not said to
// be in place. Whether that is wrong depends on the function, the blocks and the MPI (one_address.hpp).
enum class BufferUse : std::uint8_t { separate, in_place, one_address, wrong };

// No address is where nothing lies (an empty vector's data), or MPI_BOTTOM, from which both sides may be named.
[[nodiscard, gnu::always_inline]] inline BufferUse use_of_two_buffers(const Call& call) {
  return call.input == call.output && call.input != nullptr ? BufferUse::one_address : BufferUse::separate;
}

// The input stays as it is, and where there is one, the output may be a part of it.
[[nodiscard, gnu::always_inline]] inline BufferUse use_of_lasting_input(const Call& call, Rank me) {
  const bool has_input = call.contract().has_input(me, call.root);
  if (call.output == MPI_IN_PLACE) return has_input ? BufferUse::in_place : BufferUse::wrong;
  if (!has_input) return BufferUse::separate;
  return call.input == MPI_IN_PLACE ? BufferUse::wrong : use_of_two_buffers(call);
}

[[nodiscard, gnu::always_inline]] inline BufferUse use_of_buffers(const Call& call, Rank me) {
  const Contract& contract = call.contract();
  if (contract.in_place == InPlace::always) return BufferUse::in_place;
  if (!contract.carries_data) return BufferUse::separate;
  if (!contract.has_output(me, call.root)) {
    if (call.input != MPI_IN_PLACE) return BufferUse::separate;
    return contract.output_at == Holder::root ? BufferUse::wrong : BufferUse::in_place;
  }
  if (contract.in_place == InPlace::stays) return use_of_lasting_input(call, me);
  if (call.output == MPI_IN_PLACE) return BufferUse::wrong;
  if (call.input == MPI_IN_PLACE) return BufferUse::in_place;
  return use_of_two_buffers(call);
}

// Anyone who reduces what lies at one address means in place.
[[nodiscard]] inline bool is_in_place(const Call& call, BufferUse use) {
  return use == BufferUse::in_place || (use == BufferUse::one_address && call.contract().reduces);
}

// Whether the buffers that this rank needs for elements of a predefined datatype are there at all. Blocks of their own
// sizes may all be empty.
[[nodiscard, gnu::always_inline]] inline bool has_buffers(const Call& call, Rank me) {
  const Contract& contract = call.contract();
  if (!contract.carries_data || call.function->is_uneven) return true;
  const bool needs_input = contract.in_place != InPlace::always && contract.has_input(me, call.root);
  const bool needs_output = contract.in_place == InPlace::always || contract.has_output(me, call.root);
  return (!needs_input || call.input != nullptr) && (!needs_output || call.output != nullptr);
}

// Whether what a call says of a buffer means anything. Where it names its data once, that is always so.
[[nodiscard]] inline bool counts_sent(const Call& call, Rank me, bool in_place) {
  const Contract& contract = call.contract();
  if (!call.names_data_twice()) return true;
  return contract.has_input(me, call.root) && (!in_place || contract.in_place == InPlace::stays);
}
[[nodiscard]] inline bool counts_received(const Call& call, Rank me, bool in_place) {
  const Contract& contract = call.contract();
  if (!call.names_data_twice()) return false;
  return contract.has_output(me, call.root) && (!in_place || contract.in_place != InPlace::stays);
}

// Where in place something stays, the output lies in the input buffer.
[[nodiscard, gnu::always_inline]] inline Buffers buffers_of(const Call& call, bool in_place) {
  const auto* input = static_cast<const std::byte*>(call.input);
  auto* output = static_cast<std::byte*>(call.output);
  if (!in_place) return {input, output};
  if (call.contract().in_place == InPlace::stays) return {input, const_cast<std::byte*>(input)};
  return {output, output};
}

}  // namespace espalier
