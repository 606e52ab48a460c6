// SPDX-License-Identifier: Apache-2.0
// Moves messages by the native MPI's point-to-point functions, on the one private communicator of all our traffic.
#pragma once

#include <climits>
#include <utility>
#include <vector>

#include "transport/mpi/native.hpp"
#include "transport/mpi/world_ranks.hpp"
#include "transport/transport.hpp"

namespace espalier {

// How the messages of one application communicator travel. Lives as long as that communicator.
struct Route {
  const Native* mpi = nullptr;
  MPI_Comm traffic = MPI_COMM_NULL;  // all ranks of MPI_COMM_WORLD; returns errors
  int first_tag = 0;                 // plus the lane
  WorldRanks world_ranks;
  bool crowded = false;  // ranks outnumber cores here: whoever waits yields soon
  // Long messages are sent in synchronous mode. Open MPI's messages to one peer take its NICs in turn, but a standard
  // send takes two turns at once (one for an attempt to send it inline, which is only for short ones; see
  // pml_ob1_isend.c), so that with two NICs all of them go over the same one. A synchronous send takes one turn.
  bool acknowledged = false;
};

// What the elements of a message are for the MPI.
struct Wire {
  MPI_Datatype type = MPI_BYTE;
  MPI_Count per_element = 1;  // of `type`
  MPI_Aint bias = 0;          // from the address that an MPI function wants to the address of the element's first byte
};

class MpiTransport {
 public:
  // `route` must outlive this.
  MpiTransport(const Route& route, const Wire& wire) : route_(route), mpi_(*route.mpi), wire_(wire) {}
  MpiTransport(const MpiTransport&) = delete;
  MpiTransport& operator=(const MpiTransport&) = delete;

  // As Transport has them.
  void reserve(std::size_t tokens);
  void send(Token token, const Message& message) {
    start(token, message, route_.acknowledged && is_long(message) ? mpi_.Issend : mpi_.Isend);
  }
  void recv(Token token, const Message& message) { start(token, message, mpi_.Irecv); }
  void wait(Token token);
  [[nodiscard]] std::span<const Token> poll();
  [[nodiscard]] bool failed() const { return failed_; }

  // The MPI's code for the first error since this was last asked. A message that completed with an error (one longer
  // than its receiver expected, say) is an error, but no failure: all messages of a collective still have to be
  // matched, or the next one would get them.
  [[nodiscard]] int take_error() { return std::exchange(error_, MPI_SUCCESS); }
  // After a failure: takes back what is still under way, so that no message can arrive in a buffer later on.
  void abandon();

 private:
  // Elements of the wire's type, which mostly are bytes: for less, an acknowledgement costs more than it gains.
  static constexpr std::size_t least_acknowledged = 1024;
  [[nodiscard]] bool is_long(const Message& message) const {
    return message.elements * static_cast<std::size_t>(wire_.per_element) >= least_acknowledged;
  }

  template <class Start>
  void start(Token token, const Message& message, Start operation) {
    const MPI_Count count = static_cast<MPI_Count>(message.elements) * wire_.per_element;
    if (count > INT_MAX) [[unlikely]]
      return start_large(token, message, count, operation);
    start(token, message, static_cast<int>(count), wire_.type, operation);
  }
  template <class Start>
  void start(Token token, const Message& message, int count, MPI_Datatype type, Start operation) {
    const int status = operation(message.data - wire_.bias, count, type, route_.world_ranks[message.peer],
                                 route_.first_tag + message.lane, route_.traffic, &requests_[token]);
    if (status != MPI_SUCCESS) [[unlikely]]
      return fail(status);
    started_[started_count_++] = token;
  }
  template <class Start>
  void start_large(Token token, const Message& message, MPI_Count count, Start operation);

  void wait_politely(MPI_Request& request);
  void gather_started();
  void remove(int position);
  void note(int status) {
    if (error_ == MPI_SUCCESS) error_ = status;
  }
  void fail(int status) {
    note(status);
    failed_ = true;
  }
  void note_what_statuses_say(int completed);
  void note_or_fail(int status, MPI_Request request) { request == MPI_REQUEST_NULL ? note(status) : fail(status); }
  void nothing_came();

  const Route& route_;
  const Native& mpi_;
  const Wire wire_;
  int error_ = MPI_SUCCESS;
  bool failed_ = false;
  int empty_polls_ = 0;

  // By token. Whoever waits for tokens needs no more than this.
  std::vector<MPI_Request> requests_;
  // Tokens whose messages were started since the last wait or poll.
  std::vector<Token> started_;
  std::size_t started_count_ = 0;

  // Whoever polls needs the requests under way side by side; they move here from requests_.
  int polled_count_ = 0;
  std::vector<MPI_Request> polled_;
  std::vector<Token> tokens_;  // whose they are
  std::vector<int> indices_;   // what Testsome says
  std::vector<MPI_Status> statuses_;
  std::vector<Token> completed_;
};

inline void MpiTransport::wait(Token token) {
  if (failed()) [[unlikely]]
    return;
  started_count_ = 0;
  MPI_Request& request = requests_[token];
  if (route_.crowded) return wait_politely(request);
  const int status = mpi_.Wait(&request, MPI_STATUS_IGNORE);
  if (status != MPI_SUCCESS) [[unlikely]]
    fail(status);
}

static_assert(Transport<MpiTransport>);

}  // namespace espalier
