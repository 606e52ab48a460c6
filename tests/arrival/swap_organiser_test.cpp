// SPDX-License-Identifier: Apache-2.0
#include "arrival/swap_organiser.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <numeric>
#include <random>

#include "arrival/trees.hpp"
#include "arrival/wave/wave.hpp"

namespace espalier::arrival {

namespace {

constexpr Transfer one_by_one{.seconds = 1, .busy_seconds = 1, .sending = Sending::blocking};

// Broadcasts to ranks of whom each arrives at its time; the root reads reports that many broadcasts later.
class LaggingJob {
 public:
  LaggingJob(const PlaceTree& tree, std::vector<double> arrivals, int lag)
      : tree_(tree),
        arrivals_(std::move(arrivals)),
        lag_(lag),
        organiser_(tree),
        profiles_(arrivals_.size(), Profile(ProfileSettings{})) {}

  // A broadcast, and what is exchanged after it. Returns that.
  std::optional<RankSwap> broadcast() {
    std::vector<double>& waits = reports_.emplace_back();
    for (std::size_t rank = 0; const double waited : waits_now()) {
      profiles_[rank].note(waited);
      waits.push_back(profiles_[rank].news().value_or(-1));
      ++rank;
    }
    if (--until_look_ > 0) return std::nullopt;
    for (; reports_.size() >= static_cast<std::size_t>(lag_); reports_.pop_front()) read(reports_.front());
    const auto exchanged = organiser_.look();
    until_look_ = organiser_.period();
    if (exchanged) std::ranges::for_each(profiles_, &Profile::restart);
    return exchanged;
  }

  [[nodiscard]] double sum_of_waits() const {
    const std::vector<double> waits = waits_now();
    return std::accumulate(waits.begin(), waits.end(), 0.0);
  }

 private:
  [[nodiscard]] std::vector<double> waits_now() const {
    return play(tree_, organiser_.arrangement(), arrivals_, one_by_one).waited;
  }
  void read(const std::vector<double>& reports) {
    for (Rank rank = 0; rank < tree_.size(); ++rank) {
      const double waits = reports[static_cast<std::size_t>(rank)];
      if (waits >= 0) organiser_.receive(rank, waits);
    }
  }

  const PlaceTree& tree_;
  const std::vector<double> arrivals_;
  const int lag_;
  SwapOrganiser organiser_;
  std::vector<Profile> profiles_;
  std::deque<std::vector<double>> reports_;  // on their way; less than 0: none
  int until_look_ = 1;
};

}  // namespace

// Of what an exchange does, reports of broadcasts before it say nothing.
TEST(SwapOrganiser, a_good_exchange_is_never_undone_and_a_bad_one_always) {
  std::mt19937 random(5);
  const PlaceTree tree = knomial(16);
  for (int pattern = 0; pattern < 200; ++pattern) {
    std::vector<double> arrivals(16);
    for (double& arrival : arrivals) arrival = static_cast<double>(random() % 100) / 10;
    for (const int lag : {1, 2}) {
      LaggingJob job(tree, arrivals, lag);
      double before = job.sum_of_waits();
      bool is_tried = false;
      for (int i = 0; i < 100; ++i) {
        const double sum = job.sum_of_waits();
        const auto exchanged = job.broadcast();
        if (!exchanged) continue;
        EXPECT_EQ(exchanged->is_undone, is_tried && sum > before + 1e-6) << "pattern " << pattern << ", lag " << lag;
        is_tried = !exchanged->is_undone;
        before = sum;
      }
    }
  }
}

TEST(SwapOrganiser, counts_what_others_report) {
  const PlaceTree tree = knomial(4);
  SwapOrganiser organiser(tree);
  for (const Rank rank : {0, 1, 2, 77}) organiser.receive(rank, 1);
  EXPECT_EQ(organiser.reports(), 2U);
}

TEST(SwapOrganiser, looks_again_once_an_exchange_has_settled) {
  const PlaceTree tree = knomial(4);
  SwapOrganiser organiser(tree);
  EXPECT_EQ(organiser.period(), 1);
  organiser.receive(1, 5);
  EXPECT_TRUE(organiser.look());
  EXPECT_EQ(organiser.period(), 3);
}

}  // namespace espalier::arrival
