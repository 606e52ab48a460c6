// SPDX-License-Identifier: Apache-2.0
#include "topology/job_box.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <random>

namespace espalier {
namespace {

// Nodes of a machine, which a job has in any order.
using JobNodes = std::vector<int>;

std::optional<JobBox> box_of(const Machine& machine, const JobNodes& job) {
  std::vector<int> ours(machine.nodes.size(), no_node);
  for (std::size_t k = 0; k < job.size(); ++k) ours[static_cast<std::size_t>(job[k])] = static_cast<int>(k);
  return find_job_box(machine, ours, static_cast<int>(job.size()));
}

// Groups of a Tofu machine in a row, from `first` on along each of X, Y and Z.
Machine tofu_machine(const std::array<int, 3>& extents, const std::array<int, 3>& first = {}) {
  Machine machine;
  const Lattice all{{{extents[0]}, {extents[1]}, {extents[2]}, {2}, {3}, {2}}};
  machine.lattice = folded_lattice(extents);
  machine.node_at.assign(static_cast<std::size_t>(all.points()), no_node);
  for (int node = 0; node < all.points(); ++node) {
    const Coordinates p = all.coordinates_of(node);
    machine.nodes.push_back({"n" + std::to_string(node)});
    const TofuPlace place = {p[0], p[1], p[2], p[3], p[4], p[5]};
    machine.node_at[static_cast<std::size_t>(machine.lattice->number_of(folded_place(place, extents)))] = node;
    machine.tofu.push_back({p[0] + first[0], p[1] + first[1], p[2] + first[2], p[3], p[4], p[5]});
  }
  return machine;
}

template <class Wanted>
JobNodes nodes_where(const Machine& machine, Wanted is_wanted) {
  JobNodes job;
  for (int node = 0; node < std::ssize(machine.tofu); ++node) {
    if (is_wanted(machine.tofu[static_cast<std::size_t>(node)])) job.push_back(node);
  }
  return job;
}

// One step along X, Y or Z, or another one of the group.
bool are_tofu_neighbours(const TofuPlace& one, const TofuPlace& other) {
  int differ = 0, steps = 0;
  for (std::size_t k = 0; k < one.size(); ++k) {
    if (one[k] == other[k]) continue;
    ++differ;
    steps = k < 3 ? std::abs(one[k] - other[k]) : 1;
  }
  return differ == 1 && steps == 1;
}

// Each step in the box is a link of the machine, also round the ends.
void expect_links(const Machine& machine, const JobNodes& job, const JobBox& box) {
  const auto place_of = [&](int number) -> const TofuPlace& {
    const int node = box.node_at(number);
    return machine.tofu[static_cast<std::size_t>(job[static_cast<std::size_t>(node)])];
  };
  for (int number = 0; number < box.lattice.points(); ++number) {
    for (int axis = 0; axis < box.lattice.dimensions(); ++axis) {
      Coordinates next = box.lattice.coordinates_of(number);
      if (!box.lattice.step(next, axis, 1)) continue;
      EXPECT_TRUE(are_tofu_neighbours(place_of(number), place_of(box.lattice.number_of(next))));
    }
  }
}

// 48 x 6 x 32 places: the groups with Y < 2 of 24 x 18 x 16.
TEST(JobBox, of_the_papers_job_is_a_torus_though_it_is_a_part_of_the_machine) {
  const Machine machine = tofu_machine({24, 18, 16});
  const JobNodes job = nodes_where(machine, [](const TofuPlace& place) { return place[1] < 2; });
  const auto box = box_of(machine, job);
  ASSERT_TRUE(box);
  EXPECT_EQ(box->lattice, (Lattice{{{48, true}, {6, true}, {32, true}}}));
  expect_links(machine, job, *box);
}

TEST(JobBox, of_whole_tofu_groups_is_a_torus_of_its_own_wherever_it_lies_in_any_order) {
  std::mt19937 random(3);
  for (int round = 0; round < 100; ++round) {
    const std::array<int, 3> extents = {4, 5, 4};
    const Machine machine = tofu_machine(extents, {7, 0, 11});
    TofuPlace low{}, high{};
    for (std::size_t k = 0; k < 3; ++k) {
      const int length = 1 + static_cast<int>(random() % static_cast<unsigned>(extents[k]));
      low[k] = machine.tofu.front()[k] + static_cast<int>(random() % static_cast<unsigned>(extents[k] - length + 1));
      high[k] = low[k] + length;
    }
    JobNodes job = nodes_where(machine, [&](const TofuPlace& place) {
      const auto is_within = [&](std::size_t k) { return place[k] >= low[k] && place[k] < high[k]; };
      return is_within(0) && is_within(1) && is_within(2);
    });
    std::ranges::shuffle(job, random);
    const auto box = box_of(machine, job);
    ASSERT_TRUE(box);
    EXPECT_EQ(box->lattice, folded_lattice({high[0] - low[0], high[1] - low[1], high[2] - low[2]}));
    expect_links(machine, job, *box);
  }
}

TEST(JobBox, of_parts_of_tofu_groups_is_a_line_where_it_has_one_side) {
  const Machine machine = tofu_machine({3, 4, 2});
  const JobNodes job = nodes_where(
      machine, [](const TofuPlace& place) { return place[2] == 1 && place[3] == 1 && place[4] != 1 && place[5] == 0; });
  const auto box = box_of(machine, job);
  ASSERT_TRUE(box);
  EXPECT_EQ(box->lattice, (Lattice{{{3, false}, {8, true}}}));
  expect_links(machine, job, *box);
}

TEST(JobBox, is_none_where_a_tofu_node_is_missing) {
  const Machine machine = tofu_machine({2, 2, 2});
  JobNodes job = nodes_where(machine, [](const TofuPlace& place) { return place[0] == 1; });
  job.pop_back();
  EXPECT_FALSE(box_of(machine, job));
}

// Of each axis all or a stretch, which may go across the end; a plane or a line where that is one place long.
TEST(JobBox, of_a_plain_torus_is_a_ring_where_it_has_a_whole_axis) {
  std::mt19937 random(9);
  for (int round = 0; round < 100; ++round) {
    Machine machine;
    machine.lattice = Lattice{{{5, true}, {4, true}, {3, true}}};
    machine.node_at.resize(60);
    machine.nodes.resize(60);
    std::iota(machine.node_at.begin(), machine.node_at.end(), 0);
    Coordinates first, length;
    Lattice expected;
    for (const Lattice::Axis& axis : machine.lattice->axes) {
      const auto extent = static_cast<unsigned>(axis.extent);
      first.push_back(static_cast<int>(random() % extent));
      length.push_back(1 + static_cast<int>(random() % extent));
      if (length.back() > 1) expected.axes.push_back({length.back(), length.back() == axis.extent});
    }
    JobNodes job;
    for (int node = 0; node < 60; ++node) {
      const Coordinates place = machine.lattice->coordinates_of(node);
      const auto is_within = [&](std::size_t k) {
        const int extent = machine.lattice->axes[k].extent;
        return (place[k] - first[k] + extent) % extent < length[k];
      };
      if (is_within(0) && is_within(1) && is_within(2)) job.push_back(node);
    }
    std::ranges::shuffle(job, random);
    const auto box = box_of(machine, job);
    ASSERT_TRUE(box);
    EXPECT_EQ(box->lattice, expected);
    for (int node = 0; node < std::ssize(job); ++node) EXPECT_EQ(box->node_at(box->number_of(node)), node);
  }
}

}  // namespace
}  // namespace espalier
