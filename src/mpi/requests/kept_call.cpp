// SPDX-License-Identifier: Apache-2.0
#include "mpi/requests/kept_call.hpp"

#include "mpi/call/user_blocks.hpp"
#include "mpi/types/datatypes.hpp"
#include "mpi/types/relative_type.hpp"

namespace espalier {

namespace {

// Not by MPI_Type_dup, which would call the application's attribute functions.
int make_same(const Native& mpi, MPI_Datatype type, MPI_Datatype& same) {
  const int status = mpi.Type_contiguous(1, type, &same);
  return status == MPI_SUCCESS ? mpi.Type_commit(&same) : status;
}

}  // namespace

// What means nothing on this rank is not looked at.
KeptCall::KeptCall(const Native& mpi, const Call& call, const Classified& found, Rank me, Rank size)
    : mpi_(mpi), function_(*call.function), call_(call), found_(found) {
  const bool in_place = call.input == MPI_IN_PLACE || call.output == MPI_IN_PLACE;
  const bool has_sent = call_.contract().carries_data && counts_sent(call, me, in_place);
  const bool has_received = counts_received(call, me, in_place);
  if (call.sent.types != nullptr || call.received.types != nullptr) {
    if (has_sent) keep_each(call.input, call_.sent, found_.sent, size, sent_);
    if (has_received) keep_each(call.output, call_.received, found_.received, size, received_);
    function_.is_large = true;
    call_.function = &function_;
    return;
  }
  const void* output = call_.output;
  const bool has_one_buffer = call_.contract().in_place == InPlace::always;
  if (has_sent) keep(has_one_buffer ? output : call_.input, call_.sent, found_.sent);
  if (has_received) keep(output, call_.received, found_.received);
  call_.output = const_cast<void*>(output);
}

KeptCall::~KeptCall() {
  for (MPI_Datatype& type : kept_) mpi_.Type_free(&type);
}

MPI_Datatype KeptCall::kept(MPI_Datatype type, bool is_absolute, TypeFacts& facts) {
  MPI_Datatype kept = MPI_DATATYPE_NULL;
  kept_.reserve(kept_.size() + 1);
  status_ = is_absolute ? make_relative(mpi_, type, facts, kept) : make_same(mpi_, type, kept);
  if (kept != MPI_DATATYPE_NULL) kept_.push_back(kept);
  if (status_ == MPI_SUCCESS && is_absolute && !find_facts(mpi_, kept, facts)) status_ = MPI_ERR_TYPE;
  return status_ == MPI_SUCCESS ? kept : MPI_DATATYPE_NULL;
}

void KeptCall::keep(const void*& buffer, CallBlocks& said, ClassifiedType& type) {
  if (status_ != MPI_SUCCESS || type.known != nullptr || said.type == MPI_DATATYPE_NULL) return;
  const bool is_absolute = buffer == MPI_BOTTOM;
  if (is_absolute) buffer = reinterpret_cast<const void*>(type.facts.true_lower_bound);
  said.type = kept(said.type, is_absolute, type.facts);
}

void KeptCall::keep_each(const void* buffer, CallBlocks& said, ClassifiedType& type, Rank size, Arrays& arrays) {
  const bool is_absolute = buffer == MPI_BOTTOM;
  for (int place = 0; place < size && status_ == MPI_SUCCESS; ++place) {
    TypeFacts& facts = type.facts_of_each[static_cast<std::size_t>(place)];
    const MPI_Count count = count_at(call_, said, place);
    MPI_Aint displacement = displacement_at(call_, said, place);
    MPI_Datatype block = said.types[place];
    if (count != 0 && find_known_type(block) == nullptr) {
      if (is_absolute) displacement += static_cast<MPI_Aint>(facts.true_lower_bound);
      block = kept(block, is_absolute, facts);
    }
    arrays.counts.push_back(count);
    arrays.displacements.push_back(displacement);
    arrays.types.push_back(block);
  }
  said.counts = arrays.counts.data();
  said.displacements = arrays.displacements.data();
  said.types = arrays.types.data();
}

}  // namespace espalier
