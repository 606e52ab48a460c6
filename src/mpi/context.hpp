// SPDX-License-Identifier: Apache-2.0
// The one global state of the library.
#pragma once

#include <atomic>
#include <memory>

#include "mpi/communicators.hpp"
#include "mpi/datatypes.hpp"
#include "preload/backend.h"
#include "select/selector.hpp"
#include "topology/machine.hpp"
#include "topology/network.hpp"

namespace espalier {

struct Context {
  Context(const EspalierHost& mpi_host, const Native& native) : host(mpi_host), mpi(native), contiguity(mpi) {}

  const EspalierHost& host;
  const Native mpi;

  // Whether calls are looked at at all: between MPI_Init and MPI_Finalize, if the ranks agreed. Everything below is
  // valid then, and does not change but by espalier_force().
  std::atomic<bool> active{false};

  Settings settings;
  std::unique_ptr<const Selector> selector;
  MPI_Comm traffic = MPI_COMM_NULL;  // all ranks of the world; carries all messages of ours
  MPI_Group world_group = MPI_GROUP_NULL;
  Rank world_rank = 0;
  Rank world_size = 1;
  // What is known of the machine, and each rank's node in it; null: nothing.
  std::unique_ptr<const Machine> machine;
  std::vector<int> node_of;
  TagLayout tags;                  // of all our traffic
  bool fault_tolerant = false;     // the MPI goes on when processes die (ULFM)
  bool crowded = false;            // there are more ranks than cores on this node
  bool tolerates_aliases = false;  // this MPI accepts that input and output are the same buffer
  NicUse nic_use = NicUse::one;    // of this MPI, if long messages are acknowledged (transport/mpi)
  IdPool ids;
  Communicators communicators;
  ContiguityCheck contiguity;

  [[nodiscard]] bool reports() const { return !settings.report.empty(); }
};

// Made when the library is opened, and never destroyed: programs call MPI from exit handlers too.
extern constinit Context* context;

}  // namespace espalier
