// SPDX-License-Identifier: Apache-2.0
// The run of a persistent call, started any number of times. (MPI standard 4.1, sections 3.9 and 6.13.)
//
// Its handle is a persistent receive of nothing from this process itself. As long as the application starts it and
// waits for it through us, the MPI need not know: to it the handle is inactive, which it says at once of every call on
// it. Where the MPI itself is to tell when it is complete, it is shown as what it is: the receive is started, and when
// the run is over, a message completes it.
#pragma once

#include "mpi/requests/request.hpp"

namespace espalier {

class PairedRun;

class PersistentRun : public RequestRun {
 public:
  PersistentRun(PreparedCommunicator& communicator, const std::shared_ptr<PersistentTags>& tags, std::uint64_t number);
  ~PersistentRun() override;

  // Prepared; returns an MPI code. The handle is known from here on.
  [[nodiscard]] int make_handle(MPI_Request& request);

  // Before start(), if it is likely to be started: starts that are made together take their turns in the order in which
  // they are named. It is kept if they are refused after all.
  virtual void take_turn() {}
  // Instead of MPI_Start; returns an MPI code. What goes wrong in the run shows when the request is completed.
  [[nodiscard]] int start();
  // To start it again now is an error.
  [[nodiscard]] bool is_active() const {
    const State state = state_.load(std::memory_order_acquire);
    return state == State::hidden || state == State::over || is_under_way();
  }
  // The application has completed its last start, as far as is known: MPICH's MPI_Request_get_status does so, too.
  [[nodiscard]] bool is_completed() const { return !is_active() && !has_to_report_; }
  // Started, and not yet over.
  [[nodiscard]] bool is_under_way() const { return is_under_way_.load(std::memory_order_acquire); }

  // Before the MPI may tell whether it is complete. Returns an MPI code.
  [[nodiscard]] int show();
  // Before the MPI waits for it: waits, unless it is shown.
  void wait();
  // Before the MPI tests it: false if it is neither shown nor over.
  [[nodiscard]] bool may_be_tested() const { return state_.load(std::memory_order_acquire) != State::hidden; }
  // After the MPI was asked, and has told the application that all are complete, or what went wrong with some: what
  // was over is inactive now, and with `all` what was shown, too.
  void settle(bool all);
  // An error that the application is to learn of, once: what failed before the MPI was told of it, or, as
  // `knows_error` says, after. A start that failed lets all later ones fail.
  [[nodiscard]] bool take_failure(bool knows_error);
  [[nodiscard]] int failure() const { return failure_; }

  // If it is a message that meets one of another rank, and no collective.
  [[nodiscard]] virtual PairedRun* paired() { return nullptr; }
  // What a receive has to say of its message, once after its end: `takes` if the application completes the request.
  void report(MPI_Status* status, bool takes) {
    if (!has_to_report_ || is_under_way()) return;
    has_to_report_ = !takes;
    if (status != MPI_STATUS_IGNORE) describe(*status);
  }
  // As the standard allows for messages, but not for collectives.
  [[nodiscard]] virtual bool may_be_freed_under_way() const { return false; }

 protected:
  // At each start, before the run begins; returns an MPI code.
  [[nodiscard]] virtual int get_ready() { return stage(); }
  virtual void describe(MPI_Status& /*status*/) const {}

 private:
  enum class State : std::uint8_t {
    inactive,
    hidden,  // under way
    over,    // the same, after its end
    shown,   // from then on it is the MPI's to say
  };

  [[nodiscard]] bool may_begin() override { return true; }
  void complete() noexcept override;
  void send_to_self() noexcept;

  const std::shared_ptr<PersistentTags> tags_;
  const int tag_to_self_;
  MPI_Request handle_ = MPI_REQUEST_NULL;
  std::atomic<State> state_{State::inactive};
  std::atomic<bool> is_under_way_{false};
  int failure_ = MPI_SUCCESS;  // of some start
  bool is_to_be_raised_ = false;
  bool has_to_report_ = false;
};

}  // namespace espalier
