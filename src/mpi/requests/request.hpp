// SPDX-License-Identifier: Apache-2.0
// A run behind a request: what a nonblocking or a persistent call leaves behind until it is over. Handles are native,
// so that every function of the MPI can deal with them, alone or among others.
#pragma once

#include <optional>

#include "mpi/prepared/preparation.hpp"
#include "mpi/requests/active_runs.hpp"
#include "mpi/requests/kept_call.hpp"

namespace espalier {

class RequestRun : public ActiveRun {
 public:
  // The communicator has joined. `number`: by which its messages are distinguished from others at the endpoint.
  RequestRun(PreparedCommunicator& communicator, std::shared_ptr<MpiEndpoint> endpoint, std::uint64_t number);
  ~RequestRun() override;

  // Local: gets all ready. Returns an MPI code; throws on allocation failure.
  [[nodiscard]] int prepare(const Call& call, const Classified& found, const Choice& choice);
  // Instead of prepare(): with what was got ready elsewhere, and belongs to this call alone.
  void use(const Call& call, Preparation ready);
  // So that a later call that is like it can have what is ready, if there is memory to note it. Before the run begins.
  // The call is by handles that always mean the same. `decision`: null if the choice is permanent.
  void remember(const Call& call, bool in_place, const Choice& choice, Decision* decision) noexcept {
    const bool is_uneven = call.function->is_uneven;
    remember(call, in_place,
             is_uneven ? named_places(call, in_place, communicator_->rank(), communicator_->size()) : NamedPlaces{},
             choice, decision);
  }
  // `places`: of the blocks, if they are uneven.
  void remember(const Call& call, bool in_place, const NamedPlaces& places, const Choice& choice,
                Decision* decision) noexcept;
  // Instead of prepare(): with what one that is like it has left.
  void repeat(const Call& call, std::unique_ptr<RepeatedCall> repeated);

  [[nodiscard]] bool advance() noexcept override;

  // Of the last run; an MPI code.
  [[nodiscard]] int status() const { return status_; }
  // Hands an error to the application's error handler, since the MPI does not know whose request this is. Returns the
  // code.
  [[nodiscard]] int raise(int code);

 protected:
  // Whether its messages can be distinguished from those of earlier runs by now.
  [[nodiscard]] virtual bool may_begin() = 0;
  // Informs the application. Nothing is touched after that: it may be through with the request at once, or start it
  // again.
  virtual void complete() noexcept = 0;

  // While it is under way, whenever nothing has arrived.
  virtual void note_empty_look() noexcept {}
  void cancel(Rank rank) { prepared_->cancel(rank); }

  [[nodiscard]] const Native& mpi() const { return communicator_->job().mpi; }
  [[nodiscard]] PreparedCommunicator& communicator() const { return *communicator_; }
  [[nodiscard]] const Call& call() const { return call_; }
  [[nodiscard]] Collective collective() const { return call().collective(); }
  void fail(int status) { status_ = status; }
  // Of the next run; where it is not the same for all.
  void set_number(std::uint64_t number) { number_ = number; }
  // As the application's buffers are now.
  [[nodiscard]] int stage() { return ready_.staging ? ready_.staging->stage() : MPI_SUCCESS; }
  // To its end, from outside of the MPI's progress. False if somebody else is at it.
  [[nodiscard]] bool try_to_wait() noexcept;

 private:
  [[nodiscard]] bool fits_others() const;
  [[nodiscard]] bool has_begun();
  void end() noexcept;

  const std::shared_ptr<PreparedCommunicator> communicator_;
  const std::shared_ptr<MpiEndpoint> endpoint_;
  std::uint64_t number_;
  bool is_under_way_ = false;
  int status_ = MPI_SUCCESS;
  Call call_;
  Prepared* prepared_ = nullptr;
  std::optional<KeptCall> kept_;
  StagingMemory staging_;
  Preparation ready_;
  std::unique_ptr<RepeatedCall> repeated_;  // null: nobody can have what is ready as it is
};

}  // namespace espalier
