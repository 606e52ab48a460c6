// SPDX-License-Identifier: Apache-2.0
// Whether another process is reached, and by which lanes. What is seen goes in, with the time at which it was seen;
// what to think of it comes out. Knows no clock.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "transport/fabric/protocol/link_set.hpp"
#include "transport/fabric/protocol/pulse.hpp"

namespace espalier {

class Health {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  // `patience`: for so long there may be no lane.
  explicit Health(std::chrono::duration<double> patience) : patience_(patience) {}

  // --- What is seen ---

  void begin_epoch() { broken_ = 0; }
  void establish(std::size_t links, TimePoint now);
  void abort() { dark_since_.reset(); }
  void note_handshake(TimePoint now) { shook_hands_at_ = now; }
  // Something has arrived from there.
  void note_received() { has_received_ = true; }
  // Something has arrived there.
  void note_arrival() { dark_since_.reset(); }
  // Something that was under way by that lane has ended with an error.
  void note_broken(int lane, TimePoint now);
  // No lane gets through, in whatever epoch.
  void note_darkness(TimePoint now);

  // --- What to think of it ---

  [[nodiscard]] bool is_dark_for_too_long(TimePoint now) const {
    return dark_since_ && now - *dark_since_ >= patience_;
  }

  struct Watching {
    bool away = false;     // nobody looked for long, so that nothing can be said of that time
    bool expects = false;  // something is to come from there
  };
  // While links are up: those that do not get through. 0: none, as far as can be told by now.
  [[nodiscard]] LaneSet dead_lanes(const LinkSet& links, TimePoint now, const Watching& view);
  // True once in a while: lanes that are missing are to be tried.
  [[nodiscard]] bool wants_ping(TimePoint now);

  // While there is no answer to a handshake: whether it is to be said again.
  [[nodiscard]] bool is_unanswered(TimePoint now) const;
  struct Listeners {
    Pulse pulse = Pulse::none;  // the best one
    bool are_descriptors_used_up = false;
    bool are_of_use = true;  // there are links to offer, and the other process had some
  };
  void note_unanswered(const Listeners& listeners, TimePoint now);

 private:
  // Of a link: since when nothing that is under way there has ended, and when something did.
  struct Quiet {
    TimePoint since, moved;
  };
  void note_movements(const LinkSet& links, TimePoint now, const Watching& view);
  [[nodiscard]] LaneSet silent_lanes(const LinkSet& links, TimePoint now);
  [[nodiscard]] bool is_silent(const Link& link, const Quiet& quiet, TimePoint latest, TimePoint now) const;

  const std::chrono::duration<double> patience_;
  LaneSet broken_ = 0;
  TimePoint broken_since_{}, shook_hands_at_{}, pinged_{};
  TimePoint looked_{};         // for signs of life
  TimePoint expects_since_{};  // something, and has received nothing
  bool has_received_ = false;  // since it was watched last
  std::optional<TimePoint> dark_since_;
  std::vector<Quiet> quiet_;  // by link
};

}  // namespace espalier
