// SPDX-License-Identifier: Apache-2.0
// Jobs in which persistent messages are paired, over the fake MPI: it carries their data in the place of the NICs, and
// a FakePairFabric the words between their ends.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "fake/rank_of_job.hpp"
#include "pairs/fake_pair_fabric.hpp"

namespace espalier {

class PairedRank {
 public:
  explicit PairedRank(fake::RankOfJob& here);
  ~PairedRank();
  PairedRank(const PairedRank&) = delete;
  PairedRank& operator=(const PairedRank&) = delete;

  [[nodiscard]] fake::RankOfJob& job() { return here_; }
  [[nodiscard]] const Native& mpi() const { return here_.mpi(); }
  [[nodiscard]] Rank rank() const { return here_.rank(); }
  [[nodiscard]] Rank size() const { return here_.size(); }
  [[nodiscard]] Rank next() const { return (rank() + 1) % size(); }
  [[nodiscard]] Rank previous() const { return (rank() + size() - 1) % size(); }
  [[nodiscard]] FakePairFabric& fabric() { return *fabric_; }
  void barrier() const { here_.mpi().Barrier(MPI_COMM_WORLD); }
  // Collective.
  [[nodiscard]] MPI_Comm copy_with_pairs();

 private:
  fake::RankOfJob& here_;
  FakePairFabric* fabric_;
};

// Of this many ranks. Errors are returned. At its end nothing remains of requests, messages and datatypes.
void run_paired(Rank size, const std::function<void(PairedRank&)>& body, const Native& native = fake::functions());
// The same where a broken promise may leave messages behind.
void run_broken(Rank size, const std::function<void(PairedRank&)>& body);

inline constexpr int paired_tag = 7, paired_count = 5;

// A persistent message of ints that begins or ends here.
class PairedMessage {
 public:
  PairedMessage(PairSide side, Rank peer, int tag = paired_tag, int count = paired_count,
                MPI_Comm comm = MPI_COMM_WORLD);
  ~PairedMessage();
  PairedMessage(const PairedMessage&) = delete;
  PairedMessage& operator=(const PairedMessage&) = delete;

  [[nodiscard]] bool is_ours() const;
  // With numbers that follow from `value`, if it is sent.
  void fill(int value);
  void start(int value = 1);
  [[nodiscard]] int wait(MPI_Status* status = MPI_STATUS_IGNORE) const;
  // What was received.
  void expect(int value) const;
  void expect_wait(int value = 1) const;
  void free();

  mutable MPI_Request request = MPI_REQUEST_NULL;

 private:
  const PairSide side_;
  std::vector<int> memory_;
};

struct PairedStart {
  Rank rank = no_rank;
  PairSide side = PairSide::sends;
  int tag = 0;
  friend bool operator==(const PairedStart&, const PairedStart&) = default;
};
// Those of rank `rank`'s PairedMessages whose data have begun to move since this was last asked, in that order.
[[nodiscard]] std::vector<PairedStart> take_starts(Rank rank);

// Lets what the MPI is asked to send or receive for PairedMessages of that rank and side fail.
void break_link(Rank rank, PairSide side);
void mend_links();

[[nodiscard]] int class_of(int code);

}  // namespace espalier
