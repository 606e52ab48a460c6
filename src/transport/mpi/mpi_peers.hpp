// SPDX-License-Identifier: Apache-2.0
// How the messages of one application communicator travel.
#pragma once

#include "core/rank_numbers.hpp"
#include "core/world_ranks.hpp"
#include "native/native.hpp"
#include "transport/mpi/tags.hpp"

namespace espalier {

class Fabric;       // transport/fabric
class RanksInNode;  // topology
class ShmNode;      // transport/shm

struct MpiPeers {
  const Native* mpi = nullptr;
  MPI_Comm application = MPI_COMM_NULL;
  MPI_Comm traffic = MPI_COMM_NULL;  // all ranks of MPI_COMM_WORLD; returns errors
  TagLayout tags;
  int first_tag = 0;  // of the communicator's block
  WorldRanks world_ranks;
  Rank me = 0;
  Rank size = 1;
  bool crowded = false;         // ranks outnumber cores here: a caller that waits yields soon
  bool fault_tolerant = false;  // the MPI goes on when processes die (ULFM)
  // Long messages are sent in synchronous mode. Open MPI's messages to one peer take its NICs in turn, but a standard
  // send takes two turns at once (one for an attempt to send it inline, which is only for short ones; see
  // pml_ob1_isend.c), so that with two NICs all of them go over the same one. A synchronous send takes one turn.
  bool acknowledged = false;
  // A rank that waits so long for one that is past the call is out of step. What was sent before may take a while: it
  // lies in the sender's socket when the next call begins, which may go over another link.
  double seconds_out_of_step = 60;
  Fabric* fabric = nullptr;  // null: there is none
  // Numbers of hosts, by rank of MPI_COMM_WORLD: what stays inside of one goes by the MPI. Null: nothing does.
  const RankNumbers* host_of = nullptr;
  // Memory that the ranks of this node share, and their numbers there. Null: there is none.
  ShmNode* node = nullptr;
  const RanksInNode* processes = nullptr;
};

}  // namespace espalier
