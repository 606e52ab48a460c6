// SPDX-License-Identifier: Apache-2.0
// Moves the messages of a run by writes into the receivers' memory, over all lanes at once (port.hpp: an OpeningPort).
//
// A receiver grants memory: all of an opened channel's when the run begins, and that of any other message when it is
// asked for. A sender writes as soon as it has been granted the memory and has the data. Nothing is matched and nothing
// is copied en route: the data lie where the schedule wants them, and are reduced from there.
#pragma once

#include <chrono>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/world_ranks.hpp"
#include "transport/fabric/lanes/registrations.hpp"
#include "transport/fabric/protocol/fabric_run.hpp"
#include "transport/fabric/protocol/streams.hpp"
#include "transport/fabric/wire/wire.hpp"
#include "transport/port.hpp"

namespace espalier {

class Fabric;

class FabricPort final : public FabricRun {
 public:
  // Whose messages they are: equal on all ranks.
  struct Group {
    const WorldRanks& world_ranks;
    int context = 0;  // as set_context() says
  };

  // Fabric and group must outlive this.
  FabricPort(Fabric& fabric, const Group& group) : fabric_(fabric), world_ranks_(group.world_ranks) {
    set_context(group.context);
  }
  ~FabricPort();

  // Of the runs that begin from now on: equal on all ranks, and not that of another communicator with runs under way.
  void set_context(int number) { name_.context = static_cast<std::uint64_t>(number); }

  // As Port and OpeningPort have them.
  void reserve(std::size_t tokens);
  void open(const Reach& reach, std::vector<Opening> openings);
  void begin(std::uint64_t run, const RunMemory& memory);
  void send(Token token, const Message& message);
  void recv(Token token, const Message& message);
  [[nodiscard]] bool test(Token token);
  void wait(Token token) {
    while (!test(token) && !failed()) idle();
  }
  void make_progress();  // for a caller that waits for something else
  // Does not sleep. Valid until the next call.
  [[nodiscard]] std::span<const Token> poll();
  void idle();
  // A FabricError; 0: none.
  [[nodiscard]] int take_error() { return std::exchange(error_, 0); }
  void end();
  void abandon();

  // To whom there was no lane, or who has aborted the run, if that was the error.
  [[nodiscard]] Rank failed_peer() const { return failed_peer_; }

  // It will never end, and others that are in it are to learn of that.
  void cancel(Rank world_rank) { fail(cancelled, world_rank); }

  // With the lock held; throws NoFabric.
  [[nodiscard]] const WritableRegion& open_to_writes(std::byte* data, std::size_t bytes) override;
  [[nodiscard]] void* descriptor(const std::byte* data, int lane) const override;

 private:
  using StreamKey = std::uint64_t;
  [[nodiscard]] static StreamKey key_of(Rank peer, Channel channel) {
    return static_cast<StreamKey>(peer) << 8 | channel;
  }
  template <class End>
  struct Streams {
    std::unordered_map<StreamKey, std::unique_ptr<End>> all;
    std::vector<End*> of_run;
  };

  template <class End>
  [[nodiscard]] End& stream(Streams<End>& streams, Rank peer, Channel channel);
  void begin(Inlet& inlet, std::byte* base);
  void start_send(Token token, const Message& message);
  void grant_all(const Inlet& inlet);
  void note_look();
  [[nodiscard]] MemoryArea output() const { return {memory_.output, reach_.output}; }
  [[nodiscard]] MemoryArea scratch() const { return {memory_.scratch, reach_.scratch}; }
  void register_sources();
  void close_memory();
  void forget_streams();

  Fabric& fabric_;
  const WorldRanks& world_ranks_;
  RunMemory memory_;
  Reach reach_;
  std::vector<Opening> openings_;
  std::vector<Inlet*> opened_;  // by opening
  StreamEnd::Messages messages_;
  Streams<Inlet> inlets_;
  Streams<Outlet> outlets_;
  std::vector<RegisteredMemory> opened_memory_, sources_;  // of this run
  std::vector<Token> polled_;
  int empty_polls_ = 0;
  std::chrono::steady_clock::time_point begun_{};
  std::size_t bytes_to_send_ = 0;  // of this run
  bool was_looked_at_ = false, under_way_ = false;
};

static_assert(OpeningPort<FabricPort>);

}  // namespace espalier
