// SPDX-License-Identifier: Apache-2.0
// Another process, and all that is between the two: the links of the present epoch (wire/wire.hpp), and the streams of
// runs under way. Whoever uses it holds the fabric's lock.
//
// When a lane fails, the two begin an epoch without it. Each closes its endpoints for the other one first, so that
// nothing of before can arrive later; then receivers grant again what has not arrived, and senders write that again.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "transport/fabric/lanes/tcp_connections.hpp"
#include "transport/fabric/link.hpp"
#include "transport/fabric/streams.hpp"

namespace espalier {

class Fabric;
enum FabricError : int;

class Peer {
 public:
  using Clock = std::chrono::steady_clock;

  Peer(Fabric& fabric, Rank rank, const Card& card, Distance distance);
  ~Peer();
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  [[nodiscard]] Rank rank() const { return rank_; }

  // Streams of runs that begin or end. To add one greets the other process, if that was not done.
  void add(Inlet& inlet);
  void add(Outlet& outlet, const RunName& run);
  void remove(Inlet& inlet) { std::erase(inlets_, &inlet); }
  void remove(Outlet& outlet);
  // After remove() in the middle of a run: nothing of that run arrives here from now on, and nothing is read here.
  void keep_out() noexcept;
  // Before that, if the run failed: the other process is told, whose part of it then fails, too.
  void say_given_up(const RunName& run) { given_up_here_.add(run); }

  // Gets there, or does not, if an epoch ends meanwhile.
  void say(const FabricWord& word);

  // Memory for pieces of a stream: from now on they may arrive there.
  void grant(const Inlet& inlet, std::uint64_t first_piece, std::uint64_t pieces, std::byte* data, std::size_t bytes);
  // Sends what is to be told, before anything else gets into the NICs' queues.
  void send_grants() noexcept;
  // Writes what may be written.
  void write(Outlet& outlet);
  // Goes on with what it could not do before: where it is restless, that may be possible now.
  void go_on() noexcept;
  [[nodiscard]] bool is_restless() const { return is_restless_; }

  // What came from the other process, or from libfabric.
  void hear(const Greeting& greeting);
  void take(RecordMessage& received, std::size_t bytes);
  void note_piece_received() { has_received_ = true; }
  void finish(Write& write, int error);
  void finish(RecordMessage& sent, int error);
  void finish_greeting(int lane, Greeting::Kind kind, int error);

  // From time to time, while somebody waits: whether lanes work. `away`: the process was busy elsewhere before.
  void watch(Clock::time_point now, bool away) noexcept;

 private:
  enum class State : std::uint8_t { unknown, greeting, up };

  // Of a link: since when nothing that is under way there has come to an end, and when something did.
  struct Quiet {
    Clock::time_point since, moved;
  };

  [[nodiscard]] LaneSet all_lanes() const { return static_cast<LaneSet>((1U << lane_count_) - 1); }
  void begin_epoch(std::uint32_t epoch, LaneSet lanes);
  void close_links();
  void end_connections();
  void open_links();
  void open_links(Lane& lane);
  void greet(bool wants_answer);
  void greet_at(int lane, const Greeting& greeting);
  [[nodiscard]] Greeting greeting(bool wants_answer) const;
  void answer(const Greeting& theirs);
  void come_up(const Greeting& theirs);
  [[nodiscard]] bool connect(const Greeting& theirs);
  void grant_again(const Inlet& inlet);

  void tell(const FabricRecord& record);
  void tell_region(const RegisteredMemory& region);
  [[nodiscard]] bool send_records();
  void take(const FabricRecord& record);
  void take_grant(const FabricRecord& record);
  void take_given_up(const RunName& run);
  void settle_doubts(Outlet& outlet);
  [[nodiscard]] Link* best_link(Path path, std::size_t bytes, const Link* other_than);
  [[nodiscard]] bool write_by_any(Outlet& outlet, const Granted& granted, const FabricPiece& piece);
  [[nodiscard]] bool is_nearly_free(const Outlet& outlet) const;
  [[nodiscard]] bool has_turn(const Outlet& outlet);
  [[nodiscard]] bool write_next(Outlet& outlet);
  void note_arrival(Outlet& outlet, std::uint64_t piece);
  void note_broken(const Link& link);

