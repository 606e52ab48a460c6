// SPDX-License-Identifier: Apache-2.0
// Reductions.
#include <algorithm>
#include <cstring>

#include "mpi/call/user_blocks.hpp"
#include "mpi/prepared/preparation.hpp"

namespace espalier {

namespace {

Prepared::Setup kernel_setup(const OwnCall& own, const PreparedKey& key, Reduction::Kernel kernel) {
  Prepared::Setup setup = basic_setup(own, key);
  setup.is_of_bytes = true;
  setup.elements = {.stride_bytes = key.layout.stride_bytes, .reduction = {kernel, nullptr}, .copy = {}};
  return setup;
}

// Elements may be copied with what lies between them.
bool copies_whole(const OwnCall& own, const PreparedKey& key) {
  return !key.layout.staged && (own.found.sent.known != nullptr || own.found.sent.facts.is_gapless());
}

// `wire_type`: the elements, at distances of the layout's stride.
Prepared::Setup native_setup(const OwnCall& own, const PreparedKey& key, MPI_Datatype wire_type) {
  Prepared::Setup setup = basic_setup(own, key);
  setup.wire = {.type = wire_type, .stride_bytes = key.layout.stride_bytes, .bias = key.layout.bias_bytes};
  setup.arithmetic = std::make_unique<NativeArithmetic>(NativeArithmetic::Operands{
      .type = key.type,
      .op = key.op,
      .layout = key.layout,
      .wire = setup.wire,
      .copies_whole = copies_whole(own, key),
      .self_copy = self_copy_of(own.communicator.peers()),
  });
  return setup;
}

Buffers biased(const Buffers& buffers, std::ptrdiff_t bias) { return {buffers.input + bias, buffers.output + bias}; }

// A datatype with the same elements at other distances; freed with this object.
class ResizedType {
 public:
  ResizedType(const Native& mpi, MPI_Datatype type, std::size_t extent_bytes) : mpi_(mpi) {
    status_ = mpi.Type_create_resized(type, 0, static_cast<MPI_Aint>(extent_bytes), &type_);
    if (status_ == MPI_SUCCESS) status_ = mpi.Type_commit(&type_);
  }
  ~ResizedType() {
    if (type_ != MPI_DATATYPE_NULL) mpi_.Type_free(&type_);
  }
  ResizedType(const ResizedType&) = delete;
  ResizedType& operator=(const ResizedType&) = delete;
  [[nodiscard]] int status() const { return status_; }
  [[nodiscard]] MPI_Datatype get() const { return type_; }

 private:
  const Native& mpi_;
  int status_ = MPI_SUCCESS;
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

UserBlocks input_blocks_of(const OwnCall& own) {
  return input_blocks(own.call, own.found, own.communicator.rank(), own.communicator.size());
}
UserBlocks output_blocks_of(const OwnCall& own) {
  return output_blocks(own.call, own.found, own.communicator.rank(), own.communicator.size());
}

MPI_Count elements_in(const UserBlocks& side) {
  MPI_Count all = 0;
  for (const UserBlock& block : side.blocks) all += block.count;
  return all;
}

// Input and output of one call, at distances that an executor can walk. Those of a request, whose datatype is always
// predefined, are copied inside the MPI's progress, where nobody may wait for a message.
class ResizedOperands : public Staging {
 public:
  ResizedOperands(const OwnCall& own, const PreparedKey& key)
      : call_(own.call),
        in_place_(key.in_place),
        bias_(key.layout.bias_bytes),
        stride_(key.layout.stride_bytes),
        copies_whole_(copies_whole(own, key)),
        self_copy_(self_copy_of(own.communicator.peers())),
        wire_(*self_copy_.mpi, call_.sent.type, key.layout.stride_bytes),
        input_count_(elements_in(input_blocks_of(own))),
        output_count_(elements_in(output_blocks_of(own))),
        input_(in_place_ ? 0 : bytes(key, input_count_)),
        output_(bytes(key, in_place_ ? std::max(input_count_, output_count_) : output_count_)) {}

  [[nodiscard]] MPI_Datatype wire_type() const { return wire_.get(); }
  [[nodiscard]] Buffers buffers() const override {
    return {in_place_ ? output_.data() : input_.data(), output_.data()};
  }

  [[nodiscard]] int stage() override {
    if (wire_.status() != MPI_SUCCESS) return wire_.status();
    std::byte* const to = (in_place_ ? output_ : input_).data() - bias_;
    const void* const from = call_.input == MPI_IN_PLACE ? call_.output : call_.input;
    return copy(to, wire_.get(), from, call_.sent.type, input_count_);
  }
  [[nodiscard]] int deliver() override {
    if (output_count_ == 0) return MPI_SUCCESS;
    return copy(call_.output, call_.sent.type, output_.data() - bias_, wire_.get(), output_count_);
  }

