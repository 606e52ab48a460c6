// SPDX-License-Identifier: Apache-2.0
// A communicator with all that was decided and prepared for its calls.
#pragma once

#include <atomic>

#include "mpi/call/staging_memory.hpp"
#include "mpi/communicators/communicator.hpp"
#include "mpi/prepared/decisions.hpp"
#include "mpi/prepared/repeated_call.hpp"
#include "policy/overlap.hpp"

namespace espalier {

struct NeighbourMeeting;

class PreparedCommunicator final : public Communicator {
 public:
  PreparedCommunicator(const Job& job, IdPool& ids, const Facts& facts)
      : Communicator(job, ids, facts), prepared(job.settings.cache), decisions({&endpoint().notes, facts.rank}) {}

  void read(const Note& note) noexcept override { decisions.read(note); }
  void forget_prepared() override {
    recent.clear();
    prepared.clear();
    repeated.clear();
    ++generation;
  }
  // Some calls with a root were native as long as the ranks had not met. And a rank may have made one that its MPI
  // refused, or that no other one made: from here on all count them alike. (In others all take part.)
  void begin_together() override {
    forget_prepared();
    for (const Collective collective : all_collectives) {
      if (!depends_on_all(collective)) first_calls(collective) = 0;
    }
  }
  void forget_decisions() override {
    forget_prepared();
    decisions.clear();
  }
  void end_reports() noexcept override { decisions.end_reports(); }
  void finish_decisions() noexcept override { decisions.finish(); }
  [[nodiscard]] std::vector<MeasuredStory> stories() const override { return decisions.stories(); }

  // Short calls, as first_calls.hpp has it.
  [[nodiscard]] std::uint64_t& first_calls(Collective collective) {
    return first_calls_[static_cast<std::size_t>(collective)];
  }

  // Calls in which ranks may be far ahead of each other would be ours, if the ranks had joined.
  bool wants_to_join = false;
  RecentCalls recent;
  PreparedCache prepared;
  Decisions decisions;
  // Behind requests several runs of a kind may be under way at once: each has what it needs for itself, and leaves it.
  Idle<Prepared> idle;
  Idle<RepeatedCall> repeated;
  std::atomic<std::uint64_t> generation = 0;  // of what was decided
  StagingMemory staging;
  // What its ranks have agreed on for exchanges with neighbours (mpi/neighbours/meeting.hpp), or why those are the
  // native MPI's. Neither (null): they have not met yet.
  std::shared_ptr<const NeighbourMeeting> neighbours;
  const char* neighbours_refused = nullptr;

 private:
  std::array<std::uint64_t, std::size(all_collectives)> first_calls_{};
};

[[nodiscard]] inline std::shared_ptr<Communicator> make_prepared_communicator(const Job& job, IdPool& ids,
                                                                              const Communicator::Facts& facts) {
  return std::make_shared<PreparedCommunicator>(job, ids, facts);
}

}  // namespace espalier
