// SPDX-License-Identifier: Apache-2.0
#include "mpi/call/large_counts.hpp"

#include <algorithm>
#include <climits>
#include <new>

#include "mpi/call/addressed.hpp"
#include "mpi/call/kept_numbers.hpp"
#include "transport/mpi/large_type.hpp"

namespace espalier {

namespace {

using SmallForm = int (*)(const Native& mpi, const Call& call);

// What is negative is wrong, and stays so.
bool fits_int(std::int64_t number) { return number <= INT_MAX && number >= INT_MIN; }

bool is_refused(const CallBlocks& described, MPI_Comm comm) {
  return described.type == MPI_DATATYPE_NULL || comm == MPI_COMM_NULL || described.count < 0;
}
CallBlocks refused(CallBlocks described) {
  described.count = described.count < 0 ? -1 : std::min<MPI_Count>(described.count, INT_MAX);
  return described;
}

int raise(const Native& mpi, const Call& call, int error_class) {
  mpi.Comm_call_errhandler(call.comm, error_class);
  return error_class;
}

const void* advanced(const void* buffer, MPI_Aint bytes) {
  const bool is_nowhere = buffer == nullptr || buffer == MPI_IN_PLACE;
  return is_nowhere ? buffer : static_cast<const std::byte*>(buffer) + bytes;
}

int pass_in_parts(const Native& mpi, const Call& call, SmallForm small) {
  MPI_Aint lower_bound = 0;
  MPI_Aint extent = 0;
  const MPI_Count all = call.sent.count;
  const int found = mpi.Type_get_extent(call.sent.type, &lower_bound, &extent);
  if (found != MPI_SUCCESS) return found;
  for (MPI_Count done = 0; done < all;) {
    Call part = call;
    part.sent.count = std::min<MPI_Count>(INT_MAX, all - done);
    part.input = advanced(call.input, done * extent);
    part.output = const_cast<void*>(advanced(call.output, done * extent));
    if (const int status = small(mpi, part); status != MPI_SUCCESS) return status;
    done += part.sent.count;
  }
  return MPI_SUCCESS;
}

// Element by element: one of too many elements is several of fewer, unless it has to be one request, or one block.
int pass_reduction(const Native& mpi, const Call& call, SmallForm small) {
  Call same = call;
  if (is_refused(call.sent, call.comm) || fits_int(call.sent.count)) {
    same.sent = refused(call.sent);
    return small(mpi, same);
  }
  const bool has_parts = call.contract().division == Division::by_algorithm && call.request == nullptr;
  return has_parts ? pass_in_parts(mpi, call, small) : raise(mpi, call, MPI_ERR_COUNT);
}

// What means nothing here goes on unchanged, as far as an int holds it: Open MPI 5 takes an MPI_Ibcast for none at all
// where the count is 0, even on a rank that takes no part, and the next call meets another one of the other ranks.
Countable countable(const Native& mpi, const CallBlocks& described, bool counts, MPI_Comm comm) {
  return !counts || is_refused(described, comm) ? Countable(mpi, refused(described).count, described.type)
                                                : Countable(mpi, described.count, described.type);
}

int pass_with_large_types(const Native& mpi, const Call& call, SmallForm small) {
  const Addressed ranks = ranks_addressed(mpi, call);
  const Countable sent = countable(mpi, call.sent, ranks.counts_sent, call.comm);
  const Countable received = countable(mpi, call.received, ranks.counts_received, call.comm);
  if (sent.status() != MPI_SUCCESS) return sent.status();
  if (received.status() != MPI_SUCCESS) return received.status();
  Call same = call;
  same.sent = {sent.count(), sent.type()};
  same.received = {received.count(), received.type()};
  return small(mpi, same);
}

// Numbers for each rank as ints; `all_fit` if they do.
template <class Large>
std::vector<int> narrowed(const void* numbers, int count, bool& all_fit) {
  const auto* const large = static_cast<const Large*>(numbers);
  std::vector<int> small;
  for (int k = 0; k < count; ++k) {
    all_fit = all_fit && fits_int(large[k]);
    small.push_back(static_cast<int>(large[k]));
  }
  return small;
}

// What is not there stays so.
bool narrow_arrays(CallBlocks& described, int places, KeptNumbers& numbers) {
  if (described.counts == nullptr) return true;
  bool all_fit = true;
  described.counts = numbers.keep(narrowed<MPI_Count>(described.counts, places, all_fit));
  if (described.displacements != nullptr) {
    described.displacements = numbers.keep(narrowed<MPI_Aint>(described.displacements, places, all_fit));
  }
  return all_fit;
}

// What is said of one buffer in small numbers.
bool narrow(CallBlocks& described, bool counts, int places, KeptNumbers& numbers, MPI_Comm comm) {
  const bool fits = !counts || is_refused(described, comm) || fits_int(described.count);
  described = refused(described);
  if (!counts)
    described.counts = described.displacements = nullptr;  // nobody knows how long they are, or whether they are
  return narrow_arrays(described, places, numbers) && fits;
}

// The whole call. Returns the class of what is wrong with it.
int narrow_all(const Native& mpi, Call& call, KeptNumbers& numbers) noexcept try {
  const Addressed ranks = ranks_addressed(mpi, call);
  const bool sent_fits = narrow(call.sent, ranks.counts_sent, ranks.to, numbers, call.comm);
  const bool received_fits = narrow(call.received, ranks.counts_received, ranks.from, numbers, call.comm);
  return sent_fits && received_fits ? MPI_SUCCESS : MPI_ERR_COUNT;
} catch (const std::bad_alloc&) {
  return MPI_ERR_NO_MEM;
}

int pass_arrays(const Native& mpi, const Call& call, SmallForm small) {
  Call same = call;
  KeptNumbers numbers;
  const int error = narrow_all(mpi, same, numbers);
  if (error != MPI_SUCCESS) return raise(mpi, call, error);
  const int status = small(mpi, same);
  if (call.request != nullptr && status == MPI_SUCCESS) numbers.keep_for(*call.request);
  return status;
}

}  // namespace

int pass_by_small_counts(const Native& mpi, const Call& call, SmallForm small) {
  const bool is_collective = call.function->is_collective();
  if (is_collective && !call.contract().carries_data) return small(mpi, call);
  if (call.function->is_uneven) return pass_arrays(mpi, call, small);
  const bool reduces = is_collective && call.contract().reduces;
  return reduces ? pass_reduction(mpi, call, small) : pass_with_large_types(mpi, call, small);
}

int raise_unsupported(const Native& mpi, const Call& call) { return raise(mpi, call, MPI_ERR_UNSUPPORTED_OPERATION); }

}  // namespace espalier