 private:
  [[nodiscard]] int copy(void* to, MPI_Datatype to_type, const void* from, MPI_Datatype from_type,
                         MPI_Count count) const {
    if (!copies_whole_) return self_copy_(to, count, to_type, from, count, from_type);
    std::memcpy(static_cast<std::byte*>(to) + bias_, static_cast<const std::byte*>(from) + bias_,
                static_cast<std::size_t>(count) * stride_);
    return MPI_SUCCESS;
  }

  [[nodiscard]] static std::size_t bytes(const PreparedKey& key, MPI_Count elements) {
    return static_cast<std::size_t>(elements) * key.layout.stride_bytes;
  }

  const Call& call_;
  const bool in_place_;
  const std::ptrdiff_t bias_;
  const std::size_t stride_;
  const bool copies_whole_;
  const SelfCopy self_copy_;
  const ResizedType wire_;
  const MPI_Count input_count_, output_count_;
  Scratch input_, output_;
};

// What a call gives in place, to the end of the last element: its stride may go beyond what is the application's.
std::size_t input_bytes(const OwnCall& own, const ElementLayout& layout) {
  const MPI_Count elements = elements_in(input_blocks_of(own));
  if (elements == 0) return 0;
  const TypeFacts& facts = own.found.sent.facts;
  const std::int64_t last = facts.true_lower_bound - layout.bias_bytes + facts.true_extent;
  return static_cast<std::size_t>(elements - 1) * layout.stride_bytes + static_cast<std::size_t>(last);
}

// Uneven blocks lie one after the other.
Partition::Given::Side elements_of(const UserBlocks& side, const Held& held) {
  Partition::Given::Side elements{held, {}, {}};
  std::size_t next = 0;
  for (const UserBlock& block : side.blocks) {
    elements.sizes.push_back(static_cast<std::size_t>(block.count));
    elements.offsets.push_back(next);
    next += elements.sizes.back();
  }
  return elements;
}

Partition::Given uneven_elements(const OwnCall& own) {
  const Contract& contract = own.call.contract();
  const Rank me = own.communicator.rank(), size = own.communicator.size();
  const std::size_t segment = own.choice.cut.segment_bytes / own.found.problem.element_bytes;
  return {.input = elements_of(input_blocks_of(own), held_by(contract, contract.input, me, size, 1)),
          .output = elements_of(output_blocks_of(own), held_by(contract, contract.output, me, size, 1)),
          .segment = own.choice.cut.segment_bytes == 0 ? 0 : std::max<std::size_t>(segment, 1)};
}

// For this call only: its messages use a datatype of ours, which stands for the user's of now.
Preparation prepare_resized(const OwnCall& own, const PreparedKey& key, std::optional<Partition::Given> given) {
  auto operands = std::make_unique<ResizedOperands>(own, key);
  MpiEndpoint& endpoint = own.behind_request != nullptr ? *own.behind_request : own.communicator.endpoint();
  Prepared::Setup setup = native_setup(own, key, operands->wire_type());
  if (given) setup.partition.emplace(*std::move(given));
  auto prepared = std::make_unique<Prepared>(std::move(setup), endpoint);
  Prepared* const its = prepared.get();
  return {.prepared = its, .staging = std::move(operands), .only_for_this = std::move(prepared), .fits_others = false};
}

}  // namespace

Preparation prepare_reduction(const OwnCall& own) {
  PreparedKey key{.problem = own.found.problem,
                  .in_place = own.found.in_place,
                  .choice = own.choice,
                  .type = own.call.sent.type,
                  .op = own.call.op,
                  .layout = layout_of(own.found.sent.facts)};
  std::optional<Partition::Given> given;
  if (key.problem.is_uneven) {
    given = uneven_elements(own);
    add_to_key(*given, key);
  }
  const bool in_place = own.found.in_place;
  if (in_place && key.problem.is_uneven && !own.call.contract().may_be_uneven_in_place()) {
    key.in_place = false;
    if (!key.layout.staged) key.aside_bytes = input_bytes(own, key.layout);
  }
  if (key.layout.staged) return prepare_resized(own, key, std::move(given));
  Preparation ready;
  const auto make_setup = [&] {
    const Reduction::Kernel kernel = kernel_of(own.found);
    Prepared::Setup setup =
        kernel != nullptr ? kernel_setup(own, key, kernel) : native_setup(own, key, own.call.sent.type);
    if (given) setup.partition.emplace(*std::move(given));
    return setup;
  };
  find_or_prepare(own, key, make_setup, ready);
  ready.buffers = biased(buffers_of(own.call, in_place), key.layout.bias_bytes);
  ready.is_repeatable = true;
  return ready;
}

}  // namespace espalier
