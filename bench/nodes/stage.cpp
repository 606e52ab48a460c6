// SPDX-License-Identifier: Apache-2.0
#include "stage.hpp"

#include <algorithm>
#include <stdexcept>

#include "../harness/clock.hpp"
#include "../harness/native.hpp"

namespace bench {

namespace {

double median(std::vector<double> numbers) {
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::ranges::nth_element(numbers, middle);
  return *middle;
}

double seconds_of_a_look_at_the_clock() {
  std::vector<double> seconds(1001);
  for (double& each : seconds) {
    const double before = now();
    each = now() - before;
  }
  return median(seconds);
}

// Without calls in which a rank had to leave its processor to somebody else.
double mean_of_undisturbed(const std::vector<double>& seconds) {
  constexpr double many_times = 10, others_turn = 50e-6;
  const double most = std::max(many_times * median(seconds), others_turn);
  double sum = 0;
  int count = 0;
  for (const double each : seconds) {
    if (each > most) continue;
    sum += each;
    ++count;
  }
  return sum / count;
}

}  // namespace

Stage::Stage(MPI_Comm comm, bool is_crowded)
    : comm_(comm),
      position_(position_in(comm)),
      is_crowded_(is_crowded),
      shared_(comm),
      clock_seconds_(seconds_of_a_look_at_the_clock()) {
  if (position_.ranks > most_ranks) {
    throw std::invalid_argument("at most " + std::to_string(most_ranks) + " ranks can be measured");
  }
}

void Stage::barrier() {
  shared_->arrived[static_cast<std::size_t>(position_.rank)].number.store(++barriers_, std::memory_order_release);
  await_all();
}

void Stage::await_all() {
  const auto get_on = [&] {
    int is_there = 0;
    native().Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm_, &is_there, MPI_STATUS_IGNORE);
    yield_processor();
  };
  for (int rank = 0; rank < position_.ranks; ++rank) {
    await(shared_->arrived[static_cast<std::size_t>(rank)].number, barriers_, get_on);
  }
}

double Stage::barrier_seconds() {
  constexpr int calls = 20;
  if (is_crowded_) return median_barrier(3, 1);
  return median_barrier(25, calls);
}

// Of so many times, each of so many barriers.
double Stage::median_barrier(std::size_t times, int calls) {
  std::vector<double> seconds(times);
  barrier();
  for (double& each : seconds) {
    const double start = now();
    for (int i = 0; i < calls; ++i) barrier();
    each = (now() - start) / calls;
  }
  return largest(median(seconds));
}

double Stage::largest(double mine) {
  shared_->times[static_cast<std::size_t>(position_.rank)][0] = mine;
  barrier();
  double found = mine;
  for (int rank = 0; rank < position_.ranks; ++rank) {
    found = std::max(found, shared_->times[static_cast<std::size_t>(rank)][0]);
  }
  barrier();  // it may be overwritten
  return found;
}

double Stage::seconds_of_call(const Times& mine) {
  const std::size_t calls = mine.begins.size();
  auto& shared = shared_->times[static_cast<std::size_t>(position_.rank)];
  std::ranges::copy(mine.begins, shared.begin());
  std::ranges::copy(mine.ends, shared.begin() + most_calls);
  barrier();
  std::vector<double> seconds(calls);
  for (std::size_t call = 0; call < calls; ++call) {
    double begin = shared[call], end = 0;
    for (int rank = 0; rank < position_.ranks; ++rank) {
      const auto& theirs = shared_->times[static_cast<std::size_t>(rank)];
      begin = is_crowded_ ? std::min(begin, theirs[call]) : std::max(begin, theirs[call]);
      end = std::max(end, theirs[most_calls + call]);
    }
    seconds[call] = end - begin;
  }
  barrier();
  return std::max(mean_of_undisturbed(seconds) - clock_seconds_, 1e-9);
}

}  // namespace bench
