// SPDX-License-Identifier: Apache-2.0
#include "estimate/network_cut.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "contract/contract.hpp"
#include "topology/network.hpp"

namespace espalier {

namespace {

constexpr std::size_t KiB = 1024;

// What a message takes of a link on top of its payload: those of the MPI and of a packet that is not full, of TCP and
// IP.
constexpr double header_bytes = 128;

constexpr std::size_t min_segment = 1 * KiB;
constexpr std::size_t max_segment = 1024 * KiB;
// Of several NICs messages up to 64 KiB take one; those in two segments or more can take several.
constexpr std::size_t max_segment_over_nics = 32 * KiB;
// Where a stream is striped over NICs, each of these has some of its segments under way. On 8 hosts with 4 NICs of 10
// Mbit/s a broadcast of 8 MiB by multilane takes 2.07 s with 16 segments of 32 KiB under way, and of 16 KiB 2.07, 2.02
// and 1.98 s with 8, 16 and 32.
constexpr std::size_t max_striped_segment = 16 * KiB;
constexpr int striped_window = 8;  // for each NIC
constexpr int max_window = 128;

// Links limit a pipeline, rather than processors, while messages keep these busy for no more of the time than this. On
// a shaped torus of 27 hosts (Open MPI 5, 27 ranks on 2 cores) a broadcast of 1 MiB takes 84 ms in segments of 3 KiB,
// 75 in 6 KiB, 75 in 8 KiB, 79 in 12 KiB; of 64 KiB 7.8, 5.7, 5.6 and 7.1 ms.
constexpr double max_processor_share = 0.4;
// For this alone segments are made no longer: then links are so fast that processors are the limit anyway.
constexpr std::size_t long_enough = 8 * KiB;

// Equation 3 or 4 of paper 1, where each segment takes this much along.
double seconds_by_paper(const TreePipeline& pipeline, Collective collective, std::size_t bytes, std::size_t segment,
                        double along = header_bytes) {
  const auto seconds = contract_of(collective).reduces ? reduce_seconds : bcast_seconds;
  const double with_headers = static_cast<double>(segment) + along;
  return seconds(pipeline, static_cast<double>(bytes) * with_headers / static_cast<double>(segment), with_headers);
}

// Of what links carry, the part that the engines of a node can move: in each tree it sends to one node in the mean, for
// each pass. (Paper 1, section 5: with four engines N/(4B) is the bound of a broadcast on six links, N/(2B) that of an
// all-reduction.)
double share_of_engines(const Pipeline& pipeline, const Network& network) {
  if (network.engines() == 0) return 1;
  return std::min(1.0, static_cast<double>(network.engines()) * pipeline.streams / (pipeline.trees * pipeline.passes));
}

// As equations 3 and 4 of paper 1 have it. What does not depend on the segment may be somewhat wrong here.
TreePipeline as_in_paper(const Pipeline& pipeline, const Network& network) {
  return {
      .trees = pipeline.trees,
      .height = pipeline.height,
      .hop_seconds = network.hop_seconds() * pipeline.passes,
      .link_bytes_per_second = network.node_bytes_per_second() / pipeline.streams * share_of_engines(pipeline, network),
      .reduction_bytes_per_second = network.arithmetic_bytes_per_second()};
}

// To a power of two, or to the middle between two.
std::size_t rounded_up(std::size_t bytes) {
  const std::size_t power = std::bit_ceil(bytes);
  return power / 4 * 3 >= bytes ? power / 4 * 3 : power;
}

// What a node can have in flight over a WAN until a receiver's word of it is back: at times it is all of one stream.
double bytes_on_route(std::size_t bytes, const Network& network) {
  return std::min(2 * network.wan_seconds() * network.node_bytes_per_second(), static_cast<double>(bytes));
}

// What is in flight must be within the window, too.
int window_for(std::size_t segment_bytes, std::size_t bytes, const Network& network) {
  if (segment_bytes == 0) return default_cut.window;
  // The fabric's connections do not keep step.
  const double spare = network.nic_use() == NicUse::striped ? 2 : 1;
  const double segments = std::ceil(spare * bytes_on_route(bytes, network) / static_cast<double>(segment_bytes));
  const int striped = network.stripes() ? striped_window * network.nics_used() : 0;
  return static_cast<int>(std::min<double>(default_cut.window + striped + segments, max_window));
}

// Below this not even the widest window holds what a WAN does, or the whole message.
std::size_t min_segment_for(std::size_t bytes, const Network& network) {
  const auto held = static_cast<std::size_t>(bytes_on_route(bytes, network));
  return std::min(rounded_up(held / (max_window - default_cut.window)), max_segment);
}

// Below this the number of messages limits a long pipeline, rather than its links.
std::size_t min_for_hops(const Pipeline& pipeline, const Network& network) {
  const TreePipeline paper = as_in_paper(pipeline, network);
  return rounded_up(
      static_cast<std::size_t>(paper.trees * paper.hop_seconds * paper.link_bytes_per_second / max_processor_share));
}

// With several NICs.
std::size_t max_segment_on(const Network& network) {
  return network.stripes() ? max_striped_segment : max_segment_over_nics;
}

std::size_t segment_for(const Pipeline& pipeline, const Problem& problem, const Network& network) {
  const std::size_t for_hops = min_for_hops(pipeline, network);
  const std::size_t least = std::max(min_segment_for(problem.bytes(), network), std::min(long_enough, for_hops));
  const std::size_t best = best_segment(as_in_paper(pipeline, network), problem.collective, problem.bytes(), least);
  return network.nics_used() == 1 ? best : std::min(best, std::max({max_segment_on(network), least, for_hops}));
}

// Of an algorithm that is no pipeline.
std::size_t segment_for(const Problem& problem, const Network& network) {
  const std::size_t least = min_segment_for(problem.bytes(), network);
  return std::max(network.nics_used() == 1 ? default_cut.segment_bytes : max_segment_on(network), least);
}

double seconds_of(const Pipeline& pipeline, const Problem& problem, const Network& network, std::size_t segment_bytes,
                  double along) {
  const TreePipeline paper = as_in_paper(pipeline, network);
  const std::size_t bytes = problem.bytes();
  const std::size_t segment = segment_bytes > 0 ? std::min(segment_bytes, bytes) : bytes;
  if (segment == 0) return paper.height * paper.hop_seconds;
  const double down = pipeline.in_phases ? seconds_by_paper(paper, Collective::bcast, bytes, segment, along) : 0;
  return seconds_by_paper(paper, problem.collective, bytes, segment, along) + down;
}

}  // namespace

Cut network_cut(const std::optional<Pipeline>& pipeline, const Problem& problem, const Network& network,
                std::optional<std::size_t> segment_bytes) {
  const std::size_t segment = segment_bytes ? *segment_bytes
                              : pipeline    ? segment_for(*pipeline, problem, network)
                                            : segment_for(problem, network);
  return {.segment_bytes = segment, .window = window_for(segment, problem.bytes(), network)};
}

double paper_seconds(const Pipeline& pipeline, const Problem& problem, const Network& network,
                     std::size_t segment_bytes) {
  return seconds_of(pipeline, problem, network, segment_bytes, 0);
}

double pipeline_seconds(const Pipeline& pipeline, const Problem& problem, const Network& network,
                        std::size_t segment_bytes) {
  return seconds_of(pipeline, problem, network, segment_bytes, header_bytes);
}

std::size_t best_segment(const TreePipeline& pipeline, Collective collective, std::size_t bytes, std::size_t least) {
  std::size_t best = max_segment;
  const auto consider = [&](std::size_t segment) {
    if (segment < least || segment >= max_segment) return;
    const auto seconds = [&](std::size_t one) { return seconds_by_paper(pipeline, collective, bytes, one); };
    if (seconds(segment) <= seconds(best)) best = segment;
  };
  for (std::size_t power = max_segment; power >= min_segment; power /= 2) {
    consider(power / 2 * 3);
    consider(power);
  }
  return best;
}

}  // namespace espalier