  void watch_links(Clock::time_point now, bool away);
  void watch_greeting(Clock::time_point now);
  [[nodiscard]] Pulse pulse_of_doors() const;
  void note_greeting_is_vain(Clock::time_point now);
  void note_darkness(Clock::time_point now);
  [[nodiscard]] bool is_dark_for_too_long(Clock::time_point now) const;
  void look_for_missing_lanes(Clock::time_point now);
  [[nodiscard]] LaneSet silent_lanes(Clock::time_point now);
  void go_without(LaneSet dead);
  void give_up(FabricError lack) noexcept;
  void give_up_in_darkness() noexcept;
  void try_to_go_on();

  Fabric& fabric_;
  const Rank rank_;
  const int lane_count_;
  const Distance distance_;
  std::array<EndpointName, max_lanes> doors_;
  std::array<fi_addr_t, max_lanes> door_addresses_;
  LaneSet greeting_under_way_ = 0, greeting_unsent_ = 0;
  const Seal greetings_;
  std::uint64_t greetings_sent_ = 0;

  State state_ = State::unknown;
  std::uint32_t epoch_ = 0;
  LaneSet lanes_ = 0;        // wanted in this epoch
  LaneSet broken_ = 0;       // of which libfabric said so
  LaneSet found_lanes_ = 0;  // that are missing, and work again
  Clock::time_point broken_since_{}, greeted_{}, pinged_{};
  Clock::time_point looked_{};                   // for signs of life
  std::optional<Clock::time_point> dark_since_;  // no lane gets through, in whatever epoch
  bool are_apart_ = false;                       // the two have no lane in common in this epoch
  std::vector<std::unique_ptr<Link>> links_;     // in the order of their lanes; the first one carries records
  std::vector<Quiet> quiet_;                     // by link
  Clock::time_point expects_since_{};            // something, and has received nothing
  bool has_received_ = false;                    // since it was watched last
  std::size_t next_link_ = 0, next_outlet_ = 0;  // whose turn it is
  // Since then no epoch had a lane in common.

  std::optional<Greeting> heard_;
  std::vector<Inlet*> inlets_;
  std::vector<Outlet*> outlets_;
  std::vector<FabricRecord> records_;  // to be sent
  std::size_t records_sent_ = 0;
  bool is_restless_ = false;
  bool is_idle_ = true;  // when it was watched last

  // Of the other process in this epoch: the regions that it told of, and what it granted for runs that have not begun
  // here.
  static constexpr std::size_t max_regions = 16;
  struct RemoteRegion {
    std::uint32_t id = 0;
    FabricRecord::Where where{};
  };
  std::array<RemoteRegion, max_regions> their_regions_{};
  std::array<std::uint32_t, max_regions> told_regions_{};  // of ours
  struct Early {
    RunName run{};
    std::uint32_t channel = 0;
    Granted granted;
  };
  std::vector<Early> early_;

  // Runs that failed, the latest ones: said again in each epoch, as nobody knows whether it was heard in the last one.
  class FewRuns {
   public:
    void add(const RunName& run) { runs_[added_++ % runs_.size()] = run; }
    [[nodiscard]] bool has(const RunName& run) const { return std::ranges::count(all(), run) > 0; }
    [[nodiscard]] std::span<const RunName> all() const {
      return std::span(runs_).first(std::min(added_, runs_.size()));
    }

   private:
    std::array<RunName, 8> runs_{};
    std::size_t added_ = 0;
  };
  FewRuns given_up_here_, given_up_there_;
};

}  // namespace espalier
