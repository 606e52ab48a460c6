// SPDX-License-Identifier: Apache-2.0
// What a rank has once MPI_Init is over, over the fake MPI: each rank its own, and `context` is that of whose turn it
// is.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "fake/fake_mpi.hpp"
#include "mpi/calls/context.hpp"
#include "mpi/calls/entries.hpp"
#include "mpi/prepared/prepared_communicator.hpp"
#include "select/forced.hpp"

namespace espalier::fake {

// Where what it offers by name is found, too.
extern const EspalierHost host;

// The highest tag of an MPI so poor in tags that a communicator's numbers of calls soon begin again.
inline constexpr int calls_with_few_tags = 8;
inline constexpr int few_tags = calls_with_few_tags * TagLayout::per_call * 4 - 1;

struct JobOptions {
  Native native = functions();
  std::string algorithms;                        // as ESPALIER_ALGORITHM has them
  TuningPolicy policy = TuningPolicy::estimate;  // with as much budget as can be
  std::string report;
  int cache = 64;
  bool fault_tolerant = false;
  int highest_tag = 0x3fffff;
  bool hooks = false;  // into the MPI's progress, for nonblocking calls
};

class RankOfJob {
 public:
  RankOfJob(MPI_Comm traffic, const JobOptions& options);
  ~RankOfJob();
  RankOfJob(const RankOfJob&) = delete;
  RankOfJob& operator=(const RankOfJob&) = delete;

  [[nodiscard]] Context& context() { return context_; }
  [[nodiscard]] Job& job() { return context_.job; }
  [[nodiscard]] const Native& mpi() const { return context_.job.mpi; }
  [[nodiscard]] Rank rank() const { return context_.job.world_rank; }
  [[nodiscard]] Rank size() const { return context_.job.world_size; }

  // Known from now on.
  [[nodiscard]] PreparedCommunicator& communicator(MPI_Comm comm = MPI_COMM_WORLD);
  [[nodiscard]] CallCount calls(Collective collective) const { return context_.communicators.calls(collective); }

 private:
  Context context_;
  const bool hooks_;
};

// Runs a job of this many ranks, each with what it has.
void run_job(Rank size, const JobOptions& options, const std::function<void(RankOfJob&)>& body);

// Ours, in the place of the MPI's function of that name.
template <class Function>
[[nodiscard]] Function* entry_of(const char* name) {
  for (const EspalierEntry* entry = Entries::all(); entry->name != nullptr; ++entry) {
    if (std::strcmp(entry->name, name) == 0) return reinterpret_cast<Function*>(entry->function);
  }
  fail(std::string("no entry for ") + name);
}
#define ESPALIER_ENTRY(name) (::espalier::fake::entry_of<decltype(P##name)>(#name))

}  // namespace espalier::fake
