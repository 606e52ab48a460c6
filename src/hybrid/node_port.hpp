// SPDX-License-Identifier: Apache-2.0
// Messages inside a node by memory that its processes share, and all others by the MPI. Both ends of a message decide
// by the same: who shares memory with whom, which they have agreed on.
#pragma once

#include "transport/mpi/mpi_port.hpp"
#include "transport/mpi/run_names.hpp"
#include "transport/shm/shm_port.hpp"

namespace espalier {

class NodePort {
 public:
  // The endpoint must outlive this; it has a node.
  NodePort(MpiEndpoint& endpoint, const Wire& wire);

  // As Port and MpiPort have them.
  void reserve(std::size_t tokens);
  void begin(std::uint64_t run, const RunMemory& memory);
  void send(Token token, const Message& message) {
    goes_by_memory(token, message) ? by_memory_.send(token, message) : by_mpi_.send(token, message);
  }
  void recv(Token token, const Message& message) {
    goes_by_memory(token, message) ? by_memory_.recv(token, message) : by_mpi_.recv(token, message);
  }
  [[nodiscard]] bool test(Token token);
  void wait(Token token) {
    while (!test(token) && !failed()) idle();
  }
  [[nodiscard]] std::span<const Token> poll();
  void idle();
  // The same for a caller that also waits for what cannot wake it: does not sleep.
  void idle_awake();
  void look() { by_mpi_.look(); }
  // Whether something that is under way does.
  [[nodiscard]] bool goes_by_mpi() const { return by_mpi_under_way_ > 0; }
  [[nodiscard]] bool failed() const { return by_mpi_.failed() || by_memory_.failed(); }
  // An MPI code.
  [[nodiscard]] int take_error();
  void end();
  void abandon();

  void cancel(Rank rank) { by_mpi_.cancel(rank); }
  void ask_quietly(bool quietly) { by_mpi_.ask_quietly(quietly); }
  void back_off();
  void note_first_message(std::chrono::steady_clock::time_point* at) { first_message_ = at; }
  [[nodiscard]] CallState ended_by() const { return by_mpi_.ended_by(); }

 private:
  [[nodiscard]] bool goes_by_memory(Token token, const Message& message) {
    const bool by_memory = message.path != over_mpi && by_memory_.reaches(message.peer);
    is_by_mpi_[token] = by_memory ? 0 : 1;
    if (!by_memory) ++by_mpi_under_way_;
    return by_memory;
  }
  [[nodiscard]] StepOfRank rank_past();
  void sleep();
  // A message is over.
  void note_arrival() {
    empty_polls_ = 0;
    sleeps_ = 0;
    if (first_message_ != nullptr) [[unlikely]]
      *std::exchange(first_message_, nullptr) = std::chrono::steady_clock::now();
  }

  RunNames names_;
  const MpiPeers& peers_;
  MpiPort by_mpi_;
  ShmPort by_memory_;
  std::vector<char> is_by_mpi_;  // by token
  std::size_t by_mpi_under_way_ = 0;
  std::uint64_t call_ = 0;
  std::vector<Token> polled_;
  unsigned empty_polls_ = 0;
  int sleeps_ = 0;
  std::chrono::steady_clock::time_point* first_message_ = nullptr;
};

static_assert(Port<NodePort>);

}  // namespace espalier
