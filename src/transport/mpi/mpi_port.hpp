// SPDX-License-Identifier: Apache-2.0
// Moves messages by the native MPI's point-to-point functions, on the one private communicator of all our traffic.
#pragma once

#include <chrono>
#include <climits>
#include <utility>
#include <vector>

#include "transport/mpi/mpi_endpoint.hpp"
#include "transport/port.hpp"

namespace espalier {

// What the bytes of a message are for the MPI.
struct Wire {
  MPI_Datatype type = MPI_BYTE;
  std::size_t stride_bytes = 1;  // from one of `type` to the next
  MPI_Aint bias = 0;             // from the address that an MPI function wants to the address of the first byte
};

class MpiPort {
 public:
  // The endpoint must outlive this.
  MpiPort(MpiEndpoint& endpoint, const Wire& wire)
      : peers_(endpoint.peers), watch_(endpoint.watch), mpi_(*peers_.mpi), wire_(wire) {}
  MpiPort(const MpiPort&) = delete;
  MpiPort& operator=(const MpiPort&) = delete;

  // As Port has them. A run's number is that of its call, which its tags say.
  void reserve(std::size_t tokens);
  void begin(std::uint64_t call, const RunMemory&) { begin(call); }
  void begin(std::uint64_t call);
  void end() {
    under_way_ = false;
    first_message_ = nullptr;
  }
  // So do those of what the ranks share before a call, which would otherwise be taken for the call's own.
  void begin_shared(bool is_shared) { is_shared_ = is_shared; }
  void send(Token token, const Message& message) {
    senders_[token] = no_rank;
    start(token, message, peers_.acknowledged && gains_by_acknowledgement(message) ? mpi_.Issend : mpi_.Isend);
  }
  void recv(Token token, const Message& message) {
    senders_[token] = message.peer;
    start(token, message, mpi_.Irecv);
  }
  [[nodiscard]] bool test(Token token);
  void wait(Token token);
  [[nodiscard]] std::span<const Token> poll();
  void idle() {
    idle([] { return StepOfRank(); });
  }
  // As others have them: it never sleeps, and all that is under way goes by the MPI.
  void idle_awake() { idle(); }
  [[nodiscard]] static bool goes_by_mpi() { return true; }
  // For a caller that also waits for messages by another transport: who is past this call there, if anybody is.
  template <class Past>
  void idle(Past past) {
    if (is_time_to_look()) look_around(past);
  }
  // What idle() does from time to time.
  template <class Past>
  void look_around(Past past) {
    look();
    if (!failed()) look_whether_in_step(past());
  }
  [[nodiscard]] bool failed() const { return failed_; }
  // An MPI code.
  [[nodiscard]] int take_error() { return std::exchange(error_, MPI_SUCCESS); }
  void abandon();

  // Whether it is asked from inside the MPI's own progress, where a question must not make progress itself.
  void ask_quietly(bool quietly) { asks_quietly_ = quietly && mpi_.Request_is_complete != nullptr; }
  // Whether the run was ended from outside; then it has failed.
  void look();
  // After an empty question: yields when there have been many. True if it did.
  bool back_off();

  // Notes when the first message of the run that begins now is there, or has left. Until its end, well or not.
  void note_first_message(std::chrono::steady_clock::time_point* at) { first_message_ = at; }

  // The run ends with an error: that rank's part of it will never meet this one's.
  void cancel(Rank) { fail(MPI_ERR_OTHER); }

  // Why the run was ended, if it failed; goes_on: by an error of this rank.
  [[nodiscard]] CallState ended_by() const { return ended_by_; }

 private:
  // For less, an acknowledgement costs more than it gains; and what goes past NICs of ours is short, or shares none.
  static constexpr std::size_t min_acknowledged_bytes = 1024;
  [[nodiscard]] static bool gains_by_acknowledgement(const Message& message) {
    return message.bytes >= min_acknowledged_bytes && message.path != over_mpi;
  }

