// SPDX-License-Identifier: Apache-2.0
// Long messages, copied once by the kernel. What is added goes in pieces that stay in the cache.
#pragma once

#include <vector>

#include "lines.hpp"
#include "other_process.hpp"
#include "work.hpp"

namespace bench {

// Where a rank's data lies; the other one gets it in a line.
struct Places {
  const double* sent;
  double* received;
  const double* mine;
};

// What both forms need.
class KernelCopies {
 protected:
  explicit KernelCopies(MPI_Comm comm);

  void say(const Places& places);
  [[nodiscard]] Places hear();
  void say_done() { say({}); }
  void await_done() { static_cast<void>(hear()); }
  static void keep(const Work& work);
  // result = mine + what the other rank has there; `mine` may be nothing.
  void fetch(double* result, const double* mine, const double* there, std::size_t count);
  // The same, and then it is written to the other rank's `result`. Not to `here` but a scratch if that is nothing.
  void fetch_and_write(double* result, double* here, const double* mine, const double* there, std::size_t count);

  const int rank_;
  const OtherProcess other_;

 private:
  struct Contents {
    FewLines from[2];
  };

  template <class Visit>
  static void each_piece(std::size_t count, Visit visit);

  Shared<Contents> shared_;
  LineWriter<FewLines> writer_;
  LineReader<FewLines> reader_;
  std::vector<double> scratch_;
};

// Each rank reads what it is to get.
class ByReading : KernelCopies {
 public:
  explicit ByReading(MPI_Comm comm) : KernelCopies(comm) {}
  void run(const Work& work);
};

// Both ranks do half of it, where one is to get something, or both the same sum: who has the data writes, too.
class ByHalves : KernelCopies {
 public:
  explicit ByHalves(MPI_Comm comm) : KernelCopies(comm) {}
  void run(const Work& work);

 private:
  void share_the_sum(const Work& work, const Places& theirs);
  void receive(const Work& work, const Places& theirs);
  void send(const Work& work, const Places& theirs);
};

}  // namespace bench
