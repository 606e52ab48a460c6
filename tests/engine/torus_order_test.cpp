// SPDX-License-Identifier: Apache-2.0
// Trinaryx3's allreduce gives the bits of the paper's order of additions, whatever arrives late: compared with a scalar
// reference that follows the paper's words (section 4.2) and shares no code with the trees.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <random>

#include "../support/built.hpp"
#include "algorithms/algorithm.hpp"
#include "engine/in_process.hpp"
#include "topology/network.hpp"

namespace espalier::torus_order_test {
namespace {

constexpr int dimensions = 3;
constexpr std::size_t part = 40;  // elements for each tree
using Extents = std::vector<int>;

int rank_at(const Extents& extents, const Coordinates& place) {
  int rank = 0;
  for (int axis = dimensions - 1; axis >= 0; --axis) rank = rank * extents[axis] + place[axis];
  return rank;
}

// Tree t grows from the origin along axis t, from each of these along the next one, then along the last one; those
// that are then missing hang on their neighbours before them along axis t.
Coordinates parent_of(const Extents& extents, Coordinates place, int tree) {
  const int first = tree, second = (tree + 1) % dimensions, third = (tree + 2) % dimensions;
  if (place[first] == 0) {
    place[first] = extents[first] - 1;
  } else if (place[third] > 0) {
    --place[third];
  } else if (place[second] > 0) {
    --place[second];
  } else {
    --place[first];
  }
  return place;
}

class ScalarReference {
 public:
  ScalarReference(const Extents& extents, int tree) : children_(27 * 8) {
    for (int z = 0; z < extents[2]; ++z) {
      for (int y = 0; y < extents[1]; ++y) {
        for (int x = 0; x < extents[0]; ++x) {
          const Coordinates place = {x, y, z};
          const int rank = rank_at(extents, place);
          if (rank != 0) children_[rank_at(extents, parent_of(extents, place, tree))].push_back(rank);
        }
      }
    }
  }

  // A node's own value first, then its children's sums, the nearest leaves first.
  [[nodiscard]] double sum(const std::vector<double>& values, int rank = 0) const {
    std::vector<int> children = children_[rank];
    std::ranges::stable_sort(children, {}, [&](int child) { return height(child); });
    double result = values[rank];
    for (const int child : children) result = result + sum(values, child);
    return result;
  }

  // No two children of a node are as high: then the order is the paper's, whatever comes first.
  [[nodiscard]] bool order_is_unique() const {
    return std::ranges::all_of(children_, [&](const std::vector<int>& children) {
      std::vector<int> heights;
      for (const int child : children) heights.push_back(height(child));
      std::ranges::sort(heights);
      return std::ranges::adjacent_find(heights) == heights.end();
    });
  }

 private:
  [[nodiscard]] int height(int rank) const {
    int most = 0;
    for (const int child : children_[rank]) most = std::max(most, 1 + height(child));
    return most;
  }

  std::vector<std::vector<int>> children_;
};

std::unique_ptr<const Network> torus(const Extents& extents) {
  Machine machine;
  machine.lattice.emplace();
  for (const int extent : extents) machine.lattice->axes.push_back({extent, true});
  machine.node_at.resize(static_cast<std::size_t>(machine.lattice->points()));
  std::iota(machine.node_at.begin(), machine.node_at.end(), 0);
  for (const int node : machine.node_at) machine.nodes.push_back({"n" + std::to_string(node)});
  machine.arcs = arcs_of(*machine.lattice, machine.node_at, 1);
  return std::make_unique<const Network>(machine, machine.node_at);
}

// Of very different sizes: any other order shows in the bits.
double awkward(std::mt19937_64& random) {
  return std::ldexp(static_cast<double>(random() % 1000003) - 500000, static_cast<int>(random() % 60) - 30);
}

void add(void* target, const void* left, const void* right, std::size_t elements, const void*) {
  for (std::size_t i = 0; i < elements; ++i) {
    static_cast<double*>(target)[i] = static_cast<const double*>(left)[i] + static_cast<const double*>(right)[i];
  }
}

class TorusOrder : public testing::TestWithParam<const char*> {};

TEST_P(TorusOrder, is_that_of_the_paper_bit_by_bit_under_random_delays) {
  for (const Extents& extents : {Extents{3, 3, 3}, Extents{4, 3, 5}}) {
    const auto network = torus(extents);
    const Shape shape{network->nodes(), network.get()};
    std::mt19937_64 random(2026);
    std::vector<std::vector<double>> inputs(shape.size), outputs(shape.size);
    std::vector<Schedule> schedules;
    std::vector<Buffers> buffers;
    for (Rank rank = 0; rank < shape.size; ++rank) {
      for (std::size_t i = 0; i < dimensions * part; ++i) inputs[rank].push_back(awkward(random));
      outputs[rank].resize(dimensions * part);
      schedules.push_back(built(Collective::allreduce, GetParam(), shape, rank));
      buffers.push_back({reinterpret_cast<const std::byte*>(inputs[rank].data()),
                         reinterpret_cast<std::byte*>(outputs[rank].data())});
    }
    const Partition partition({.blocks = schedules[0].blocks, .elements = dimensions * part, .segments = 5});
    const Elements how{.stride_bytes = sizeof(double), .reduction = {add, nullptr}, .copy = {}};
    std::vector<Participant> ranks;
    for (Rank rank = 0; rank < shape.size; ++rank) ranks.push_back({schedules[rank], buffers[rank], partition});
    for (MemoryNetwork::Seed seed = 1; seed <= 20; ++seed) {
      ASSERT_EQ(run_in_one_thread(ranks, how, 3, seed), "");
      for (int tree = 0; tree < dimensions; ++tree) {
        const ScalarReference reference(extents, tree);
        ASSERT_TRUE(reference.order_is_unique());
        for (std::size_t i = tree * part; i < (tree + 1) * part; ++i) {
          std::vector<double> values;
          for (const auto& input : inputs) values.push_back(input[i]);
          const auto expected = std::bit_cast<std::uint64_t>(reference.sum(values));
          for (Rank rank = 0; rank < shape.size; ++rank) {
            ASSERT_EQ(std::bit_cast<std::uint64_t>(outputs[rank][i]), expected) << "tree " << tree << ", " << i;
          }
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Allreduce, TorusOrder, testing::Values("trinaryx3", "trinaryx3_fused"),
                         [](const auto& one) { return std::string(one.param); });

}  // namespace
}  // namespace espalier::torus_order_test
