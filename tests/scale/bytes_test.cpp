// SPDX-License-Identifier: Apache-2.0
// What a rank keeps must not grow with the job, but for what is kept once for each node of the machine.
#include <gtest/gtest.h>

#include <memory>

#include "algorithms/plan.hpp"
#include "algorithms/unfit.hpp"
#include "policy/selection/selector.hpp"
#include "scale/counted_memory.hpp"
#include "scale/jobs.hpp"
#include "select/alternatives.hpp"
#include "select/network_choice.hpp"
#include "topology/network.hpp"
#include "topology/readers/read_machine.hpp"

namespace espalier {
namespace {

// The bytes that are kept for what this makes.
template <class Make>
std::size_t kept_by(const Make& make) {
  const std::size_t before = counted_memory().kept;
  const auto made = make();
  return counted_memory().kept - before;
}

// All with the smallest number of ranks or more, up to 9,216: larger ones take longer, and tell nothing new.
std::vector<ScaledJob> jobs() {
  std::vector<ScaledJob> all = scaled_jobs();
  std::erase_if(all, [](const ScaledJob& job) { return job.ranks > 9216 || job.ranks < 1024; });
  return all;
}

struct KnownJob {
  explicit KnownJob(const ScaledJob& job)
      : machine(without_what_follows(read_machine(job.description, "machine.toml"))),
        network(machine, nodes_of(job)),
        shape{.size = job.ranks, .network = &network} {}
  const Machine machine;
  const Network network;
  const Shape shape;
};

Problem problem_of(Collective collective, std::size_t bytes) {
  const std::size_t element = contract_of(collective).reduces ? 8 : 1;
  return {.collective = collective, .count = bytes / element, .element_bytes = element};
}

TEST(Scale, a_machine_takes_little_for_each_node_and_nothing_for_its_links) {
  for (const ScaledJob& job : jobs()) {
    const auto nodes = static_cast<std::size_t>(job.ranks / job.ranks_per_node);
    const std::size_t kept = kept_by(
        [&] { return std::make_unique<Machine>(without_what_follows(read_machine(job.description, "machine.toml"))); });
    EXPECT_LE(kept, 1024 + 80 * nodes) << job.name;
  }
}

TEST(Scale, what_is_known_of_all_ranks_takes_as_much_among_many) {
  for (const ScaledJob& job : jobs()) {
    const KnownJob known(job);
    const std::vector<int> nodes = nodes_of(job);
    EXPECT_LE(kept_by([&] { return std::make_unique<RankNumbers>(std::span<const int>(nodes)); }), 128u) << job.name;
    const std::size_t on_switch = 16 * static_cast<std::size_t>(known.network.nodes());  // which nodes each site has
    EXPECT_LE(kept_by([&] { return std::make_unique<Network>(known.machine, nodes); }), 1024 + on_switch) << job.name;
  }
}

TEST(Scale, decisions_and_their_candidates_take_as_much_among_many) {
  for (const ScaledJob& job : jobs()) {
    const KnownJob known(job);
    const Selector selector{Settings{}};
    for (const Collective collective : {Collective::bcast, Collective::allreduce, Collective::alltoall}) {
      const Problem problem = problem_of(collective, 1 << 20);
      const std::size_t kept = kept_by([&] { return selector.decide(problem, known.shape); });
      EXPECT_LE(kept, 16u << 10) << job.name;
      if (collective == Collective::alltoall && job.ranks < 4096) continue;  // takes long under sanitizers
      const Choice baseline = selector.decide(problem, known.shape).first_choice();
      const std::size_t of_candidates =
          kept_by([&] { return alternatives_for(problem, known.shape, baseline, Reproducible::off); });
      const bool keeps_trees = job.ranks <= 1024 && known.network.torus() != nullptr;  // those that are searched for
      EXPECT_LE(of_candidates, keeps_trees ? 256u << 10 : 16u << 10) << job.name;
    }
  }
}

TEST(Scale, schedules_grow_with_their_rank_s_neighbours_alone) {
  const KnownJob known(jobs()[1]);
  ASSERT_EQ(known.shape.size, 9216);
  constexpr std::pair<Collective, const char*> of_few_neighbours[] = {{Collective::barrier, "dissemination"},
                                                                      {Collective::bcast, "knomial"},
                                                                      {Collective::bcast, "trinaryx6"},
                                                                      {Collective::bcast, "circulant"},
                                                                      {Collective::allreduce, "recursive_doubling"},
                                                                      {Collective::allreduce, "rabenseifner"},
                                                                      {Collective::allreduce, "ring"},
                                                                      {Collective::allreduce, "trinaryx3_fused"},
                                                                      {Collective::allreduce, "multilane"},
                                                                      {Collective::allgather, "ring"},
                                                                      {Collective::alltoall, "spread"}};
  for (const auto& [collective, name] : of_few_neighbours) {
    const Problem problem = problem_of(collective, collective == Collective::barrier ? 0 : 1 << 20);
    const Algorithm& algorithm = *find_algorithm(collective, name);
    const Choice choice{.algorithm = &algorithm, .cut = cut_for(algorithm, problem, known.shape)};
    const std::size_t kept =
        kept_by([&] { return build_schedule(algorithm, request_for(choice, problem, known.shape, 4609)); });
    EXPECT_LE(kept, 64u << 10) << name;
  }
}

TEST(Scale, algorithms_whose_schedules_would_be_too_long_or_not_fit_into_numbers_are_left_out) {
  const auto reason = [](const char* name, Rank ranks) {
    const Problem problem{.collective = Collective::alltoall, .count = 8};
    return unfit_for(*find_algorithm(Collective::alltoall, name), problem, Shape{.size = ranks});
  };
  EXPECT_EQ(reason("pairwise", 4096), nullptr);
  EXPECT_NE(reason("pairwise", 4097), nullptr);
  EXPECT_EQ(reason("spread", 46340), nullptr);
  EXPECT_NE(reason("spread", 46341), nullptr) << "a block from each to each has no number any more";
}

}  // namespace
}  // namespace espalier
