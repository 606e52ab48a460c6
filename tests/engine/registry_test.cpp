// SPDX-License-Identifier: Apache-2.0
// Every algorithm, built for all ranks and run in this process, against a scalar evaluation.
#include <gtest/gtest.h>

#include <algorithm>

#include "algorithms/algorithm.hpp"
#include "engine/flat_program.hpp"
#include "engine/in_process.hpp"
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
  Reduction::Function function;
};

// Which ranks' input lies in the output buffer; a rank without an output has its input apart.
enum class InPlace { none, odd_ranks, all };

struct Call {
  const Algorithm& algorithm;
  Shape among;
  Rank ranks;
  Rank root;
  std::size_t elements;
  int segments;
  int window;
  InPlace in_place;
  Tuning tuning;
  MemoryNetwork::Seed seed;

  [[nodiscard]] bool broadcasts() const { return algorithm.collective == Collective::bcast; }
  [[nodiscard]] bool has_output(Rank rank) const { return algorithm.collective != Collective::reduce || rank == root; }
  [[nodiscard]] bool in_place_at(Rank rank) const {
    if (broadcasts()) return true;
    return has_output(rank) && (in_place == InPlace::all || (in_place == InPlace::odd_ranks && rank % 2 == 1));
  }
  // Those that promise to keep the rank order get an operation that does not commute. In a barrier a rank may hear of
  // another one twice.
  [[nodiscard]] TestedOperation operation() const {
    if (algorithm.collective == Collective::barrier) return {united, reduce<united>};
    if (algorithm.keeps_rank_order) return {composed, reduce<composed>};
    return {added, reduce<added>};
  }
  [[nodiscard]] Affine input(Rank rank, std::size_t i) const {
    const auto r = static_cast<std::uint64_t>(rank);
    if (algorithm.collective == Collective::barrier) return {std::uint64_t{1} << r, i};
    return {2 * (seed + i * 31 + r * 1009) + 1, i * 7 + r};
  }
  [[nodiscard]] Affine expected(std::size_t i) const {
    if (broadcasts()) return input(root, i);
    Affine result = input(0, i);
    for (Rank rank = 1; rank < ranks; ++rank) result = operation().combine(result, input(rank, i));
    return result;
  }
};

std::ostream& operator<<(std::ostream& out, const Call& call) {
  return out << name_of(call.algorithm.collective) << " " << call.algorithm.name << ", " << call.ranks
             << " ranks, root " << call.root << ", " << call.elements << " elements, " << call.segments
             << " segments, window " << call.window << ", in place " << static_cast<int>(call.in_place) << ", "
             << call.tuning.pieces << " pieces, radix " << call.tuning.radix << ", seed " << call.seed;
}

class Ranks {
 public:
  explicit Ranks(const Call& call) : call_(call) {
    for (Rank rank = 0; rank < call.ranks; ++rank) {
      schedules_.push_back(
          build_schedule(call.algorithm, call.among, rank, call.root, call.in_place_at(rank), call.tuning));
      inputs_.emplace_back(call.in_place_at(rank) ? 0 : call.elements);
      outputs_.emplace_back(call.has_output(rank) ? call.elements : 0);
    }
    for (Rank rank = 0; rank < call.ranks; ++rank) {
      buffers_.push_back({reinterpret_cast<const std::byte*>(inputs_[rank].data()),
                          reinterpret_cast<std::byte*>(outputs_[rank].data())});
    }
    fill();
  }

  // By general executors in this thread, whatever the schedule.
  [[nodiscard]] std::string run() const { return run_in_one_thread(schedules_, buffers_, shape(), call_.seed); }
  // As bound, in threads.
  [[nodiscard]] std::string run_bound() const { return run_in_threads(schedules_, buffers_, shape(), call_.seed); }

  [[nodiscard]] bool flat() const {
    return std::all_of(schedules_.begin(), schedules_.end(),
                       [&](const Schedule& schedule) { return is_flat(schedule, call_.segments); });
  }

  void fill() {
    for (Rank rank = 0; rank < call_.ranks; ++rank) {
      auto& mine = call_.in_place_at(rank) ? outputs_[rank] : inputs_[rank];
      for (std::size_t i = 0; i < mine.size(); ++i) {
        mine[i] = call_.broadcasts() && rank != call_.root ? Affine{} : call_.input(rank, i);
      }
    }
  }

  void expect_results() const {
    for (std::size_t i = 0; i < call_.elements; ++i) {
      const Affine expected = call_.expected(i);
      for (Rank rank = 0; rank < call_.ranks; ++rank) {
        if (call_.has_output(rank)) {
          ASSERT_EQ(outputs_[rank][i], expected) << "element " << i << " on rank " << rank;
        }
        if (!call_.in_place_at(rank)) {
          ASSERT_EQ(inputs_[rank][i], call_.input(rank, i)) << "input on " << rank;
        }
      }
    }
  }

 private:
  [[nodiscard]] CallShape shape() const {
    return {call_.elements,
            {.stride_bytes = sizeof(Affine), .reduction = {call_.operation().function, nullptr}, .copy = {}},
            call_.segments,
            call_.window,
            call_.elements > 100 ? std::size_t{4} : std::size_t{1}};
  }

  const Call& call_;
  std::vector<Schedule> schedules_;
  std::vector<std::vector<Affine>> inputs_, outputs_;
  std::vector<Buffers> buffers_;
};

std::vector<Rank> roots(const Algorithm& algorithm, Rank ranks) {
  if (!is_rooted(algorithm.collective) || ranks == 1) return {0};
  if (ranks <= 5) {
    std::vector<Rank> all(static_cast<std::size_t>(ranks));
    for (Rank rank = 0; rank < ranks; ++rank) all[static_cast<std::size_t>(rank)] = rank;
    return all;
  }
  return {0, 1, ranks / 2, ranks - 1};
}

// So many ranks, or the small ones of the sample networks: larger ones are proved, and tried out by the verifier's
// tests.
std::vector<Shape> shapes_for(const Algorithm& algorithm, const std::vector<Rank>& sizes) {
  std::vector<Shape> shapes;
  for (const SampleNetwork& among : sweep_shapes(algorithm, {.sizes = sizes})) {
    if (algorithm.needs == Needs::nothing || among.shape.size <= 16) shapes.push_back(among.shape);
  }
  return shapes;
}

// The kinds of tuning that an algorithm can feel.
std::vector<Tuning> tunings(const Algorithm& algorithm) {
  std::vector<Tuning> result{{}};
  if (algorithm.takes_radix) result.push_back({1, 5});
  if (algorithm.cuts_by_length) result.push_back({7, 2});
  return result;
}

// Calls body(call) for the algorithm over roots, counts and tunings; segments, windows and places vary along.
template <class Body>
void for_all_calls(const Algorithm& algorithm, const Shape& among, const Body& body) {
  const Rank ranks = among.size;
  MemoryNetwork::Seed seed = 1000 * static_cast<MemoryNetwork::Seed>(ranks);
  for (const Rank root : roots(algorithm, ranks)) {
    for (const Tuning& tuning : tunings(algorithm)) {
      for (const std::size_t elements : {0, 1, 13, 257}) {
        for (const int segments : {1, 3, 9}) {
          for (const int window : {1, 2, 4}) {
            const auto in_place = static_cast<InPlace>(seed % 3);
            const Call call{algorithm, among, ranks, root, elements, segments, window, in_place, tuning, seed++};
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
  for (const Shape& among : shapes_for(*GetParam(), {1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 27})) {
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
  for (const Shape& among : shapes_for(*GetParam(), {1, 2, 3, 5, 8, 13})) {
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
