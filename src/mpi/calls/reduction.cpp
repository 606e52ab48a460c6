// SPDX-License-Identifier: Apache-2.0
// Reductions.
#include <algorithm>

#include "mpi/calls/preparation.hpp"

namespace espalier {

namespace {

Prepared::Setup kernel_setup(const OwnCall& own, const PreparedKey& key, Reduction::Function kernel) {
  Prepared::Setup setup = basic_setup(own, key);
  setup.elements = {.stride_bytes = key.layout.stride_bytes, .reduction = {kernel, nullptr}, .copy = {}};
  return setup;
}

// `wire_type`: the elements, at distances of the layout's stride.
Prepared::Setup native_setup(const OwnCall& own, const PreparedKey& key, MPI_Datatype wire_type) {
  Prepared::Setup setup = basic_setup(own, key);
  setup.wire = {.type = wire_type, .stride_bytes = key.layout.stride_bytes, .bias = key.layout.bias_bytes};
  setup.arithmetic = std::make_unique<NativeArithmetic>(NativeArithmetic::Setup{
      .type = key.type,
      .op = key.op,
      .layout = key.layout,
      .wire = setup.wire,
      .copies_whole = !key.layout.staged && (own.found.sent.known != nullptr || own.found.sent.facts.is_gapless()),
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

// Input and output of one call, at distances that an executor can walk.
class ResizedOperands : public Staging {
 public:
  ResizedOperands(const OwnCall& own, const PreparedKey& key)
      : call_(own.call),
        in_place_(key.problem.in_place),
        bias_(key.layout.bias_bytes),
        self_copy_(self_copy_of(own.communicator.peers())),
        wire_(*self_copy_.mpi, call_.sent.type, key.layout.stride_bytes),
        input_count_(elements_of(own, call_.contract().input)),
        output_count_(call_.contract().has_output(own.communicator.rank(), call_.root)
                          ? elements_of(own, call_.contract().output)
                          : 0),
        input_(in_place_ ? 0 : bytes(key, input_count_)),
        output_(bytes(key, in_place_ ? std::max(input_count_, output_count_) : output_count_)) {}

  [[nodiscard]] MPI_Datatype wire_type() const { return wire_.get(); }
  [[nodiscard]] Buffers buffers() const override {
    return {in_place_ ? output_.data() : input_.data(), output_.data()};
  }

  [[nodiscard]] int stage() override {
    if (wire_.status() != MPI_SUCCESS) return wire_.status();
    std::byte* const to = (in_place_ ? output_ : input_).data() - bias_;
    return self_copy_(to, input_count_, wire_.get(), in_place_ ? call_.output : call_.input, input_count_,
                      call_.sent.type);
  }
  [[nodiscard]] int deliver() override {
    if (output_count_ == 0) return MPI_SUCCESS;
    return self_copy_(call_.output, output_count_, call_.sent.type, output_.data() - bias_, output_count_, wire_.get());
  }

 private:
  [[nodiscard]] static MPI_Count elements_of(const OwnCall& own, Part part) {
    const Held held = held_by(own.call.contract(), part, own.communicator.rank(), own.communicator.size(), 1);
    return own.call.sent.count * held.count;
  }
  [[nodiscard]] static std::size_t bytes(const PreparedKey& key, MPI_Count elements) {
    return static_cast<std::size_t>(elements) * key.layout.stride_bytes;
  }

  const Call& call_;
  const bool in_place_;
  const std::ptrdiff_t bias_;
  const SelfCopy self_copy_;
  const ResizedType wire_;
  const MPI_Count input_count_, output_count_;
  Scratch input_, output_;
};

// For this call only: its messages use a datatype of ours, which stands for the user's of this moment.
Preparation prepare_resized(const OwnCall& own, const PreparedKey& key) {
  auto operands = std::make_unique<ResizedOperands>(own, key);
  MpiEndpoint& endpoint = own.behind_request != nullptr ? *own.behind_request : own.communicator.endpoint();
  auto prepared = std::make_unique<Prepared>(native_setup(own, key, operands->wire_type()), endpoint);
  Prepared* const its = prepared.get();
  return {.prepared = its, .staging = std::move(operands), .only_for_this = std::move(prepared)};
}

}  // namespace

Preparation prepare_reduction(const OwnCall& own) {
  const PreparedKey key{.problem = own.found.problem,
                        .choice = own.choice,
                        .type = own.call.sent.type,
                        .op = own.call.op,
                        .layout = layout_of(own.found.sent.facts)};
  if (key.layout.staged) return prepare_resized(own, key);
  Preparation ready;
  const auto make_setup = [&] {
    const Reduction::Function kernel = kernel_of(own.found);
    return kernel != nullptr ? kernel_setup(own, key, kernel) : native_setup(own, key, own.call.sent.type);
  };
  find_or_prepare(own, key, make_setup, ready);
  ready.buffers = biased(buffers_of(own.call, own.found.problem.in_place), key.layout.bias_bytes);
  ready.is_repeatable = key.layout.bias_bytes == 0;
  return ready;
}

}  // namespace espalier
