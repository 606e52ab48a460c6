// SPDX-License-Identifier: Apache-2.0
#include "mpi/requests/request.hpp"

#include "mpi/calls/errors.hpp"
#include "mpi/requests/requests.hpp"

namespace espalier {

RequestRun::RequestRun(PreparedCommunicator& communicator, std::shared_ptr<MpiEndpoint> endpoint, std::uint64_t number)
    : communicator_(std::static_pointer_cast<PreparedCommunicator>(communicator.shared_from_this())),
      endpoint_(std::move(endpoint)),
      number_(number) {}

RequestRun::~RequestRun() {
  if (repeated_ && repeated_->generation == communicator_->generation.load(std::memory_order_relaxed)) {
    communicator_->repeated.give_back(std::move(repeated_));
  } else if (std::unique_ptr<Prepared>& prepared = repeated_ ? repeated_->prepared : ready_.only_for_this;
             prepared && fits_others()) {
    communicator_->idle.give_back(std::move(prepared));
  }
}

bool RequestRun::fits_others() const { return ready_.fits_others && endpoint_.get() == &communicator_->endpoint(); }

int RequestRun::prepare(const Call& call, const Classified& found, const Choice& choice) {
  kept_.emplace(mpi(), call, found, communicator_->rank(), communicator_->size());
  call_ = kept_->call();
  if (kept_->status() != MPI_SUCCESS) return kept_->status();
  ready_ = espalier::prepare({call_, *communicator_, kept_->found(), choice, staging_, endpoint_.get()});
  prepared_ = ready_.prepared;
  return MPI_SUCCESS;
}

void RequestRun::use(const Call& call, Preparation ready) {
  call_ = call;
  ready_ = std::move(ready);
  prepared_ = ready_.prepared;
}

void RequestRun::remember(const Call& call, bool in_place, const NamedPlaces& places, const Choice& choice,
                          Decision* decision) noexcept {
  if (!ready_.is_repeatable || !fits_others()) return;
  std::unique_ptr<RepeatedCall> repeated(new (std::nothrow) RepeatedCall);
  if (!repeated || !repeated->recent.note(call, in_place, ready_.buffers, places)) return;
  repeated->choice = choice;
  repeated->recent.watchers.decision = decision;
  repeated->generation = communicator_->generation.load(std::memory_order_relaxed);
  repeated->prepared = std::move(ready_.only_for_this);
  repeated_ = std::move(repeated);
}

void RequestRun::repeat(const Call& call, std::unique_ptr<RepeatedCall> repeated) {
  call_ = call;
  prepared_ = repeated->prepared.get();
  ready_.buffers = repeated->recent.buffers(call);
  repeated_ = std::move(repeated);
}

bool RequestRun::has_begun() {
  if (is_under_way_) return true;
  if (!may_begin()) return false;
  prepared_->start(number_, ready_.staging ? ready_.staging->buffers() : ready_.buffers);
  return is_under_way_ = true;
}

bool RequestRun::advance() noexcept {
  if (!has_begun()) return false;
  if (!prepared_->advance()) {
    note_empty_look();
    return false;
  }
  end();
  return true;
}

bool RequestRun::try_to_wait() noexcept {
  if (!requests().runs.take_out(*this)) return false;
  prepared_->wait([this] { note_empty_look(); });
  end();
  return true;
}

void RequestRun::end() noexcept {
  status_ = prepared_->result();
  if (status_ == MPI_SUCCESS && ready_.staging) status_ = ready_.staging->deliver();
  is_under_way_ = false;
  complete();
}

// The world's, if the communicator is no longer the application's.
int RequestRun::raise(int code) {
  if (!communicator().is_gone()) return espalier::raise(call(), code);
  int error_class = code;
  mpi().Error_class(code, &error_class);
  mpi().Comm_call_errhandler(MPI_COMM_WORLD, error_class);
  return error_class;
}

}  // namespace espalier
