// SPDX-License-Identifier: Apache-2.0
#include "mpi/requests/kept_call.hpp"

#include "mpi/types/datatypes.hpp"
#include "transport/mpi/large_type.hpp"

namespace espalier {

namespace {

// The same data from their first byte on, in place of from MPI_BOTTOM.
int make_relative(const Native& mpi, const CallBlocks& said, const TypeFacts& facts, MPI_Datatype& relative) {
  const Countable data(mpi, said.count, said.type);
  if (data.status() != MPI_SUCCESS) return data.status();
  const int count = data.count();
  const auto distance = static_cast<MPI_Aint>(-facts.true_lower_bound);
  const int status = mpi.Type_create_hindexed(1, &count, &distance, data.type(), &relative);
  return status == MPI_SUCCESS ? mpi.Type_commit(&relative) : status;
}

// Not by MPI_Type_dup, which would call the application's attribute functions.
int make_same(const Native& mpi, MPI_Datatype type, MPI_Datatype& same) {
  const int status = mpi.Type_contiguous(1, type, &same);
  return status == MPI_SUCCESS ? mpi.Type_commit(&same) : status;
}

}  // namespace

KeptCall::KeptCall(const Native& mpi, const Call& call, const Classified& found)
    : mpi_(mpi), call_(call), found_(found) {
  kept_.reserve(2);
  const void* output = call_.output;
  const bool has_one_buffer = call_.contract().in_place == InPlace::always;
  if (call_.contract().carries_data) keep(has_one_buffer ? output : call_.input, call_.sent, found_.sent);
  if (call_.names_data_twice()) keep(output, call_.received, found_.received);
  call_.output = const_cast<void*>(output);
}

KeptCall::~KeptCall() {
  for (MPI_Datatype& type : kept_) mpi_.Type_free(&type);
}

void KeptCall::keep(const void*& buffer, CallBlocks& said, ClassifiedType& type) {
  if (status_ != MPI_SUCCESS || type.known != nullptr || said.type == MPI_DATATYPE_NULL) return;
  MPI_Datatype kept = MPI_DATATYPE_NULL;
  const bool is_absolute = buffer == MPI_BOTTOM && said.counts == nullptr;
  status_ = is_absolute ? make_relative(mpi_, said, type.facts, kept) : make_same(mpi_, said.type, kept);
  if (kept != MPI_DATATYPE_NULL) kept_.push_back(kept);
  if (status_ != MPI_SUCCESS) return;
  said.type = kept;
  if (!is_absolute) return;
  buffer = reinterpret_cast<const void*>(type.facts.true_lower_bound);
  said.count = 1;
  if (!find_facts(mpi_, kept, type.facts)) status_ = MPI_ERR_TYPE;
}

}  // namespace espalier
