// SPDX-License-Identifier: Apache-2.0
#include "scale/measure.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <system_error>

namespace espalier {

namespace {

constexpr rlim_t most_memory = rlim_t{4} << 30;

[[noreturn]] void measure_and_tell(const std::function<StepCost()>& measure, int seconds_at_most, int to) {
  const rlimit memory{most_memory, most_memory};
  setrlimit(RLIMIT_AS, &memory);
  alarm(static_cast<unsigned>(seconds_at_most));
  try {
    const StepCost cost = measure();
    if (write(to, &cost, sizeof cost) == sizeof cost) _exit(0);
  } catch (const std::bad_alloc&) {
  }
  _exit(1);
}

}  // namespace

std::optional<StepCost> cost_elsewhere(const std::function<StepCost()>& measure, int seconds_at_most) {
  int ends[2];
  std::fflush(stdout);
  if (pipe(ends) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  const pid_t child = fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (child == 0) measure_and_tell(measure, seconds_at_most, ends[1]);
  close(ends[1]);
  StepCost cost;
  const bool is_told = read(ends[0], &cost, sizeof cost) == sizeof cost;
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return is_told ? std::optional(cost) : std::nullopt;
}

}  // namespace espalier
