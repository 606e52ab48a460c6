// SPDX-License-Identifier: Apache-2.0
// What all communicators of the job share. It is filled in at MPI_Init, by all ranks together, and does not change
// afterwards but for the settings, which espalier_force() may replace on all ranks.
#pragma once

#include <memory>
#include <vector>

#include "core/rank_numbers.hpp"
#include "memory/directory.hpp"
#include "mpi/types/datatypes.hpp"
#include "preload/backend.h"
#include "report/call_sites.hpp"
#include "report/statistics.hpp"
#include "settings/settings.hpp"
#include "topology/machine.hpp"
#include "topology/network.hpp"
#include "topology/ranks_in_node.hpp"
#include "transport/mpi/make_progress.hpp"

namespace espalier {

class Fabric;      // transport/fabric
class Segment;     // transport/shm
class ShmNode;     // transport/shm
class PairFabric;  // pair_fabric.hpp

struct Job {
  Job(const EspalierHost& mpi_host, const Native& native);
  ~Job();

  const EspalierHost& host;
  const Native mpi;
  Settings settings;
  Rank world_rank = 0;
  Rank world_size = 1;

  MPI_Comm traffic = MPI_COMM_NULL;  // all ranks of the world; carries all messages of ours
  MPI_Group world_group = MPI_GROUP_NULL;
  TagLayout tags;  // of all our traffic

  // What is known of the machine, and each rank's node in it; null: nothing.
  std::unique_ptr<const Machine> machine;
  RankNumbers node_of;
  // Whether a memory wants to know where ranks run: then a number for each rank's node, in which only equal and unequal
  // count.
  bool remembers = false;
  bool has_laws = false;  // the user has pinned something there
  MemoryPlaces memory_places;
  RankNumbers host_of;
  std::uint64_t machine_hash = 0;  // of its description
  std::string mpi_text;            // what the MPI library says of itself
  int cores = 1;                   // of the first node
  bool is_first_of_host = false;   // this rank, of those that share its memory
  NicUse nic_use = NicUse::one;    // of this MPI, if long messages are acknowledged (transport/mpi)

  std::unique_ptr<Fabric> fabric;           // null: all messages of ours go by the MPI
  std::unique_ptr<PairFabric> pair_fabric;  // the same for paired messages; null: there are none
  Transports transports = Transports::mpi;
  bool hosts_talk_by_mpi = false;  // what stays inside of a host does so nevertheless

  // Memory that the ranks of this node share; null: there is none, and all messages inside it go by the MPI.
  std::unique_ptr<Segment> segment;
  std::unique_ptr<ShmNode> node;
  RanksInNode processes;

  bool is_one_node = false;  // it has that, and no rank is elsewhere

  bool fault_tolerant = false;  // the MPI goes on when processes die (ULFM)
  bool crowded = false;         // there are more ranks than cores on this node
  bool is_open_mpi = false;     // which arguments the MPI refuses depends on it
  ContiguityCheck contiguity;

  Clock::time_point began;             // for the report
  double processor_wait_at_begin = 0;  // seconds (report/history/job_history.hpp)
  const std::unique_ptr<CollectiveTotals> totals = std::make_unique<CollectiveTotals>();
  std::unique_ptr<CallSites> sites;  // null: nobody wants to know
  [[nodiscard]] bool reports() const { return settings.reports(); }

  void make_progress() const { espalier::make_progress(mpi, traffic); }
};

}  // namespace espalier
