// SPDX-License-Identifier: Apache-2.0
// Every algorithm, built for all ranks and run in this process, against a scalar evaluation.
#include <gtest/gtest.h>

#include <algorithm>

#include "../support/built.hpp"
#include "../support/in_shared_memory.hpp"
#include "../support/in_threads.hpp"
#include "at_once.hpp"
#include "engine/flat_program.hpp"
#include "verify/sweep.hpp"

namespace espalier {
namespace {

// x -> factor * x + offset, wrapping around. Composition groups as it likes but does not commute.
struct Affine {
  std::uint64_t factor = 1, offset = 0;
  friend bool operator==(const Affine&, const Affine&) = default;
};

Affine composed(Affine left, Affine right) {
  return {left.factor * right.factor, left.factor * right.offset + left.offset};
}
Affine united(Affine left, Affine right) { return {left.factor | right.factor, left.offset | right.offset}; }
Affine added(Affine left, Affine right) { return {left.factor + right.factor, left.offset + right.offset}; }

template <Affine (*combine)(Affine, Affine)>
void reduce(void* target, const void* left, const void* right, std::size_t elements, const void*) {
  for (std::size_t i = 0; i < elements; ++i) {
    static_cast<Affine*>(target)[i] =
        combine(static_cast<const Affine*>(left)[i], static_cast<const Affine*>(right)[i]);
  }
}

struct TestedOperation {
  Affine (*combine)(Affine, Affine);
  Reduction::Kernel function;
};

struct Call {
  const Algorithm& algorithm;
  Shape among;
  Case problem;
  std::size_t elements;  // of the whole message, or of each block that is the caller's
  int segments;
  int window;
  Built how;
  MemoryNetwork::Seed seed;

  [[nodiscard]] const Contract& contract() const { return problem.contract(); }
  // Those that promise to keep the rank order get an operation that does not commute. Where no data is carried a rank
  // may learn of another one twice.
  [[nodiscard]] TestedOperation operation() const {
    if (!contract().carries_data) return {united, reduce<united>};
    if (algorithm.keeps_rank_order && how.leaders == 0) return {composed, reduce<composed>};
    return {added, reduce<added>};
  }
  // Element `i` of a rank's block with that label, or of the message where an algorithm cuts that as it likes.
  [[nodiscard]] Affine input(Rank rank, int label, std::size_t i) const {
    const auto r = static_cast<std::uint64_t>(rank);
    if (!contract().carries_data) return {std::uint64_t{1} << r, i};
    return {2 * (seed + i * 31 + r * 1009 + static_cast<std::uint64_t>(label) * 77) + 1, i * 7 + r};
  }
  [[nodiscard]] Affine expected(Rank me, int label, std::size_t i) const {
    const RankRange sources = problem.sources(me, label);
    Affine result = input(sources.first, label, i);
    for (Rank k = 1; k < sources.count; ++k) result = operation().combine(result, input(sources.first + k, label, i));
    return result;
  }
};

std::ostream& operator<<(std::ostream& out, const Call& call) {
  return out << name_of(call.algorithm.collective) << " " << call.algorithm.name << ", " << call.problem.size
             << " ranks, root " << call.problem.root << ", " << call.elements << " elements, " << call.segments
             << " segments, window " << call.window << ", in place " << static_cast<int>(call.problem.in_place) << ", "
             << call.how.pieces << " pieces, radix " << call.how.radix << ", seed " << call.seed;
}

class Ranks {
 public:
  explicit Ranks(const Call& call) : call_(call) {
    for (Rank rank = 0; rank < call.problem.size; ++rank) {
      Built how = call.how;
      how.in_place = call.problem.in_place_at(rank);
      schedules_.push_back(built(call.algorithm, call.among, rank, how));
    }
    exact_ = call.contract().division != Division::by_algorithm;
    // Where the algorithm cuts the message as it likes, the message is one block to the test.
    blocks_ = exact_ ? schedules_[0].blocks : 1;
    const auto elements = call.elements * (exact_ ? static_cast<std::size_t>(blocks_) : 1);
    partition_ = Partition({.blocks = schedules_[0].blocks,
                            .elements = elements,
                            .segments = call.segments,
                            .granule = call.elements > 100 ? std::size_t{4} : std::size_t{1},
                            .exact = exact_});
    for (Rank rank = 0; rank < call.problem.size; ++rank) {
      const int in = call.problem.input(rank, blocks_).count, out = call.problem.output(rank, blocks_).count;
      const bool in_place = call.problem.in_place_at(rank);
      inputs_.emplace_back(in_place ? 0 : call.elements * static_cast<std::size_t>(in));
      outputs_.emplace_back(call.elements * static_cast<std::size_t>(in_place ? std::max(in, out) : out));
    }
    for (Rank rank = 0; rank < call.problem.size; ++rank) {
      buffers_.push_back({reinterpret_cast<const std::byte*>(inputs_[rank].data()),
                          reinterpret_cast<std::byte*>(outputs_[rank].data())});
      participants_.push_back({schedules_[rank], buffers_[rank], partition_});
    }
    fill();
  }

