// SPDX-License-Identifier: Apache-2.0
// A communicator with all that was decided and prepared for its calls.
#pragma once

#include "mpi/calls/decisions.hpp"
#include "mpi/calls/recent_calls.hpp"
#include "mpi/calls/staging_memory.hpp"
#include "mpi/communicators/communicator.hpp"

namespace espalier {

class PreparedCommunicator final : public Communicator {
 public:
  PreparedCommunicator(const Job& job, IdPool& ids, const Facts& facts)
      : Communicator(job, ids, facts), prepared(job.settings.cache) {}

  void forget_decisions() override {
    recent.clear();
    prepared.clear();
    decisions.clear();
  }

  RecentCalls recent;
  PreparedCache prepared;
  IdlePrepared idle;
  Decisions decisions;
  StagingMemory staging;
};

[[nodiscard]] inline std::shared_ptr<Communicator> make_prepared_communicator(const Job& job, IdPool& ids,
                                                                              const Communicator::Facts& facts) {
  return std::make_shared<PreparedCommunicator>(job, ids, facts);
}

}  // namespace espalier
