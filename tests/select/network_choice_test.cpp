// SPDX-License-Identifier: Apache-2.0
#include "select/network_choice.hpp"

#include <gtest/gtest.h>

#include "algorithms/algorithm.hpp"
#include "topology/network.hpp"
#include "verify/sample_networks.hpp"

namespace espalier {
namespace {

constexpr std::size_t MiB = std::size_t{1} << 20;

const Shape& sample(std::string_view name) {
  for (const SampleNetwork& one : sample_networks()) {
    if (one.name == name) return one.shape;
  }
  throw std::out_of_range(std::string(name));
}

std::string chosen(const Problem& problem, const Shape& shape) {
  NetworkChooser chooser;
  const auto choice = chooser.choose(problem, shape);
  return !choice ? "" : choice->native() ? "native" : std::string(choice->algorithm->name);
}

Problem broadcast(std::size_t bytes) { return {.collective = Collective::bcast, .count = bytes}; }
Problem reduction(Arithmetic arithmetic) {
  return {.collective = Collective::allreduce, .count = MiB, .element_bytes = 8, .arithmetic = arithmetic};
}

TEST(NetworkChoice, sends_long_messages_along_all_links) {
  EXPECT_EQ(chosen(broadcast(MiB), sample("torus 3x3x3")), "trinaryx6");
  EXPECT_EQ(chosen(reduction(Arithmetic::commutative), sample("torus 3x3x3")), "trinaryx3_fused");
  EXPECT_EQ(chosen(broadcast(MiB), sample("mesh 4x4")), "packed");
  EXPECT_EQ(chosen(broadcast(MiB), sample("torus 3x3x3, 1 node missing")), "packed");
}

TEST(NetworkChoice, leaves_the_rest_to_others) {
  EXPECT_EQ(chosen(broadcast(1024), sample("torus 3x3x3")), "native");
  EXPECT_EQ(chosen(broadcast(MiB), Shape{27}), "");
  EXPECT_EQ(chosen(reduction(Arithmetic::rank_order), sample("torus 3x3x3")), "");
  EXPECT_EQ(chosen({.collective = Collective::barrier}, sample("torus 3x3x3")), "");
}

// What was decided for the whole must not be taken for a part, which lacks its trees.
TEST(NetworkChoice, tells_a_part_from_the_whole) {
  Machine machine;
  machine.lattice = Lattice{{{3, true}, {3, true}}};
  for (int node = 0; node < 9; ++node) {
    machine.nodes.push_back({"n" + std::to_string(node)});
    machine.node_at.push_back(node);
  }
  machine.arcs = arcs_of(*machine.lattice, machine.node_at, 1e6);
  const Network whole(machine, machine.node_at);
  const Network part(machine, std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8});
  NetworkChooser chooser;
  EXPECT_EQ(chooser.choose(broadcast(MiB), Shape{9, &whole})->algorithm->name, "trinaryx6");
  EXPECT_EQ(chooser.choose(broadcast(MiB), Shape{8, &part})->algorithm->name, "packed");
}

TEST(NetworkChoice, cuts_longer_messages_into_larger_segments) {
  const TreePipeline pipeline{.trees = 3, .height = 84, .hop_seconds = 2e-6, .link_bytes_per_second = 5e9};
  std::size_t last = 0;
  for (std::size_t bytes = 64 << 10; bytes <= 64 * MiB; bytes *= 4) {
    const std::size_t segment = best_segment(pipeline, bytes);
    EXPECT_GE(segment, last);
    last = segment;
  }
  EXPECT_EQ(best_segment({.trees = 3, .height = 84, .hop_seconds = 1e-3, .link_bytes_per_second = 5e9}, 64 * MiB),
            64u << 10)
      << "never more than this";
}

}  // namespace
}  // namespace espalier