  // By general executors in this thread, whatever the schedule.
  [[nodiscard]] std::string run() const { return run_in_one_thread(participants_, how(), call_.window, call_.seed); }
  // As bound, in threads.
  [[nodiscard]] std::string run_bound() const { return run_in_threads(participants_, how(), call_.window, call_.seed); }

  // Three runs at once, of this and of two like it, over a kind of port. The messages take two paths in turn, by their
  // channels, where there are two.
  template <class Ports>
  [[nodiscard]] at_once::Outcome run_at_once() const {
    const Ranks second(call_), third(call_);
    const std::vector<std::vector<Schedule>> schedules(3, over_two_paths());
    std::vector<std::vector<Participant>> runs;
    for (const Ranks* one : {this, &second, &third}) {
      std::vector<Participant>& run = runs.emplace_back();
      const auto& its = schedules[runs.size() - 1];
      for (std::size_t rank = 0; rank < its.size(); ++rank) {
        run.push_back({its[rank], one->buffers_[rank], one->partition_});
      }
    }
    const at_once::Outcome outcome = at_once::run<Ports>(runs, how(), call_.window, call_.seed);
    second.expect_results();
    third.expect_results();
    return outcome;
  }

  [[nodiscard]] bool flat() const {
    return std::all_of(schedules_.begin(), schedules_.end(),
                       [&](const Schedule& schedule) { return is_flat(schedule, Items(schedule, partition_)); });
  }

  void expect_results() const {
    for (Rank rank = 0; rank < call_.problem.size; ++rank) {
      const Held held = call_.problem.output(rank, blocks_), given = call_.problem.input(rank, blocks_);
      for (std::size_t i = 0; i < call_.elements; ++i) {
        for (int place = 0; place < held.count; ++place) {
          const int label = held.label_at(place);
          ASSERT_EQ(outputs_[rank][at(place, i)], call_.expected(rank, label, i))
              << "element " << i << " of block " << label << " on rank " << rank;
        }
        for (int place = 0; place < given.count && !call_.problem.in_place_at(rank); ++place) {
          ASSERT_EQ(inputs_[rank][at(place, i)], call_.input(rank, given.label_at(place), i)) << "input on " << rank;
        }
      }
    }
  }

 private:
  [[nodiscard]] std::vector<Schedule> over_two_paths() const {
    std::vector<Schedule> schedules = schedules_;
    for (Schedule& schedule : schedules) {
      for (Operation& operation : schedule.operations) operation.path = operation.channel % 2;
    }
    return schedules;
  }
  [[nodiscard]] std::size_t at(int place, std::size_t i) const {
    return static_cast<std::size_t>(place) * call_.elements + i;
  }
  [[nodiscard]] Elements how() const {
    return {.stride_bytes = sizeof(Affine), .reduction = {call_.operation().function, nullptr}, .copy = {}};
  }

  void fill() {
    for (Rank rank = 0; rank < call_.problem.size; ++rank) {
      const bool in_place = call_.problem.in_place_at(rank);
      auto& mine = in_place ? outputs_[rank] : inputs_[rank];
      const Held held = call_.problem.input(rank, blocks_);
      for (int place = 0; place < held.count; ++place) {
        const int label = held.label_at(place);
        const int there = in_place ? call_.problem.place_in_output(rank, label, blocks_) : place;
        for (std::size_t i = 0; i < call_.elements; ++i) mine[at(there, i)] = call_.input(rank, label, i);
      }
    }
  }

