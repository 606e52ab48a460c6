// SPDX-License-Identifier: Apache-2.0
#include "mpi/communicators/out_of_step.hpp"

#include <array>
#include <cstdio>
#include <string>

#include "core/hash.hpp"
#include "core/log.hpp"

namespace espalier {

namespace {

using OccasionText = std::array<char, 160>;

OccasionText text_of(const Occasion& occasion) {
  OccasionText text{};
  const auto length_of = [](std::string_view word) { return static_cast<int>(word.size()); };
  if (occasion.collective.empty()) {
    std::snprintf(text.data(), text.size(), "it wants %.*s", length_of(occasion.purpose), occasion.purpose.data());
  } else {
    std::snprintf(text.data(), text.size(), "it makes its call %llu, %.*s, and wants %.*s",
                  static_cast<unsigned long long>(occasion.call), length_of(occasion.collective),
                  occasion.collective.data(), length_of(occasion.purpose), occasion.purpose.data());
  }
  return text;
}

void log_ranks(const Job& job, MPI_Comm comm, const OccasionText& mine, const std::string& theirs) {
  log_line("rank %d of MPI_COMM_WORLD is out of step on %s: %s; %s", job.world_rank,
           text_of_communicator(job.mpi, comm).c_str(), mine.data(), theirs.c_str());
}

// By the first rank that differs from rank 0.
void log_once(const Job& job, MPI_Comm comm, const Occasion& mine) {
  const Native& mpi = job.mpi;
  int me = 0;
  mpi.Comm_rank(comm, &me);
  const OccasionText here = text_of(mine);
  OccasionText at_first = here;
  if (mpi.Bcast(at_first.data(), static_cast<int>(at_first.size()), MPI_CHAR, 0, comm) != MPI_SUCCESS) return;
  constexpr int nobody = 1 << 30;
  const int differs = here == at_first ? nobody : me;
  int first = nobody;
  if (mpi.Allreduce(&differs, &first, 1, MPI_INT, MPI_MIN, comm) != MPI_SUCCESS || first != me) return;
  log_ranks(job, comm, here, std::string("of rank 0 there: ") + at_first.data());
}

}  // namespace

std::uint64_t Occasion::hash() const {
  return hash_of_number(call, hash_of_text(collective, hash_of_text(purpose, hash_of_nothing)));
}

std::string text_of_communicator(const Native& mpi, MPI_Comm comm) {
  std::array<char, MPI_MAX_OBJECT_NAME + 1> name{};
  int length = 0, size = 0;
  if (mpi.Comm_get_name(comm, name.data(), &length) != MPI_SUCCESS) name = {};
  mpi.Comm_size(comm, &size);
  const std::string ranks = "a communicator of " + std::to_string(size) + " ranks";
  return name[0] == '\0' ? ranks : std::string(name.data()) + ", " + ranks;
}

int raise_out_of_step(const Job& job, MPI_Comm comm, const Occasion& mine, bool all_are_here) {
  if (all_are_here) {
    log_once(job, comm, mine);
  } else {
    log_ranks(job, comm, text_of(mine), "others make a call that has nothing to do with it");
  }
  job.mpi.Comm_call_errhandler(comm, MPI_ERR_INTERN);
  return MPI_ERR_INTERN;
}

}  // namespace espalier
