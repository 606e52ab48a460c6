// SPDX-License-Identifier: Apache-2.0
#include "mpi/types/datatypes.hpp"

#include <cstring>
#include <vector>

#include "mpi/types/attributes.hpp"
#include "mpi/types/handles.hpp"

namespace espalier {

namespace {

// Above this size, an element that cannot be looked through is taken not to be contiguous.
constexpr std::int64_t max_probed_bytes = 1 << 20;

int nothing_to_delete(MPI_Datatype, int, void*, void*) { return MPI_SUCCESS; }

// Packs an element whose bytes say where they lie, one byte of their number at a time: an element can fill its memory
// and still be sent in another order (a struct whose second member is listed first).
bool packs_in_order(const Native& mpi, MPI_Comm comm, MPI_Datatype type, std::int64_t size) {
  const auto bytes = static_cast<int>(size);
  std::vector<unsigned char> element(bytes), packed(bytes);
  for (int shift = 0; shift == 0 || (size - 1) >> shift != 0; shift += 8) {
    for (int k = 0; k < bytes; ++k) element[k] = static_cast<unsigned char>(k >> shift);
    int position = 0;
    const int status = mpi.Pack(element.data(), 1, type, packed.data(), bytes, &position, comm);
    if (status != MPI_SUCCESS || position != bytes || element != packed) return false;
  }
  return true;
}

// The datatype of which this one is only a repetition; null handle if it is not.
MPI_Datatype repeated_type(const Native& mpi, MPI_Datatype type) {
  int integers = 0;
  int addresses = 0;
  int types = 0;
  int combiner = 0;
  const int status = mpi.Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  if (status != MPI_SUCCESS || (combiner != MPI_COMBINER_CONTIGUOUS && combiner != MPI_COMBINER_DUP)) {
    return MPI_DATATYPE_NULL;
  }
  int integer = 0;
  MPI_Datatype inner = MPI_DATATYPE_NULL;
  const int found = mpi.Type_get_contents(type, integers, addresses, types, &integer, nullptr, &inner);
  return found == MPI_SUCCESS ? inner : MPI_DATATYPE_NULL;
}

void free_unless_predefined(const Native& mpi, MPI_Datatype type) {
  int numbers[3] = {};
  int combiner = MPI_COMBINER_NAMED;
  mpi.Type_get_envelope(type, &numbers[0], &numbers[1], &numbers[2], &combiner);
  if (combiner != MPI_COMBINER_NAMED) mpi.Type_free(&type);
}

}  // namespace

bool find_facts(const Native& mpi, MPI_Datatype type, TypeFacts& facts) {
  MPI_Count size = 0;
  MPI_Aint lower_bound = 0;
  MPI_Aint extent = 0;
  MPI_Aint true_lower_bound = 0;
  MPI_Aint true_extent = 0;
  const bool found = mpi.Type_size_x(type, &size) == MPI_SUCCESS &&
                     mpi.Type_get_extent(type, &lower_bound, &extent) == MPI_SUCCESS &&
                     mpi.Type_get_true_extent(type, &true_lower_bound, &true_extent) == MPI_SUCCESS;
  facts = {size, lower_bound, extent, true_lower_bound, true_extent};
  return found && size >= 0;
}

// MPI has no question for this, so let it look at a message to nobody.
bool is_committed(const Native& mpi, MPI_Comm comm, MPI_Datatype type) {
  char nothing = 0;  // and nobody reads it
  return mpi.Send(&nothing, 1, type, MPI_PROC_NULL, 0, comm) == MPI_SUCCESS;
}

int ContiguityCheck::open() {
  return mpi_.Type_create_keyval(no_copy<MPI_Datatype>, nothing_to_delete, &keyval_, nullptr);
}

void ContiguityCheck::close() { mpi_.Type_free_keyval(&keyval_); }

// What only repeats another one is as that is, which may have been found out before.
bool ContiguityCheck::lies_in_order(MPI_Comm comm, MPI_Datatype type, const TypeFacts& facts) const {
  const MPI_Datatype inner = repeated_type(mpi_, type);
  if (inner == MPI_DATATYPE_NULL) {
    return facts.size <= max_probed_bytes && packs_in_order(mpi_, comm, type, facts.size);
  }
  TypeFacts inner_facts;
  const bool in_order = find_facts(mpi_, inner, inner_facts) && is_contiguous(comm, inner, inner_facts);
  free_unless_predefined(mpi_, inner);
  return in_order;
}

bool ContiguityCheck::is_contiguous(MPI_Comm comm, MPI_Datatype type, const TypeFacts& facts) const {
  if (!facts.is_gapless() || facts.size == 0 || find_known_type(type) != nullptr) return facts.is_gapless();
  static char yes, no;  // their addresses are the values of the attribute
  void* answer = nullptr;
  int answered = 0;
  mpi_.Type_get_attr(type, keyval_, &answer, &answered);
  if (answered != 0) return answer == &yes;
  const bool in_order = lies_in_order(comm, type, facts);
  mpi_.Type_set_attr(type, keyval_, in_order ? &yes : &no);
  return in_order;
}

}  // namespace espalier
