// SPDX-License-Identifier: Apache-2.0
#include "mpi/communicators/freeing.hpp"

#include <array>

#include "mpi/communicators/communicators.hpp"

namespace espalier {

namespace {

// One callback may free another communicator, whose callbacks may free the next; deeper ones are not followed.
constexpr int max_depth = 16;

// An error handler may leave the native call by a jump. What it left behind lies below the current frame of the stack,
// which grows downwards.
struct Nesting {
  std::array<Freeing*, max_depth> objects{};
  int depth = 0;

  void forget_dead(const void* frame) {
    while (depth > 0 && static_cast<const void*>(objects[depth - 1]) < frame) --depth;
  }
};

thread_local Nesting nesting;

}  // namespace

Freeing::Freeing(Communicators& communicators, MPI_Comm comm) : communicators_(communicators), comm_(comm) {
  nesting.forget_dead(__builtin_frame_address(0));
  if (nesting.depth < max_depth) nesting.objects[nesting.depth++] = this;
  communicators_.hide(comm_);
}

Freeing::~Freeing() {
  if (nesting.depth > 0 && nesting.objects[nesting.depth - 1] == this) --nesting.depth;
  if (!succeeded_) {
    communicators_.show_again(comm_, detached_);
  } else if (detached_ != nullptr) {
    communicators_.remove(detached_);
  }
}

Freeing* Freeing::innermost(MPI_Comm comm) {
  nesting.forget_dead(__builtin_frame_address(0));
  for (int k = nesting.depth; k-- > 0;) {
    if (nesting.objects[k]->comm_ == comm) return nesting.objects[k];
  }
  return nullptr;
}

bool Freeing::detach(MPI_Comm comm, Communicator* communicator) {
  Freeing* const freeing = innermost(comm);
  if (freeing == nullptr) return false;
  freeing->detached_ = communicator;
  return true;
}

}  // namespace espalier
