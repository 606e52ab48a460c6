// SPDX-License-Identifier: Apache-2.0
#include "draw/graph_view.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "draw/legend.hpp"
#include "draw/palette.hpp"
#include "draw/positions.hpp"
#include "draw/svg.hpp"

namespace espalier {

namespace {

constexpr std::string_view style =
    "text{font-family:Helvetica,Arial,'DejaVu Sans',sans-serif;fill:#39424e;font-size:12px}"
    ".paper{fill:#ffffff}.title{font-size:19px;font-weight:bold;fill:#1c232b}.note{fill:#66717e}"
    ".node{fill:#ffffff;stroke:#4a5562;stroke-width:1.5}.top{fill:#39424e;stroke:#39424e}"
    ".name{text-anchor:middle}.topname{text-anchor:middle;fill:#ffffff;font-weight:bold}";

constexpr double left = 46, top = 122, node_radius = 14, min_width = 560;

// What travels over one edge.
struct EdgeTraffic {
  int first_step = 0;
  int messages = 0;
  double blocks = 0;
  bool other_channel = false;
};

class GraphView {
 public:
  GraphView(const Subject& subject, const Timeline& timeline) : subject_(subject), timeline_(timeline) {
    std::vector<RankPair> edges;
    for (const DrawnMessage& transfer : timeline.transfers) {
      const RankPair edge{transfer.sender, transfer.receiver};
      if (!traffic_.contains(edge)) edges.push_back(edge);
      add(transfer, traffic_[edge]);
    }
    for (const auto& [edge, traffic] : traffic_) max_blocks_ = std::max(max_blocks_, traffic.blocks);
    positions_ = place_nodes(static_cast<int>(subject.ranks.size()), subject.root, edges);
  }

  std::string draw() {
    Point far{};
    for (const Point& point : positions_.at) far = {std::max(far.x, point.x), std::max(far.y, point.y)};
    const double width = std::max({min_width, far.x + 2 * left, legend().width()}), height = far.y + top + 90;
    shift_ = {(width - far.x) / 2, top};
    Svg svg(width, height, style);
    svg.rectangle({0, 0}, width, height, "paper");
    svg.text({24, 32}, "title", title_of(subject_));
    svg.text({24, 54}, "note", subtitle_of(subject_));
    svg.text({24, 72}, "note", "who sends to whom; more passes over a wider arrow");
    for (const auto& [edge, traffic] : traffic_) draw_edge(svg, edge, traffic);
    for (std::size_t rank = 0; rank < positions_.at.size(); ++rank) draw_node(svg, static_cast<Rank>(rank));
    if (!traffic_.empty()) legend().draw(svg, height - 26);
    return std::move(svg).finish();
  }

 private:
  void add(const DrawnMessage& transfer, EdgeTraffic& traffic) const {
    const Operation& op = subject_.ranks[transfer.sender].operations[transfer.sent.operation];
    if (traffic.messages++ == 0) traffic.first_step = transfer.step;
    traffic.blocks += op.merged ? op.source.blocks : 1.0 / subject_.segments;
    traffic.other_channel |= transfer.channel > 0;
  }

  [[nodiscard]] Point position(Rank rank) const {
    return {positions_.at[rank].x + shift_.x, positions_.at[rank].y + shift_.y};
  }

  // Two ranks that exchange in the same step get one straight line with two heads.
  [[nodiscard]] double bend_of(const RankPair& edge, const EdgeTraffic& traffic) const {
    const auto back = traffic_.find({edge.second, edge.first});
    if (back == traffic_.end() || back->second.first_step == traffic.first_step) return 0;
    const Point from = position(edge.first), to = position(edge.second);
    return std::min(18.0, 0.13 * std::hypot(to.x - from.x, to.y - from.y));
  }

  void draw_edge(Svg& svg, const RankPair& edge, const EdgeTraffic& traffic) const {
    const Point from = position(edge.first), to = position(edge.second);
    const Stroke stroke{colour_of(traffic.first_step, timeline_.steps), 1.2 + 1.6 * traffic.blocks / max_blocks_,
                        traffic.other_channel};
    const std::string tip = "rank " + std::to_string(edge.first) + " to " + std::to_string(edge.second) + ": " +
                            std::to_string(traffic.messages) + " messages, the first in step " +
                            std::to_string(traffic.first_step + 1);
    svg.arrow(towards(from, to, node_radius), towards(to, from, node_radius + 1), stroke, bend_of(edge, traffic), tip);
  }

  void draw_node(Svg& svg, Rank rank) const {
    const bool is_top =
        rank == subject_.root && (positions_.is_tree || contract_of(subject_.algorithm->collective).is_rooted());
    svg.circle(position(rank), node_radius, is_top ? "top" : "node");
    svg.text({position(rank).x, position(rank).y + 4}, is_top ? "topname" : "name", std::to_string(rank));
  }

  [[nodiscard]] Legend legend() const {
    std::set<int> used;
    for (const auto& [edge, traffic] : traffic_) used.insert(traffic.first_step);
    const std::vector<int> steps(used.begin(), used.end());
    Legend legend("first used in step");
    for (const int k : shown_of(static_cast<int>(steps.size()))) {
      legend.add(Legend::Mark::swatch, colour_of(steps[k], timeline_.steps), std::to_string(steps[k] + 1));
    }
    return legend;
  }

  const Subject& subject_;
  const Timeline& timeline_;
  std::map<RankPair, EdgeTraffic> traffic_;
  double max_blocks_ = 1e-9;
  Positions positions_;
  Point shift_;
};

}  // namespace

std::string draw_graph_view(const Subject& subject, const Timeline& timeline) {
  return GraphView(subject, timeline).draw();
}

}  // namespace espalier
