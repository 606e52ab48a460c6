// SPDX-License-Identifier: Apache-2.0
// Another process, and all that is between the two: a session (which epoch they are in), grants (who may write where),
// a sender (what goes there), and a watch over its health. Here they meet, and the network behind a gateway. A user of
// it holds the fabric's lock.
//
// When a lane fails, the two begin an epoch without it. Each closes its endpoints for the other one first, so that
// nothing of before can arrive later; then receivers grant again what has not arrived, and senders write that again.
#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "core/clock.hpp"
#include "transport/fabric/protocol/failed_runs.hpp"
#include "transport/fabric/protocol/gateway.hpp"
#include "transport/fabric/protocol/grants.hpp"
#include "transport/fabric/protocol/health.hpp"
#include "transport/fabric/protocol/lane_set.hpp"
#include "transport/fabric/protocol/link_set.hpp"
#include "transport/fabric/protocol/sender.hpp"
#include "transport/fabric/protocol/session.hpp"

namespace espalier {

class Peer {
 public:
  struct PeerOptions {
    Rank me = 0, rank = 0;  // the other process's
    int lanes = 1;          // that the two have in common
    Distance distance;
    HashKey secret{};                                // of the job
    std::chrono::duration<double> lane_timeout{60};  // for so long there may be no lane
  };

  Peer(const PeerOptions& options, std::unique_ptr<Gateway> gateway, Turns& turns);
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  [[nodiscard]] Rank rank() const { return options_.rank; }
  [[nodiscard]] const Session& session() const { return session_; }

  // Streams of runs that begin or end. To add one shakes hands with the other process, if that was not done.
  void add(Inlet& inlet);
  void add(Outlet& outlet);
  void remove(Inlet& inlet) { std::erase(inlets_, &inlet); }
  void remove(Outlet& outlet) { sender_.remove(outlet); }
  // After remove() in the middle of a run: nothing of that run arrives here from now on, and nothing is read here.
  void fence() noexcept;
  // Before that, if the run failed: the other process is told, whose part of it then fails, too.
  void send_abort(const RunName& run) { aborted_here_.add(run); }

  // Gets there, or does not, if an epoch ends meanwhile.
  void send_word(const FabricWord& word);

  // Before they are up, nothing is granted: then all is.
  [[nodiscard]] bool is_up() const { return session_.is_up(); }
  // Memory for pieces of a stream: from now on they may arrive there.
  void grant(const Inlet& inlet, std::uint64_t first_piece, std::uint64_t pieces, std::byte* data, std::size_t bytes);
  // Sends what is to be reported, before anything else gets into the NICs' queues.
  void send_grants() noexcept;
  // Writes what may be written.
  void write(Outlet& outlet) {
    if (is_up()) sender_.write(outlet);
  }
  // Goes on with what it could not do before: where it has pending work, that may be possible now.
  void go_on() noexcept;
  [[nodiscard]] bool has_pending_work() const { return has_pending_work_ || sender_.has_pending_work(); }

  // What came from the other process, or from the network.
  void receive_handshake(const Handshake& handshake);
  void take(RecordMessage& received, std::size_t bytes);
  void note_piece_received() { health_.note_received(); }
  void finish(Write& write, int error);
  void finish(RecordMessage& sent, int error);
  void finish_handshake(int lane, Handshake::Kind kind, int error);

  // From time to time, while somebody waits: whether lanes work. `away`: the process was busy elsewhere before.
  void watch(Clock::time_point now, bool away) noexcept;

 private:
  // After an action of the session's.
  void follow(Session::Action action);
  void open_epoch();
  void close_links();
  void shake_hands();
  void shake_hands_at(int lane, const Handshake& handshake);
  [[nodiscard]] Handshake handshake() const;
  void repeat_handshake();
  void answer(const Handshake& theirs);
  [[nodiscard]] Session::Action join(const Handshake& theirs);
  void establish();
  void grant_again(const Inlet& inlet);

  void take(const FabricRecord& record);
  void take_grant(const FabricRecord& record);
  void take_abort(const RunName& run);
  void note_broken(const Link& link);

  void watch_links(Clock::time_point now, bool away);
  void watch_handshake(Clock::time_point now);
  [[nodiscard]] Pulse pulse_of_listeners() const;
  void look_for_missing_lanes(Clock::time_point now);
  void abort(FabricError lack) noexcept;
  void abort_in_darkness() noexcept;
  void try_to_go_on();

  const PeerOptions options_;
  const std::unique_ptr<Gateway> gateway_;
  LinkSet links_;
  Session session_;
  Grants grants_;
  Sender sender_;
  Health health_;
  std::vector<Inlet*> inlets_;
  FailedRuns aborted_here_, aborted_there_;
  bool has_pending_work_ = false;
  bool is_idle_ = true;  // when it was watched last
};

}  // namespace espalier
