// SPDX-License-Identifier: Apache-2.0
// Messages to ranks of other hosts by the fabric. Those inside a host, and those whose path says so, go as its ranks
// speak to each other: by memory that they share, where they have it (NodePort), and else by the MPI (MpiPort). Both
// ends of a message decide by the same.
#pragma once

#include "hybrid/node_port.hpp"
#include "transport/fabric/fabric_port.hpp"
#include "transport/mpi/mpi_port.hpp"
#include "transport/mpi/run_names.hpp"

namespace espalier {

template <Port Inside>
class HybridPort {
 public:
  // The endpoint must outlive this; it has a fabric.
  HybridPort(MpiEndpoint& endpoint, const Wire& wire);

  // As Port, OpeningPort and MpiPort have them.
  void reserve(std::size_t tokens);
  void open(const Reach& reach, std::vector<Opening> openings);
  void begin(std::uint64_t run, const RunMemory& memory);
  void send(Token token, const Message& message) {
    stays_inside(token, message) ? inside_.send(token, message) : by_fabric_.send(token, message);
  }
  void recv(Token token, const Message& message) {
    stays_inside(token, message) ? inside_.recv(token, message) : by_fabric_.recv(token, message);
  }
  [[nodiscard]] bool test(Token token);
  void wait(Token token) {
    while (!test(token) && !failed()) idle();
  }
  [[nodiscard]] std::span<const Token> poll();
  void idle();
  [[nodiscard]] bool failed() const { return inside_.failed() || by_fabric_.failed(); }
  // An MPI code.
  [[nodiscard]] int take_error();
  void end();
  void abandon();

  // The run ends with an error: that rank's part of it will never meet this one's.
  void cancel(Rank rank) { by_fabric_.cancel(peers_.world_ranks[rank]); }
  void ask_quietly(bool quietly) { inside_.ask_quietly(quietly); }
  void back_off();
  void note_first_message(std::chrono::steady_clock::time_point* at) { first_message_ = at; }
  [[nodiscard]] CallState ended_by() const { return inside_.ended_by(); }

 private:
  [[nodiscard]] bool stays_inside(Token token, const Message& message);
  void note_end(Token token) { --(is_inside_[token] != 0 ? inside_under_way_ : by_fabric_under_way_); }
  [[nodiscard]] bool is_on_this_host(Rank rank) const;
  void note_if_first() {
    if (first_message_ != nullptr) [[unlikely]]
      *std::exchange(first_message_, nullptr) = std::chrono::steady_clock::now();
  }
  void log_unreachable(const char* reason) const;
  void log_failed_peer(const char* what) const;

  RunNames names_;
  const MpiPeers& peers_;
  Fabric& fabric_;
  Inside inside_;
  FabricPort by_fabric_;
  std::vector<char> is_inside_;  // by token
  std::size_t inside_under_way_ = 0, by_fabric_under_way_ = 0;
  std::vector<Token> polled_;
  int empty_polls_ = 0, backoffs_ = 0;
  std::chrono::steady_clock::time_point* first_message_ = nullptr;
};

extern template class HybridPort<MpiPort>;
extern template class HybridPort<NodePort>;
static_assert(OpeningPort<HybridPort<MpiPort>> && OpeningPort<HybridPort<NodePort>>);

}  // namespace espalier