  const Call& call_;
  bool exact_ = false;
  int blocks_ = 1;
  Partition partition_{Partition::Even{}};
  std::vector<Schedule> schedules_;
  std::vector<std::vector<Affine>> inputs_, outputs_;
  std::vector<Buffers> buffers_;
  std::vector<Participant> participants_;
};

// Under a sanitizer all takes many times as long, and a wrong access is wrong among few ranks, too.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr Rank max_ranks = 9, max_network_ranks = 9;
#else
constexpr Rank max_ranks = 27, max_network_ranks = 16;
#endif

std::vector<Rank> roots(const Algorithm& algorithm, Rank ranks) {
  if (!contract_of(algorithm.collective).is_rooted() || ranks == 1) return {0};
  if (ranks <= 5) {
    std::vector<Rank> all(static_cast<std::size_t>(ranks));
    for (Rank rank = 0; rank < ranks; ++rank) all[static_cast<std::size_t>(rank)] = rank;
    return all;
  }
  return {0, 1, ranks / 2, ranks - 1};
}

// This many ranks, or the small ones of the sample networks: larger ones are proved, and tried out by the verifier's
// tests.
std::vector<SampleNetwork> shapes_for(const Algorithm& algorithm, const std::vector<Rank>& sizes,
                                      bool over_nodes = false) {
  const Rank max = algorithm.needs == Needs::nothing ? max_ranks : max_network_ranks;
  std::vector<SampleNetwork> shapes;
  for (const SampleNetwork& among : sweep_shapes(algorithm, {.sizes = sizes, .over_nodes = over_nodes})) {
    if (among.shape.size <= (among.leaders > 0 ? max_network_ranks : max)) shapes.push_back(among);
  }
  return shapes;
}

// What an algorithm can feel of pieces and radix.
std::vector<Built> kinds(const Algorithm& algorithm, Rank root, int leaders) {
  std::vector<Built> result{{.root = root, .leaders = leaders}};
  if (leaders > 0) return result;
  if (algorithm.takes_radix) result.push_back({.root = root, .radix = 5});
  if (algorithm.takes_pieces) result.push_back({.root = root, .pieces = 7});
  return result;
}

// Calls body(call) for the algorithm over roots, counts and kinds; segments, windows and places vary along.
template <class Body>
void for_all_calls(const Algorithm& algorithm, const SampleNetwork& sample, const Body& body) {
  const Shape& among = sample.shape;
  MemoryNetwork::Seed seed = 1000 * static_cast<MemoryNetwork::Seed>(among.size);
  for (const Rank root : roots(algorithm, among.size)) {
    for (const Built& how : kinds(algorithm, root, sample.leaders)) {
      for (const std::size_t elements : {0, 1, 13, 257}) {
        for (const int segments : {1, 3, 9}) {
          for (const int window : {1, 2, 4}) {
            const auto in_place = static_cast<Case::InPlaceAt>(seed % 3);
            const Case problem{algorithm.collective, among.size, root, in_place};
            const Call call{algorithm, among, problem, elements, segments, window, how, seed++};
            SCOPED_TRACE(testing::Message() << call);
            body(call);
            if (testing::Test::HasFailure()) return;
          }
        }
      }
    }
  }
}

class EveryAlgorithm : public testing::TestWithParam<const Algorithm*> {};

TEST_P(EveryAlgorithm, gives_the_reference_result_in_random_orders_of_completion) {
  for (const SampleNetwork& among : shapes_for(*GetParam(), {1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 27}, true)) {
    for_all_calls(*GetParam(), among, [](const Call& call) {
      const Ranks all(call);
      ASSERT_EQ(all.run(), "");
      all.expect_results();
    });
    if (HasFailure()) return;
  }
}

TEST_P(EveryAlgorithm, gives_the_reference_result_in_threads_by_the_executor_that_it_gets) {
  int flat = 0;
  for (const SampleNetwork& among : shapes_for(*GetParam(), {1, 2, 3, 5, 8, 13})) {
    for_all_calls(*GetParam(), among, [&](const Call& call) {
      const bool middling = call.elements == 13 && call.window == 2;  // threads are slow: a part of the matrix
      if (call.segments != 1 && !middling) return;
      const Ranks all(call);
      if (all.flat()) ++flat;
      ASSERT_EQ(all.run_bound(), "");
      all.expect_results();
    });
    if (HasFailure()) return;
  }
  EXPECT_GT(flat, 0);  // one rank at least
}

TEST_P(EveryAlgorithm, gives_the_reference_result_in_several_runs_at_once_over_every_kind_of_port) {
  for (const SampleNetwork& among : shapes_for(*GetParam(), {2, 5, 8})) {
    for_all_calls(*GetParam(), among, [&](const Call& call) {
      if (call.elements != 13 || call.window == 4) return;
      const auto expect = [&](const at_once::Outcome& outcome, const Ranks& all, const char* over) {
        SCOPED_TRACE(over);
        ASSERT_EQ(outcome.error, "");
        all.expect_results();
      };
      const Ranks plain(call), opening(call), lending(call), two_paths(call), in_shared_memory(call);
      expect(plain.run_at_once<at_once::OnePath<MemoryPort>>(), plain, "plain ports");
      expect(opening.run_at_once<at_once::OnePath<OpeningMemoryPort>>(), opening, "opening ports");
      expect(lending.run_at_once<at_once::OnePath<LendingMemoryPort>>(), lending, "lending ports");
      expect(two_paths.run_at_once<at_once::TwoPaths>(), two_paths, "two paths");
      expect(in_shared_memory.run_at_once<InSharedMemory>(), in_shared_memory, "shared memory");
    });
    if (HasFailure()) return;
  }
}

std::vector<const Algorithm*> algorithms() {
  std::vector<const Algorithm*> result;
  for (const Algorithm& algorithm : registry()) result.push_back(&algorithm);
  return result;
}

std::string test_name(const testing::TestParamInfo<const Algorithm*>& info) {
  std::string name = std::string(name_of(info.param->collective)) + "_" + std::string(info.param->name);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryAlgorithm, testing::ValuesIn(algorithms()), test_name);

}  // namespace
}  // namespace espalier
