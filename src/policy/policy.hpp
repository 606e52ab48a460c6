// SPDX-License-Identifier: Apache-2.0
// How a decision that changes while a program runs speaks with the ranks that make the calls: before a call it is asked
// for the next step, and takes the result of each.
//
//   driver                                        policy
//     next(17, together)            ------------>
//                                   <------------   SumOverRanks: numbers of this rank
//     take(Sums)                    ------------>   the same numbers are sums now
//     next(17, again)               ------------>
//                                   <------------   RunCalls: this choice, for 4 calls, which are timed
//     call 17;  take(CallEnded)     ------------>   its times; may answer with a report to the root
//     calls 18, 19, 20
//     next(21, together)            ------------>   ...
//
// All ranks must be answered alike: the same steps at the same calls, with equally many numbers, and the same choices.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <variant>

#include "core/choice.hpp"
#include "policy/measured/shared_work.hpp"
#include "policy/story.hpp"

namespace espalier {

// How a call went on a rank. Seconds, by a clock of the rank's.
struct CallTimes {
  double arrived = 0, left = 0;
  double taken = 0;   // without what the ranks exchanged first
  double waited = 0;  // since it arrived, for the first message; 0: it is not known
};

// What a rank reports to the root of a call, or to rank 0. Seconds, by a clock that all ranks have in common.
struct CallReport {
  double arrived = 0;
  double taken = 0;
  double waited = 0;
  double informed = 0;         // how long it took before that to learn of arrangements; on the root: to tell of them
  bool others_follow = false;  // from this rank, sooner or later, until ReportsEnd
};

// Knows when the ranks arrive, and arranges them in trees accordingly.
class Arranger {
 public:
  Arranger() = default;
  Arranger(const Arranger&) = delete;
  Arranger& operator=(const Arranger&) = delete;
  virtual ~Arranger() = default;

  // How long a choice is thought to take in which no rank waits longer than it must for late ones, mean over the ranks;
  // it may be one by arrival. Nothing: it is not known of this one. The same on all ranks.
  [[nodiscard]] virtual std::optional<double> expected_seconds(const Choice& choice) = 0;
};

// How a call comes to be asked for.
enum class Asked : std::uint8_t {
  alone,     // other ranks may be calls away: nothing can be exchanged
  together,  // all ranks are in the call; what was begun before and did not end is void
  again,     // the same, after the result of the step before
};

// Steps.

// A choice for this many calls, from this one on: then the next step is asked for.
struct RunCalls {
  Choice choice;
  std::uint64_t calls = 0;  // 0: permanently
  bool is_timed = false;    // each is followed by CallEnded
};
// Each number becomes the sum of all ranks'; then Sums follows. They stay where they are until then.
struct SumOverRanks {
  std::span<double> numbers;
  SharedWork* work = nullptr;  // to be done first; null: there is none
};
// The root, or rank 0, reads what was reported to it, which comes as NoteReceived; then NotesRead follows. Nobody else
// waits for that.
struct ReadNotes {
  bool waits = false;  // a little for more
};
// Each number becomes the root's; then NumbersOfRoot follows. It waits for nobody else.
struct ReceiveFromRoot {
  std::span<double> numbers;
  Choice broadcast;  // of ours, on which they travel
};
// The ranks were found to decide differently. There is no result; nothing is exchanged any more.
struct Diverged {};

using PolicyExchange = std::variant<SumOverRanks, ReadNotes, ReceiveFromRoot, Diverged>;
using PolicyStep = std::variant<RunCalls, SumOverRanks, ReadNotes, ReceiveFromRoot, Diverged>;

// Results.

struct Sums {};
struct NotesRead {
  bool may_wait = false;  // whether the root still has time to wait for more
};
struct NumbersOfRoot {};
// A call that was to be timed, on this rank alone; of some it is not known.
struct CallEnded {
  std::uint64_t ordinal = 0;
  std::size_t bytes = 0;
  CallTimes times;
};
// Sooner or later, or never; also what the root reports itself.
struct NoteReceived {
  Rank from = 0;
  std::uint64_t ordinal = 0;
  CallReport report;
};
// From this call on, choices by arrival stand for other arrangements. `arranger` outlives the policy.
struct Rearranged {
  std::uint64_t ordinal = 0;
  Arranger* arranger = nullptr;
};
// Ranks that said that reports would follow send the last one: nobody is to expect more. Calls may still come.
struct ReportsEnd {};
// There will be no more calls: what was learnt can be given away.
struct Finished {};

using PolicyResult =
    std::variant<Sums, NotesRead, NumbersOfRoot, CallEnded, NoteReceived, Rearranged, ReportsEnd, Finished>;

class Policy {
 public:
  Policy() = default;
  Policy(const Policy&) = delete;
  Policy& operator=(const Policy&) = delete;
  virtual ~Policy() = default;

  // `ordinal`: how many calls the context had before this one, equal on all ranks as long as no rank makes a call that
  // it alone refuses, for wrong arguments or on allocation failure.
  [[nodiscard]] PolicyStep next(std::uint64_t ordinal, Asked asked) {
    const std::optional<PolicyExchange> first = asked != Asked::alone ? exchange(ordinal, asked) : std::nullopt;
    if (!first) return run(ordinal);
    return std::visit([](const auto& step) -> PolicyStep { return step; }, *first);
  }

  // Both parts of it. What the ranks exchange before a call in which all are together; nothing: it can begin.
  [[nodiscard]] virtual std::optional<PolicyExchange> exchange(std::uint64_t /*ordinal*/, Asked /*asked*/) {
    return std::nullopt;
  }
  [[nodiscard]] virtual RunCalls run(std::uint64_t ordinal) = 0;

  // After CallEnded: what this rank reports of that call, if all ranks do, or if it said before that reports follow.
  // After ReportsEnd: the last one of these.
  virtual std::optional<CallReport> take(const PolicyResult& /*result*/) { return std::nullopt; }

  // After this many calls.
  [[nodiscard]] virtual std::optional<ContextStory> story(std::uint64_t /*calls*/) const { return std::nullopt; }
};

// What is selected for a context: most is so once for all, and costs nothing more.
struct Selection {
  Selection(const Choice& permanent) : choice(permanent) {}
  Selection(std::unique_ptr<Policy> changing) : policy(std::move(changing)) {}

  [[nodiscard]] bool is_permanent() const { return policy == nullptr; }
  // Of its first call.
  [[nodiscard]] Choice first_choice() { return policy != nullptr ? policy->run(0).choice : choice; }

  Choice choice;
  std::unique_ptr<Policy> policy;  // null: the choice is permanent
};

}  // namespace espalier
