// SPDX-License-Identifier: Apache-2.0
// The run of a nonblocking call. Its handle is a generalised request. (MPI standard 4.1, section 13.2.)
#pragma once

#include "mpi/requests/request.hpp"

namespace espalier {

class NonblockingRun final : public RequestRun {
 public:
  // Of the communicator's current call.
  explicit NonblockingRun(PreparedCommunicator& communicator)
      : RequestRun(communicator, {communicator.shared_from_this(), &communicator.endpoint()}, communicator.call()),
        epoch_(communicator.epoch()) {
    communicator.epochs().enter(epoch_);
  }
  ~NonblockingRun() override { leave_epoch(); }

  // Prepared; returns an MPI code.
  [[nodiscard]] int make_handle(MPI_Request& request);
  // Goes as far as it can at once; from here on it is on its own.
  void go() noexcept;

 private:
  static int on_query(void* self, MPI_Status* status);
  static int on_free(void* self);
  static int on_cancel(void* self, int is_complete);

  [[nodiscard]] bool may_begin() override { return communicator().epochs().is_oldest(epoch_); }
  void complete() noexcept override;
  void leave_epoch();

  const std::uint64_t epoch_;
  bool is_in_epoch_ = true;
  bool was_reported_ = false;  // that it failed, by whatever looked at the handle first
  MPI_Request handle_ = MPI_REQUEST_NULL;
  // The handle's hold on this: until the application is through with it.
  std::shared_ptr<ActiveRun> held_by_handle_;
};

}  // namespace espalier
