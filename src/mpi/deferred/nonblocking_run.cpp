// SPDX-License-Identifier: Apache-2.0
#include "mpi/deferred/nonblocking_run.hpp"

#include "mpi/requests/requests.hpp"

namespace espalier {

int NonblockingRun::make_handle(MPI_Request& request) {
  if (!will_go_on(communicator().job())) return MPI_ERR_NO_MEM;
  int status = stage();
  if (status == MPI_SUCCESS) status = mpi().Grequest_start(on_query, on_free, on_cancel, this, &handle_);
  if (status != MPI_SUCCESS) return status;
  held_by_handle_ = shared_from_this();
  request = handle_;
  return MPI_SUCCESS;
}

void NonblockingRun::go() noexcept {
  if (!requests().runs.advance_alone(*this)) requests().runs.add(shared_from_this());
}

void NonblockingRun::leave_epoch() {
  if (std::exchange(is_in_epoch_, false)) communicator().epochs().leave(epoch_);
}

void NonblockingRun::complete() noexcept {
  leave_epoch();
  (void)mpi().Grequest_complete(handle_);
}

int NonblockingRun::on_query(void* self, MPI_Status* status) {
  auto& run = *static_cast<NonblockingRun*>(self);
  run.mpi().Status_set_elements(status, MPI_BYTE, 0);
  run.mpi().Status_set_cancelled(status, 0);
  status->MPI_SOURCE = MPI_UNDEFINED;
  status->MPI_TAG = MPI_UNDEFINED;
  if (run.status() != MPI_SUCCESS && !std::exchange(run.was_reported_, true)) {
    requests().failures.add(std::static_pointer_cast<RequestRun>(run.shared_from_this()));
  }
  return MPI_SUCCESS;
}

int NonblockingRun::on_free(void* self) {
  const std::shared_ptr<ActiveRun> last = std::move(static_cast<NonblockingRun*>(self)->held_by_handle_);
  return MPI_SUCCESS;
}

// As natively: collectives cannot be cancelled.
int NonblockingRun::on_cancel(void*, int) { return MPI_ERR_REQUEST; }

}  // namespace espalier
