// SPDX-License-Identifier: Apache-2.0
#include "mpi/call/classify.hpp"

#include <algorithm>

#include "mpi/call/one_address.hpp"
#include "mpi/call/user_blocks.hpp"
#include "mpi/types/datatypes.hpp"

namespace espalier {

namespace {

// What may look wrong.
constexpr const char* no_data = "a datatype or a count is none";
constexpr const char* no_memory = "a buffer is missing";
constexpr const char* one_address = "both buffers are one";
constexpr const char* too_long = "its message is longer than memory";
constexpr const char* unequal = "what the rank gives itself is not what it gets from itself";

// A rank's call and what is found out about it. The steps return why the call is unusual, or null.
class Classification {
 public:
  Classification(const Job& job, const Call& call, Rank me, Rank size, BufferUse use)
      : job_(job), call_(call), contract_(call.contract()), me_(me), size_(size), use_(use) {
    Problem& problem = found_.problem;
    problem.collective = call.collective();
    problem.root = contract_.is_rooted() ? call.root : 0;
    problem.is_uneven = call.function->is_uneven;
    found_.in_place = in_place() && contract_.in_place != InPlace::stays;
    found_.shares_memory = use == BufferUse::one_address && !contract_.reduces;
  }

  [[nodiscard]] Classified result() {
    if (contract_.carries_data) {
      found_.unusual = examine();
    } else {
      found_.by_handles = true;
    }
    return found_;
  }

 private:
  [[nodiscard]] const char* examine() {
    const bool bad_root = contract_.is_rooted() && (call_.root < 0 || call_.root >= size_);
    if (bad_root) return wrong("its root is no rank");
    if (use_ == BufferUse::wrong) return wrong("MPI_IN_PLACE stands where it means nothing");
    if (use_ == BufferUse::one_address && refuses_one_address(call_, job_.is_open_mpi)) return wrong(one_address);
    if (counts_sent() && !examine_types(call_.sent, found_.sent)) return wrong(no_data);
    if (counts_received() && !examine_types(call_.received, found_.received)) return wrong(no_data);
    const bool all_known =
        (!counts_sent() || found_.sent.known != nullptr) && (!counts_received() || found_.received.known != nullptr);
    const char* const unusual = measure();
    if (unusual == bad_arguments) return unusual;
    if (unusual == nullptr && all_known && !has_buffers(call_, me_)) return wrong(no_memory);
    found_.by_handles = all_known;
    return unusual == nullptr && contract_.reduces ? examine_operation() : unusual;
  }

  [[nodiscard]] const char* wrong(const char* what) {
    found_.wrong = what;
    return bad_arguments;
  }

  [[nodiscard]] bool in_place() const { return is_in_place(call_, use_); }
  [[nodiscard]] bool counts_sent() const { return espalier::counts_sent(call_, me_, in_place()); }
  [[nodiscard]] bool counts_received() const { return espalier::counts_received(call_, me_, in_place()); }

  [[nodiscard]] bool examine_types(const CallBlocks& described, ClassifiedType& type) const {
    if (described.types == nullptr) return examine_type(described, type);
    if (described.counts == nullptr) return false;
    bool all_known = true;
    for (int place = 0; place < size_; ++place) {
      ClassifiedType one;
      const CallBlocks block{.count = count_at(call_, described, place), .type = described.types[place]};
      if (block.count != 0 && !examine_type(block, one)) return false;  // nobody looks at the datatype of nothing
      type.facts_of_each.push_back(one.facts);
      if (block.count != 0) type.known = one.known;
      all_known = all_known && (block.count == 0 || one.known != nullptr);
    }
    if (!all_known) type.known = nullptr;
    return true;
  }

  [[nodiscard]] bool examine_type(const CallBlocks& described, ClassifiedType& type) const {
    if (described.type == MPI_DATATYPE_NULL || described.count < 0) return false;
    type.known = find_known_type(described.type);
    // This question raises no error if the type is none at all; those of find_facts() would.
    if (type.known == nullptr && !is_committed(job_.mpi, job_.traffic, described.type)) return false;
    return find_facts(job_.mpi, described.type, type.facts);
  }

  [[nodiscard]] const char* measure() {
    if (call_.function->is_uneven) return measure_uneven();
    const CallBlocks& described = counts_sent() ? call_.sent : call_.received;
    const TypeFacts& facts = counts_sent() ? found_.sent.facts : found_.received.facts;
    if (described.count == 0 || facts.size == 0) return "an empty message";
    const auto count = static_cast<std::size_t>(described.count);
    const auto size = static_cast<std::size_t>(facts.size);
    std::size_t bytes = 0, all = 0;
    if (__builtin_mul_overflow(count, size, &bytes)) return wrong(too_long);
    if (__builtin_mul_overflow(bytes, static_cast<std::size_t>(size_) * static_cast<std::size_t>(size_), &all)) {
      return wrong(too_long);
    }
    if (counts_sent() && counts_received() && bytes != received_bytes()) {
      if (!has_room_for_more(bytes)) return wrong(unequal);
      found_.received.arriving = static_cast<MPI_Count>(bytes) / found_.received.facts.size;
    }
    // Without arithmetic a call speaks of bytes: its ranks may name the same data by different counts and datatypes.
    found_.problem.count = contract_.reduces ? count : bytes;
    found_.problem.element_bytes = contract_.reduces ? size : 1;
    return nullptr;
  }

