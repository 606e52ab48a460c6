// SPDX-License-Identifier: Apache-2.0
#include "mpi/own_reduction.hpp"

#include <optional>

#include "mpi/intercept.hpp"

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
      .copies_whole = !key.layout.staged && (own.found.type != nullptr || own.found.facts.is_gapless()),
      .self_copy = self_copy_of(own.communicator),
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
class StagedReduction {
 public:
  StagedReduction(const OwnCall& own, const PreparedKey& key)
      : call_(own.call),
        key_(key),
        self_copy_(self_copy_of(own.communicator)),
        wire_(*self_copy_.mpi, call_.type, key.layout.stride_bytes),
        has_output_(call_.collective == Collective::allreduce || call_.root == own.communicator.rank()),
        input_(key.problem.in_place ? 0 : bytes()),
        output_(has_output_ ? bytes() : 0) {}

  [[nodiscard]] int status() const { return wire_.status(); }
  [[nodiscard]] MPI_Datatype wire_type() const { return wire_.get(); }
  [[nodiscard]] Buffers buffers() const {
    return {key_.problem.in_place ? output_.data() : input_.data(), output_.data()};
  }

  [[nodiscard]] int stage() {
    const bool in_place = key_.problem.in_place;
    std::byte* const to = (in_place ? output_ : input_).data() - key_.layout.bias_bytes;
    return self_copy_(to, call_.count, wire_.get(), in_place ? call_.output : call_.input, call_.count, call_.type);
  }
  [[nodiscard]] int deliver() {
    if (!has_output_) return MPI_SUCCESS;
    std::byte* const from = output_.data() - key_.layout.bias_bytes;
    return self_copy_(call_.output, call_.count, call_.type, from, call_.count, wire_.get());
  }

 private:
  [[nodiscard]] std::size_t bytes() const { return key_.problem.count * key_.layout.stride_bytes; }

  const Call& call_;
  const PreparedKey& key_;
  const SelfCopy self_copy_;
  const ResizedType wire_;
  const bool has_output_;
  Scratch input_, output_;
};

// Prepared for this call only: its messages use a datatype of ours, which stands for the user's of this moment.
int reduce_staged(const OwnCall& own, const PreparedKey& key) {
  const auto& [call, communicator, found, choice] = own;
  std::optional<StagedReduction> staged;
  std::optional<Prepared> prepared;
  int status = guarded(call, [&, &communicator = communicator] {
    staged.emplace(own, key);
    prepared.emplace(native_setup(own, key, staged->wire_type()), communicator.peers(), communicator.watch());
  });
  if (status == MPI_SUCCESS) status = staged->status() == MPI_SUCCESS ? staged->stage() : staged->status();
  if (status != MPI_SUCCESS) return raise_for_all(call, communicator, status);
  status = do_own(call, communicator, *prepared, staged->buffers());
  if (status != MPI_SUCCESS) return status;
  status = staged->deliver();
  return status == MPI_SUCCESS ? status : raise(call, communicator, status);
}

}  // namespace

int do_own_reduction(const OwnCall& own, const std::function<void(Prepared&)>& repeatable) {
  const auto& [call, communicator, found, choice] = own;
  const PreparedKey key{.problem = found.problem, .type = call.type, .op = call.op, .layout = layout_of(found.facts)};
  if (key.layout.staged) return reduce_staged(own, key);
  Prepared* prepared = nullptr;
  const int status = guarded(call, [&, &call = call, &found = found] {
    prepared = &find_or_prepare(own, key, [&] {
      const Reduction::Function kernel = kernel_of(found);
      return kernel != nullptr ? kernel_setup(own, key, kernel) : native_setup(own, key, call.type);
    });
  });
  if (status != MPI_SUCCESS) return raise_for_all(call, communicator, status);
  if (key.layout.bias_bytes == 0) repeatable(*prepared);
  const BufferUse use = found.problem.in_place ? BufferUse::in_place : BufferUse::separate;
  return do_own(call, communicator, *prepared, biased(buffers_of(call, use), key.layout.bias_bytes));
}

}  // namespace espalier
