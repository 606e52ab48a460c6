// SPDX-License-Identifier: Apache-2.0
// Moves messages between processes that share memory (port.hpp: a Port).
#pragma once

#include "core/world_ranks.hpp"
#include "topology/ranks_in_node.hpp"
#include "transport/shm/shm_node.hpp"

namespace espalier {

class ShmPort {
 public:
  // Whose messages they are.
  struct ShmGroup {
    const WorldRanks& world_ranks;
    const RanksInNode& processes;
  };

  // Node and group must outlive this.
  ShmPort(ShmNode& node, const ShmGroup& group) : node_(node), group_(group) {}
  ~ShmPort() { abandon(); }
  ShmPort(const ShmPort&) = delete;
  ShmPort& operator=(const ShmPort&) = delete;

  // Of the runs that begin from now on: equal on all ranks, and not that of another communicator with runs under way.
  void set_context(std::uint32_t context) { context_ = context; }
  [[nodiscard]] bool reaches(Rank rank) const { return process_of(rank) >= 0; }

  // As Port has them.
  void reserve(std::size_t tokens) {
    completions_.reserve(tokens);
    process_with_.resize(tokens);
  }
  void begin(std::uint64_t run, const RunMemory&) {
    abandon();  // what the application left by a jump
    completions_.clear();
    run_ = run;
    is_under_way_ = true;
  }
  void send(Token token, const Message& message) {
    const auto guard = node_.guard();
    const int process = process_with(token, message);
    node_.peer(process).send(key_of(message), message.data, message.bytes, completions_, token);
    if (node_.peer(process).is_busy()) [[unlikely]]
      node_.note_busy(process);
  }
  void recv(Token token, const Message& message) {
    const auto guard = node_.guard();
    const int process = process_with(token, message);
    node_.peer(process).receive(key_of(message), message.data, message.bytes, completions_, token);
    node_.note_busy(process);
  }
  // Others may wait for what this process has to do for them: they are seen to after the one that is asked for.
  [[nodiscard]] bool test(Token token) {
    const auto guard = node_.guard();
    if (completions_.take(token)) return true;
    (void)node_.peer(process_with_[token]).make_progress();
    if (completions_.take(token)) return true;
    (void)node_.make_progress();
    return completions_.take(token);
  }
  void wait(Token token) {
    while (!test(token) && !failed()) idle();
  }
  [[nodiscard]] std::span<const Token> poll() {
    const auto guard = node_.guard();
    (void)node_.make_progress();
    return completions_.take_all();
  }
  void idle();
  // Wants nothing of others but by this port.
  bool sleep(std::chrono::nanoseconds most) { return node_.sleep(most); }
  // For a caller that waits for something else.
  void make_progress() {
    const auto guard = node_.guard();
    (void)node_.make_progress();
  }
  [[nodiscard]] bool failed() const { return completions_.failed(); }
  // A ShmError.
  [[nodiscard]] int take_error() { return completions_.take_error(); }
  // Another run of this context, if that rank is through with the one under way and has sent less than this rank waits
  // for.
  [[nodiscard]] std::optional<std::uint64_t> run_past(Rank rank) {
    const auto guard = node_.guard();
    return reaches(rank) ? node_.peer(process_of(rank)).run_past(context_, run_) : std::nullopt;
  }
  void end() { is_under_way_ = false; }
  void abandon() {
    if (!is_under_way_) return;
    const auto guard = node_.guard();
    node_.forget(completions_);
    is_under_way_ = false;
  }

 private:
  [[nodiscard]] int process_of(Rank rank) const { return group_.processes.number_of(group_.world_ranks[rank]); }
  [[nodiscard]] int process_with(Token token, const Message& message) {
    return process_with_[token] = process_of(message.peer);
  }
  [[nodiscard]] MessageKey key_of(const Message& message) const {
    return {.run = run_, .context = context_, .channel = message.channel};
  }

  ShmNode& node_;
  const ShmGroup group_;
  std::uint32_t context_ = 0;
  std::uint64_t run_ = 0;
  bool is_under_way_ = false;
  Completions completions_;
  std::vector<int> process_with_;  // by token
  int empty_looks_ = 0;
};

static_assert(Port<ShmPort>);

}  // namespace espalier
