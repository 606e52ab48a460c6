// SPDX-License-Identifier: Apache-2.0
// Chakra execution traces (MLCommons, schema/protobuf/et_def.proto), as ASTRA-sim and others read them: one file for
// each rank, of messages after their lengths: GlobalMetadata, then a Node for each task.
#pragma once

#include "simulate/export/rank_graph.hpp"
#include "simulate/export/text_sink.hpp"

namespace espalier {

// `graph` has edges of one kind: a trace cannot say that a node has started.
void write_chakra_rank(Rank rank, const RankGraph& graph, std::size_t element_bytes, double arithmetic_bytes_per_second,
                       TextSink& sink);

}  // namespace espalier
