// SPDX-License-Identifier: Apache-2.0
#include "shared/failures.hpp"

#include <mpi.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "shared/collective_forms.hpp"
#include "shared/mpi_functions.hpp"

namespace espalier::apps {

namespace {

constexpr std::uint64_t max_lines = 10;

std::atomic<std::uint64_t> failures{0};
char current[4096] = "starting";

int rank() {
  static const int number = [] {
    int me = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    return me;
  }();
  return number;
}

void print(const char* text) { (void)!write(STDERR_FILENO, text, strnlen(text, sizeof current)); }

void report_end(int signal) {
  std::signal(SIGABRT, SIG_DFL);
  print(signal == SIGALRM ? "no progress in: " : "died in: ");
  print(current);
  print("\n");
  std::abort();
}

bool report_ends() {
  for (const int signal : {SIGALRM, SIGSEGV, SIGBUS, SIGFPE, SIGABRT}) std::signal(signal, report_end);
  return true;
}

}  // namespace

void fail(const std::string& what) {
  const std::uint64_t earlier = failures++;
  if (earlier < max_lines) std::fprintf(stderr, "FAILED on rank %d: %s\n", rank(), what.c_str());
  if (earlier == max_lines) std::fprintf(stderr, "rank %d: more failures are only counted\n", rank());
}

std::string text_of_error(int code) {
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(code, text, &length);
  return text;
}

std::uint64_t failures_here() { return failures; }

std::uint64_t failures_of_all() {
  std::uint64_t here = failures, all = 0;
  native_mpi().Allreduce(&here, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

void now_doing(const std::string& what, int seconds) {
  [[maybe_unused]] static const bool are_reported = report_ends();
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
