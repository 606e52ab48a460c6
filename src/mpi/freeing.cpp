// SPDX-License-Identifier: Apache-2.0
#include "mpi/freeing.hpp"

#include <array>

#include "mpi/context.hpp"
#include "mpi/entries.hpp"

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

int free_communicator(int (*native)(MPI_Comm*), MPI_Comm* comm, const void* caller) {
  const Context& here = *context;
  const bool is_ours = here.active.load(std::memory_order_acquire) && here.host.is_internal(caller) == 0;
  if (!is_ours || comm == nullptr || *comm == MPI_COMM_NULL) return native(comm);
  Freeing freeing(context->communicators, *comm);
  const int status = native(comm);
  if (status == MPI_SUCCESS) freeing.succeeded();
  return status;
}

int entry_Comm_free(MPI_Comm* comm) {
  return free_communicator(context->mpi.Comm_free, comm, __builtin_return_address(0));
}

int entry_Comm_disconnect(MPI_Comm* comm) {
  return free_communicator(context->mpi.Comm_disconnect, comm, __builtin_return_address(0));
}

}  // namespace espalier
