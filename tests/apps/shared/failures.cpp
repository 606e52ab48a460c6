// SPDX-License-Identifier: Apache-2.0
#include "shared/failures.hpp"

#include <mpi.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "shared/mpi_functions.hpp"

namespace espalier::apps {

namespace {

constexpr std::uint64_t max_lines = 10;

std::atomic<std::uint64_t> failures{0};
char current[512] = "starting";

int rank() {
  static const int number = [] {
    int me = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    return me;
  }();
  return number;
}

void report_hang(int) {
  constexpr char start[] = "no progress in: ";
  (void)!write(STDERR_FILENO, start, sizeof start - 1);
  (void)!write(STDERR_FILENO, current, strnlen(current, sizeof current));
  (void)!write(STDERR_FILENO, "\n", 1);
  std::abort();
}

}  // namespace

void fail(const std::string& what) {
  const std::uint64_t earlier = failures++;
  if (earlier < max_lines) std::fprintf(stderr, "FAILED on rank %d: %s\n", rank(), what.c_str());
  if (earlier == max_lines) std::fprintf(stderr, "rank %d: more failures are only counted\n", rank());
}

std::uint64_t failures_here() { return failures; }

std::uint64_t failures_of_all() {
  std::uint64_t here = failures, all = 0;
  native_mpi().allreduce(&here, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

void now_doing(const std::string& what, int seconds) {
  static const auto previous = std::signal(SIGALRM, report_hang);
  (void)previous;
  std::snprintf(current, sizeof current, "rank %d: %s", rank(), what.c_str());
  alarm(static_cast<unsigned>(seconds));
}

int conclude(const std::string& facts) {
  const std::uint64_t all = failures_of_all();
  if (rank() == 0) {
    std::printf("{\"failures\": %llu, %s}\n", static_cast<unsigned long long>(all), facts.c_str());
    std::fflush(stdout);
  }
  alarm(0);
  return all == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace espalier::apps
