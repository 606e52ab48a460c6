// SPDX-License-Identifier: Apache-2.0
// GOAL, the schedules that LogGOPSim and ATLAHS play (Hoefler, Siebert, Lumsdaine: Group Operation Assembly Language,
// ICPP 2009), as their txt2bin reads it:
//
//    num_ranks 2
//    rank 0 {
//    l0: send 1024b to 1 tag 0 cpu 0 nic 0
//    l1: calc 100 cpu 0                         in nanoseconds
//    l1 requires l0                             starts after it has finished; irequires: after it has started
//    }
//
// All is on CPU 0: LogGOPSim knows when a task may start by the times of the CPU that its predecessors were on.
#pragma once

#include "simulate/export/rank_graph.hpp"
#include "simulate/export/text_sink.hpp"

namespace espalier {

void write_goal_head(Rank ranks, TextSink& sink);
// `graph` has edges of both kinds.
void write_goal_rank(Rank rank, const RankGraph& graph, double arithmetic_bytes_per_second, TextSink& sink);

}  // namespace espalier
