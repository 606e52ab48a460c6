// SPDX-License-Identifier: Apache-2.0
#include "mpi/requests/request.hpp"

#include "mpi/calls/errors.hpp"
#include "mpi/requests/requests.hpp"

namespace espalier {

RequestRun::RequestRun(PreparedCommunicator& communicator, std::shared_ptr<MpiEndpoint> endpoint, std::uint64_t number)
    : communicator_(std::static_pointer_cast<PreparedCommunicator>(communicator.shared_from_this())),
      endpoint_(std::move(endpoint)),
      number_(number) {
  requests().runs.make_room();
}

RequestRun::~RequestRun() {
  requests().runs.give_back_room();
  const bool fits_others = ready_.fits_others && endpoint_.get() == &communicator_->endpoint();
  if (ready_.only_for_this && fits_others) communicator_->idle.give_back(std::move(ready_.only_for_this));
}

int RequestRun::prepare(const Call& call, const Classified& found, const Choice& choice) {
  kept_.emplace(mpi(), call, found, communicator_->rank(), communicator_->size());
  if (kept_->status() != MPI_SUCCESS) return kept_->status();
  ready_ = espalier::prepare({kept_->call(), *communicator_, kept_->found(), choice, staging_, endpoint_.get()});
  return MPI_SUCCESS;
}

bool RequestRun::has_begun() {
  if (is_under_way_) return true;
  if (!may_begin()) return false;
  ready_.prepared->start(number_, ready_.staging ? ready_.staging->buffers() : ready_.buffers);
  return is_under_way_ = true;
}

bool RequestRun::advance() noexcept {
  if (!has_begun() || !ready_.prepared->advance()) return false;
  end();
  return true;
}

bool RequestRun::try_to_wait() noexcept {
  if (!requests().runs.take_out(*this)) return false;
  ready_.prepared->wait();
  end();
  return true;
}

void RequestRun::end() noexcept {
  status_ = ready_.prepared->result();
  if (status_ == MPI_SUCCESS && ready_.staging) status_ = ready_.staging->deliver();
  is_under_way_ = false;
  complete();
}

// The world's, if the communicator is no longer the application's.
int RequestRun::raise(int code) {
  if (!communicator().is_gone()) return espalier::raise(call(), communicator(), code);
  int error_class = code;
  mpi().Error_class(code, &error_class);
  mpi().Comm_call_errhandler(MPI_COMM_WORLD, error_class);
  return error_class;
}

}  // namespace espalier