  // No MPI refuses that to the root of a gather, who alone knows of it. Each block lies where it would if it were as
  // long as the root says.
  [[nodiscard]] bool has_room_for_more(std::size_t bytes) const {
    const auto size = static_cast<std::size_t>(found_.received.facts.size);
    return contract_.collective == Collective::gather && received_bytes() > bytes && bytes % size == 0;
  }

  [[nodiscard]] std::size_t received_bytes() const {
    return static_cast<std::size_t>(call_.received.count) * static_cast<std::size_t>(found_.received.facts.size);
  }

  // What all ranks know of the sizes: their mean, or nothing.
  [[nodiscard]] const char* measure_uneven() {
    if (lacks_numbers()) return wrong("counts or displacements are missing");
    const UserBlocks input = input_blocks(call_, found_, me_, size_);
    const UserBlocks output = output_blocks(call_, found_, me_, size_);
    if (has_negative(input) || has_negative(output)) return wrong("a count is negative");
    if (!own_blocks_agree(input, output)) return wrong(unequal);
    if (lacks_memory(input, found_.sent) || lacks_memory(output, found_.received)) return wrong(no_memory);
    if (contract_.reduces) found_.problem.element_bytes = static_cast<std::size_t>(found_.sent.facts.size);
    if (!contract_.sizes_are_common()) return nullptr;
    const std::size_t all = (contract_.input == BufferPart::all ? input : output).bytes();
    if (all == 0) return "an empty message";
    found_.problem.count = all / found_.problem.element_bytes / static_cast<std::size_t>(size_);
    return nullptr;
  }

  // Blocks that lie one after the other need no displacements.
  [[nodiscard]] bool lacks_numbers() const {
    const auto lacks = [](const CallBlocks& described, bool has_places) {
      return described.counts == nullptr || (has_places && described.displacements == nullptr);
    };
    const bool in_input = contract_.input != BufferPart::own && contract_.has_input(me_, call_.root) && counts_sent();
    const bool in_output =
        contract_.output != BufferPart::own && contract_.has_output(me_, call_.root) && counts_received();
    return (in_input && lacks(call_.sent, !contract_.reduces)) || (in_output && lacks(call_.received, true));
  }

  // What a rank gives itself: once as what it gives, once as what it gets; and at two places.
  [[nodiscard]] bool own_blocks_agree(const UserBlocks& input, const UserBlocks& output) const {
    if (contract_.division != Division::by_rank || input.blocks.empty() || output.blocks.empty()) return true;
    const auto own = [&](const UserBlocks& side, BufferPart part) {
      return side.blocks[part == BufferPart::own ? 0 : static_cast<std::size_t>(me_)];
    };
    const UserBlock given = own(input, contract_.input), gotten = own(output, contract_.output);
    // At one address two datatypes may describe what lies apart: absolute ones do.
    const bool is_refused =
        use_ != BufferUse::in_place && !contract_.reduces && call_.sent.type == call_.received.type &&
        refuses_own_block(input.buffer + given.offset, output.buffer + gotten.offset, given.bytes(), job_.is_open_mpi);
    return given.bytes() == gotten.bytes() && !is_refused;
  }

  // Of elements that lie where the address says, and not anywhere in memory.
  [[nodiscard]] static bool lacks_memory(const UserBlocks& side, const ClassifiedType& type) {
    return side.buffer == nullptr && type.known != nullptr && side.bytes() > 0;
  }

  [[nodiscard]] static bool has_negative(const UserBlocks& all) {
    return std::ranges::any_of(all.blocks, [](const UserBlock& block) { return block.count < 0; });
  }

  [[nodiscard]] const char* examine_operation() {
    if (call_.op == MPI_OP_NULL) return wrong("it has no operation");
    found_.op = find_known_op(call_.op);
    found_.by_handles = found_.by_handles && found_.op;
    if (const char* reason = undefined_operation()) return reason;
    found_.problem.arithmetic = arithmetic();
    found_.problem.by_kernel = kernel_of(found_) != nullptr;
    return nullptr;
  }

  [[nodiscard]] const char* undefined_operation() const {
    if (!found_.op) return nullptr;
    const bool defined = found_.sent.known != nullptr && is_defined(*found_.op, found_.sent.known->group);
    return defined ? nullptr : "an operation that MPI does not define for the datatype";
  }

  [[nodiscard]] Arithmetic arithmetic() const {
    if (found_.op) {
      const TypeGroup group = found_.sent.known->group;
      const bool in_any_order = is_exact(*found_.op, group) || (size_ == 2 && is_exact_of_two(*found_.op, group));
      return in_any_order ? Arithmetic::exact : Arithmetic::commutative;
    }
    int commutes = 0;
    job_.mpi.Op_commutative(call_.op, &commutes);
    return commutes != 0 ? Arithmetic::commutative : Arithmetic::rank_order;
  }

  const Job& job_;
  const Call& call_;
  const Contract& contract_;
  const Rank me_, size_;
  const BufferUse use_;
  Classified found_;
};

}  // namespace

Classified classify(const Job& job, const Call& call, Rank me, Rank size, BufferUse use) {
  return Classification(job, call, me, size, use).result();
}

Reduction::Kernel kernel_of(const Classified& classified) {
  const TypeFacts& facts = classified.sent.facts;
  const KnownType* const known = classified.sent.known;
  if (known == nullptr || !known->element || !classified.op) return nullptr;
  const std::optional<Operator> operation = operator_of(*classified.op);
  const bool fits = facts.is_gapless() && size_of(*known->element) == static_cast<std::size_t>(facts.size);
  return operation && fits ? find_kernel(*operation, *known->element) : nullptr;
}

}  // namespace espalier
