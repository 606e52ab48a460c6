// SPDX-License-Identifier: Apache-2.0
#include "mpi/classify.hpp"

#include "contract/contract.hpp"
#include "mpi/datatypes.hpp"

namespace espalier {

namespace {

bool has_bad_handles(const Call& call) {
  return call.type == MPI_DATATYPE_NULL || (contract_of(call.collective).reduces && call.op == MPI_OP_NULL);
}

const char* undefined_operation(const Classified& found) {
  if (!found.op) return nullptr;
  const bool defined = found.type != nullptr && is_defined(*found.op, found.type->group);
  return defined ? nullptr : "an operation that MPI does not define for the datatype";
}

Arithmetic arithmetic_of(const Native& mpi, const Call& call, const Classified& found) {
  if (found.op) return is_exact(*found.op, found.type->group) ? Arithmetic::exact : Arithmetic::commutative;
  int commutes = 0;
  mpi.Op_commutative(call.op, &commutes);
  return commutes != 0 ? Arithmetic::commutative : Arithmetic::rank_order;
}

// A broadcast speaks of bytes: its ranks may name the same data by different counts and datatypes.
const char* measure(const Call& call, Classified& found) {
  if (call.count == 0 || found.facts.size == 0) {
    found.by_handles = found.type != nullptr;
    return "an empty message";
  }
  const auto count = static_cast<std::size_t>(call.count);
  const auto size = static_cast<std::size_t>(found.facts.size);
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes)) return bad_arguments;
  const bool in_bytes = call.collective == Collective::bcast;
  found.problem.count = in_bytes ? bytes : count;
  found.problem.element_bytes = in_bytes ? 1 : size;
  return nullptr;
}

const char* examine(const Native& mpi, const Call& call, Rank me, Rank size, BufferUse use, Classified& found) {
  const bool bad_root = contract_of(call.collective).is_rooted() && (call.root < 0 || call.root >= size);
  if (use == BufferUse::wrong || call.count < 0 || bad_root || has_bad_handles(call)) return bad_arguments;
  found.type = find_known_type(call.type);
  // This question raises no error if the type is none at all; those of find_facts() would.
  if (found.type == nullptr && !is_committed(mpi, call.type)) return bad_arguments;
  if (!find_facts(mpi, call.type, found.facts)) return bad_arguments;
  if (const char* reason = measure(call, found)) return reason;
  if (found.type != nullptr && !has_buffers(call, me)) return bad_arguments;
  found.by_handles = found.type != nullptr;
  if (!contract_of(call.collective).reduces) return nullptr;
  found.op = find_known_op(call.op);
  found.by_handles = found.by_handles && found.op;
  if (const char* reason = undefined_operation(found)) return reason;
  found.problem.arithmetic = arithmetic_of(mpi, call, found);
  return nullptr;
}

}  // namespace

Classified classify(const Native& mpi, const Call& call, Rank me, Rank size, BufferUse use) {
  Classified found;
  found.problem.collective = call.collective;
  found.problem.root = contract_of(call.collective).is_rooted() ? call.root : 0;
  found.problem.count = 0;
  found.problem.in_place = use == BufferUse::in_place;
  if (call.collective == Collective::barrier) {
    found.by_handles = true;
  } else {
    found.unusual = examine(mpi, call, me, size, use, found);
  }
  return found;
}

Reduction::Function kernel_of(const Classified& classified) {
  if (classified.type == nullptr || !classified.type->element || !classified.op) return nullptr;
  const std::optional<Operator> operation = operator_of(*classified.op);
  const ElementType element = *classified.type->element;
  const bool fits =
      classified.facts.is_gapless() && size_of(element) == static_cast<std::size_t>(classified.facts.size);
  return operation && fits ? find_kernel(*operation, element) : nullptr;
}

}  // namespace espalier