  template <class Start>
  void start(Token token, const Message& message, Start operation) {
    const auto count =
        static_cast<MPI_Count>(wire_.stride_bytes == 1 ? message.bytes : message.bytes / wire_.stride_bytes);
    if (count > INT_MAX) [[unlikely]]
      return start_large(token, message, count, operation);
    start(token, message, static_cast<int>(count), wire_.type, operation);
  }
  template <class Start>
  void start(Token token, const Message& message, int count, MPI_Datatype type, Start operation) {
    const int status = operation(message.data - wire_.bias, count, type, peers_.world_ranks[message.peer],
                                 first_tag_ + message.channel, peers_.traffic, &requests_[token]);
    if (status != MPI_SUCCESS) [[unlikely]]
      return fail(status);
    started_[started_count_++] = token;
  }
  template <class Start>
  void start_large(Token token, const Message& message, MPI_Count count, Start operation);

  [[nodiscard]] bool is_time_to_look();
  void look_whether_in_step(const StepOfRank& elsewhere);
  [[nodiscard]] StepOfRank ranks_past() const;
  [[nodiscard]] bool is_over(MPI_Request& request);
  [[nodiscard]] std::span<const Token> poll_quietly();
  void wait_longer(MPI_Request& request);
  void note_if_first() {
    if (first_message_ != nullptr) [[unlikely]]
      *std::exchange(first_message_, nullptr) = std::chrono::steady_clock::now();
  }
  void gather_started();
  void remove(int position);
  void note(int status) {
    if (error_ == MPI_SUCCESS) error_ = status;
  }
  void fail(int status) {
    note(status);
    failed_ = true;
  }
  void note_statuses(int completed);
  // Of a message that is over: others still wait for what this rank has to send. But where processes die, nothing came.
  void note_end_of_message(int status) { peers_.fault_tolerant ? fail(status) : note(status); }
  void note_or_fail(int status, MPI_Request request) {
    request == MPI_REQUEST_NULL ? note_end_of_message(status) : fail(status);
  }

  const MpiPeers& peers_;
  CallWatch& watch_;
  const Native& mpi_;
  const Wire wire_;
  int error_ = MPI_SUCCESS;
  bool failed_ = false;
  bool under_way_ = false;
  bool asks_quietly_ = false;
  bool is_shared_ = false;
  double passed_since_ = 0;  // seconds, of the clock; 0: nobody is known to be past this call
  CallState ended_by_ = CallState::goes_on;
  std::uint64_t call_ = 0;
  int first_tag_ = 0;  // of this call
  int empty_polls_ = 0;
  int empty_waits_ = 0;
  std::chrono::steady_clock::time_point* first_message_ = nullptr;

  // By token. A caller that waits for tokens needs no more than this.
  std::vector<MPI_Request> requests_;
  std::vector<Rank> senders_;  // no_rank: this rank is
  // Tokens whose messages were started since the last wait or poll.
  std::vector<Token> started_;
  std::size_t started_count_ = 0;

  // A caller that polls needs the requests under way side by side; they move here from requests_.
  int polled_count_ = 0;
  std::vector<MPI_Request> polled_;
  std::vector<Token> tokens_;  // whose they are
  std::vector<int> indices_;   // what Testsome says
  std::vector<MPI_Status> statuses_;
  std::vector<Token> completed_;
};

// True if it is over, well or not.
inline bool MpiPort::is_over(MPI_Request& request) {
  if (asks_quietly_ && mpi_.Request_is_complete(request) == 0) return false;
  int done = 0;
  const int status = mpi_.Test(&request, &done, MPI_STATUS_IGNORE);
  if (status == MPI_SUCCESS) [[likely]]
    return done != 0;
  note_or_fail(status, request);
  return true;
}

// Not by MPI_Wait, which would not come back from a call that ended for another reason.
inline void MpiPort::wait(Token token) {
  if (failed()) [[unlikely]]
    return;
  started_count_ = 0;
  if (!is_over(requests_[token])) wait_longer(requests_[token]);
  note_if_first();
}

inline bool MpiPort::test(Token token) {
  started_count_ = 0;
  return is_over(requests_[token]);
}

static_assert(Port<MpiPort>);

}  // namespace espalier
