// SPDX-License-Identifier: Apache-2.0
// What goes to another process in an epoch: records by the first link, in order, and pieces by whichever link is
// through with them first. What does not go now is tried again; what has gone and is not known to have arrived at the
// end of the epoch is the receiver's to ask for again. Knows no network.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "transport/fabric/protocol/link_set.hpp"
#include "transport/fabric/protocol/streams.hpp"
#include "transport/fabric/protocol/turns.hpp"

namespace espalier {

class Sender {
 public:
  // `to`: the other process.
  Sender(LinkSet& links, Turns& turns, Rank to) : links_(links), turns_(turns), to_(to) {}

  // Something did not go that may go now, or is to be sent.
  [[nodiscard]] bool has_pending_work() const { return has_pending_work_; }
  void begin_round() { has_pending_work_ = false; }

  // Streams of runs that begin or end.
  void add(Outlet& outlet) { outlets_.push_back(&outlet); }
  void remove(Outlet& outlet);
  [[nodiscard]] std::span<Outlet* const> outlets() const { return outlets_; }

  // The links over these lanes are up: until end_epoch() the following may be called.
  void begin_epoch(LaneSet lanes) { lanes_ = lanes; }
  // They are closed: nothing is granted any more, and what was under way is unacknowledged.
  void end_epoch();
  void forget_records();

  void send_record(const FabricRecord& record);
  void send_records();

  // Writes what may be written: of one stream, or of all, by turns.
  void write(Outlet& outlet);
  void write_all();
  // What is granted for a stream. Null: it has not begun here.
  [[nodiscard]] Outlet* find(const FabricRecord::Grant& grant) const;
  // Whatever was unacknowledged and is not granted again has arrived.
  void settle_doubts();

  // What is over.
  void finish(Write& write);

 private:
  [[nodiscard]] bool write_next(Outlet& outlet);
  [[nodiscard]] bool has_turn(const Outlet& outlet);
  [[nodiscard]] bool is_nearly_free(const Outlet& outlet) const;
  [[nodiscard]] bool write_by_any(Outlet& outlet, const Granted& granted, const FabricPiece& piece);
  [[nodiscard]] Link* best_link(Path path, std::size_t bytes, const Link* other_than);
  static void settle_doubts(Outlet& outlet);

  LinkSet& links_;
  Turns& turns_;
  const Rank to_;
  LaneSet lanes_ = 0;
  std::vector<Outlet*> outlets_;
  std::vector<FabricRecord> records_;  // to be sent
  std::size_t records_sent_ = 0;
  std::size_t next_link_ = 0, next_outlet_ = 0;  // whose turn it is
  bool has_pending_work_ = false;
};

}  // namespace espalier
