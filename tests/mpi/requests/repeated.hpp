// SPDX-License-Identifier: Apache-2.0
// A persistent call: started again and again, each time with other numbers in its buffers.
#pragma once

#include <vector>

#include "fake/rank_of_job.hpp"

namespace espalier {

enum class Kind : std::uint8_t { bcast, allreduce, allreduce_in_place };
inline constexpr Kind all_kinds[] = {Kind::bcast, Kind::allreduce, Kind::allreduce_in_place};

class Repeated {
 public:
  // Initialised on all ranks alike; freed with this object, if it is not yet.
  Repeated(const fake::RankOfJob& here, Kind kind, int count = 3, MPI_Comm comm = MPI_COMM_WORLD);
  ~Repeated();
  Repeated(const Repeated&) = delete;
  Repeated& operator=(const Repeated&) = delete;

  // Gets the buffers ready for a start of that number.
  void fill(int round);
  void start(int round);
  // Once it is complete.
  void expect_result() const;
  // By MPI_Wait, with success.
  void expect_wait();
  void free();

  MPI_Request request = MPI_REQUEST_NULL;

 private:
  [[nodiscard]] static int value(int round, Rank rank, int k) { return 1000 * round + 100 * rank + k; }
  [[nodiscard]] int sum(int k) const;

  const Kind kind_;
  const int count_;
  const Rank me_, size_;
  int round_ = 0;
  std::vector<int> input_, output_;
};

// What all those tests use.
inline constexpr const char* own_algorithms = "barrier:dissemination;bcast:chain;allreduce:ring";

}  // namespace espalier
