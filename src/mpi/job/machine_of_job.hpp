// SPDX-License-Identifier: Apache-2.0
// What the job knows of the machine that it runs on.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "topology/machine.hpp"

namespace espalier {

struct Job;  // job.hpp

// What one rank makes of ESPALIER_TOPOLOGY.
struct MachineDescription {
  std::string file;                        // empty: the setting is not there
  std::unique_ptr<const Machine> machine;  // null: there is none, and `error` says why
  std::string error;
  std::uint64_t hash = 0;  // of the text, or of the error
  std::string host;
  std::string shown_file, shown_host;  // for messages
  int node = no_node;                  // the one that this rank runs on
  std::vector<int> node_of;            // of each rank: room for the answers
};

// Local. Throws on allocation failure only: a description that cannot be read is an answer, too.
[[nodiscard]] MachineDescription read_machine_of_job(const std::string& file, int ranks);

// Puts it into the job, if all ranks have the same and know their nodes. Collective over the job's traffic
// communicator; all ranks learn the same. A description that cannot be read on some rank, or that contradicts
// the job, is said once, and then nothing is known. Returns an MPI code.
[[nodiscard]] int agree_on_machine(Job& job, MachineDescription& description) noexcept;

}  // namespace espalier
