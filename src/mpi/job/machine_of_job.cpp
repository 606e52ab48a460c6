// SPDX-License-Identifier: Apache-2.0
#include "mpi/job/machine_of_job.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>

#include "core/hash.hpp"
#include "core/log.hpp"
#include "core/printable.hpp"
#include "files/input_file.hpp"
#include "mpi/job/job.hpp"
#include "mpi/job/log_about.hpp"
#include "mpi/job/unanimous.hpp"
#include "topology/readers/read_machine.hpp"

namespace espalier {

namespace {

std::string host_name() {
  char name[256] = {};
  gethostname(name, sizeof name - 1);
  return name;
}

void read_into(MachineDescription& description) try {
  const std::string text = read_input_file(description.file);
  description.hash = hash_of_text(text);
  Machine machine = read_machine(text, description.file);
  description.node = machine.node_named(description.host);
  description.machine = std::make_unique<const Machine>(without_what_follows(std::move(machine)));
} catch (const BadDescription& bad) {
  description.error = printable(bad.what());
} catch (const UnreadableFile& bad) {
  description.error = description.shown_file + ": " + bad.what();
  description.hash = hash_of_text(description.error);
}

[[gnu::format(printf, 1, 2)]] void log_topology(const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  char what[4096];
  std::vsnprintf(what, sizeof what, format, arguments);
  log_line("ESPALIER_TOPOLOGY: %s. Continuing without a topology.", what);
  va_end(arguments);
}

// The lowest rank for which `is_so`; the number of ranks if there is none.
int lowest_rank(const Job& job, bool is_so, int& status) {
  const int mine = is_so ? job.world_rank : job.world_size;
  int lowest = mine;
  status = yielding_allreduce(job.mpi, &mine, &lowest, 1, MPI_INT, MPI_MIN, job.traffic);
  return lowest;
}

void log_what_is_wrong(const Job& job, const MachineDescription& description, int first_in_error) {
  if (first_in_error == job.world_size) {
    if (job.world_rank == 0) log_topology("the nodes have different files %s", description.shown_file.c_str());
  } else if (first_in_error == job.world_rank) {
    log_topology("%s (seen on rank %d)", description.error.c_str(), job.world_rank);
  }
}

// False: there is no memory for it.
bool keep_nodes(Job& job, const std::vector<int>& node_of) try {
  job.node_of = RankNumbers(std::span<const int>(node_of));
  return true;
} catch (const std::bad_alloc&) {
  return false;
}

}  // namespace

MachineDescription read_machine_of_job(const std::string& file, int ranks) {
  MachineDescription description{.file = file};
  if (file.empty()) return description;
  description.host = host_name();
  description.shown_file = printable(file);
  description.shown_host = printable(description.host);
  description.node_of.resize(static_cast<std::size_t>(ranks), no_node);
  read_into(description);
  return description;
}

int agree_on_machine(Job& job, MachineDescription& description) noexcept {
  const Native& mpi = job.mpi;
  if (description.file.empty()) {
    log_about(job, Topic::network, Level::info, "not described: ESPALIER_TOPOLOGY is empty");
    return MPI_SUCCESS;
  }
  int status = MPI_SUCCESS;
  const int first_in_error = lowest_rank(job, !description.machine, status);
  if (status != MPI_SUCCESS) return status;
  const bool is_same = is_unanimous(mpi, job.traffic, description.hash);
  if (!is_same || first_in_error < job.world_size) {
    log_what_is_wrong(job, description, first_in_error);
    return MPI_SUCCESS;
  }
  std::vector<int>& node_of = description.node_of;
  status = mpi.Allgather(&description.node, 1, MPI_INT, node_of.data(), 1, MPI_INT, job.traffic);
  if (status != MPI_SUCCESS) return status;
  const auto stranger = std::ranges::find(node_of, no_node);
  if (stranger != node_of.end()) {
    if (stranger - node_of.begin() == job.world_rank) {
      log_topology("%s has no node '%s', on which rank %d runs", description.shown_file.c_str(),
                   description.shown_host.c_str(), job.world_rank);
    }
    return MPI_SUCCESS;
  }
  if (!keep_nodes(job, node_of)) return MPI_ERR_NO_MEM;
  job.machine = std::move(description.machine);
  job.machine_hash = description.hash;
  log_about(job, Topic::network, Level::info, "%zu nodes are described by %s", job.machine->nodes.size(),
            description.shown_file.c_str());
  log_about(job, Topic::network, Level::trace, "this is node %d, %s", description.node, description.shown_host.c_str());
  return MPI_SUCCESS;
}

}  // namespace espalier
