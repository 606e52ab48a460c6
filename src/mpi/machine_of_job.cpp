// SPDX-License-Identifier: Apache-2.0
#include "mpi/machine_of_job.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

#include "core/hash.hpp"
#include "core/printable.hpp"
#include "mpi/context.hpp"
#include "mpi/unanimous.hpp"
#include "topology/read_machine.hpp"

namespace espalier {

namespace {

struct Description {
  std::unique_ptr<const Machine> machine;
  std::string error;       // why there is none
  std::uint64_t hash = 0;  // of the text, or of the error
};

Description read_description(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  stream.peek();  // a directory opens, but cannot be read
  if (!stream.is_open() || stream.bad()) {
    const std::string error = file + ": " + std::strerror(errno);
    return {.machine = nullptr, .error = error, .hash = hash_of_text(error)};
  }
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  try {
    return {std::make_unique<const Machine>(read_machine(text, file)), {}, hash_of_text(text)};
  } catch (const BadDescription& bad) {
    return {.machine = nullptr, .error = bad.what(), .hash = hash_of_text(text)};
  }
}

void say(const char* reason, const std::string& what) {
  std::fprintf(stderr, "espalier: %s%s. Going on without a topology.\n", reason, printable(what).c_str());
}

std::string host_name() {
  char name[256] = {};
  gethostname(name, sizeof name - 1);
  return name;
}

}  // namespace

int learn_machine() {
  const Native& mpi = context->mpi;
  const std::string& file = context->settings.topology;
  if (file.empty()) return MPI_SUCCESS;
  Description described = read_description(file);
  if (!is_unanimous(mpi, context->traffic, described.hash)) {
    if (context->world_rank == 0) say("ESPALIER_TOPOLOGY: the nodes have different files ", file);
    return MPI_SUCCESS;
  }
  if (!described.machine) {
    if (context->world_rank == 0) say("ESPALIER_TOPOLOGY: ", described.error);
    return MPI_SUCCESS;
  }
  const std::string host = host_name();
  const int mine = described.machine->node_named(host);
  std::vector<int> nodes(context->world_size, no_node);
  const int status = mpi.Allgather(&mine, 1, MPI_INT, nodes.data(), 1, MPI_INT, context->traffic);
  if (status != MPI_SUCCESS) return status;
  const auto stranger = std::ranges::find(nodes, no_node);
  if (stranger != nodes.end()) {
    if (stranger - nodes.begin() == context->world_rank) {
      say("ESPALIER_TOPOLOGY: ",
          file + " has no node '" + host + "', on which rank " + std::to_string(context->world_rank) + " runs");
    }
    return MPI_SUCCESS;
  }
  context->machine = std::move(described.machine);
  context->node_of = std::move(nodes);
  return MPI_SUCCESS;
}

}  // namespace espalier
