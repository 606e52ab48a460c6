// SPDX-License-Identifier: Apache-2.0
#include "draw/lattice_view.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>

#include "draw/palette.hpp"
#include "draw/svg.hpp"
#include "schedule/layout.hpp"

namespace espalier {

namespace {

constexpr std::string_view style =
    "text{font-family:Helvetica,Arial,'DejaVu Sans',sans-serif;fill:#39424e;font-size:12px}"
    ".paper{fill:#ffffff}.title{font-size:19px;font-weight:bold;fill:#1c232b}.note{fill:#66717e}"
    ".panel{font-size:14px;font-weight:bold;fill:#1c232b}.link{stroke:#e3e7eb;stroke-width:1.5;fill:none}"
    ".node{fill:#ffffff;stroke:#4a5562;stroke-width:1.2}.root{fill:#1c232b;stroke:#1c232b}";

constexpr double spacing = 84, margin = 46, top = 96, node_radius = 5;
constexpr int panels_in_a_row = 4;
constexpr std::size_t elements = 720720;  // many numbers of blocks divide it

// Where the axes point on paper: right, down, towards the back, and far right.
constexpr Point directions[] = {{1, 0}, {0, 1}, {0.42, -0.34}, {3.4, 0}};

struct Hop {
  int from = 0, to = 0;
  friend auto operator<=>(const Hop&, const Hop&) = default;
};

class LatticeView {
 public:
  LatticeView(const Subject& subject, const Network& network, const MeasuredLoads& measured)
      : subject_(subject), network_(network), box_(*network.box()), is_measured_(!measured.empty()) {
    collect();
    if (is_measured_) load_.clear();
    for (const auto& [ends, bytes] : measured) load_[{ends.first, ends.second}] = bytes;
    place_nodes();
  }

  std::string draw() {
    const int panels = static_cast<int>(channels_.size()) + 1;
    const int columns = std::min(panels, panels_in_a_row), rows = (panels + columns - 1) / columns;
    const double width = std::max(560.0, columns * panel_width_ + margin), height = top + rows * panel_height_ + 20;
    Svg svg(width, height, style);
    svg.rectangle({0, 0}, width, height, "paper");
    svg.text({24, 32}, "title", title_of(subject_));
    svg.text({24, 54}, "note", subtitle_of(subject_));
    svg.text({24, 72}, "note", "links that go round an end are drawn as stubs at both ends");
    int panel = 0;
    for (const auto& [channel, hops] : channels_) draw_tree(svg, corner(panel++, columns), channel, hops);
    draw_load(svg, corner(panel, columns));
    return std::move(svg).finish();
  }

 private:
  void collect() {
    const Partition partition({.blocks = subject_.blocks(), .elements = elements});
    for (std::size_t rank = 0; rank < subject_.ranks.size(); ++rank) {
      const Layout layout(subject_.ranks[rank], partition, 1);
      for (std::uint32_t k = 0; k < subject_.ranks[rank].operations.size(); ++k) {
        const Operation& op = subject_.ranks[rank].operations[k];
        for (int item = 0; op.kind == Operation::Kind::send && item < layout.items().count(k); ++item) {
          const Rank peer = op.peer(layout.block_of(k, item));
          const Hop hop{network_.node_of(static_cast<Rank>(rank)), network_.node_of(peer)};
          if (hop.from == hop.to) continue;
          channels_[op.channel].insert(hop);
          load_[hop] += static_cast<double>(layout.extent(k, op.source, item).length) / elements;
        }
      }
    }
  }

  void place_nodes() {
    Point low, high;
    for (int node = 0; node < network_.nodes(); ++node) {
      Point at;
      const Coordinates place = box_.lattice.coordinates_of(box_.number_of(node));
      for (std::size_t a = 0; a < place.size(); ++a) {
        at.x += directions[a].x * spacing * place[a];
        at.y += directions[a].y * spacing * place[a];
      }
      at_.push_back(at);
      low = {std::min(low.x, at.x), std::min(low.y, at.y)};
      high = {std::max(high.x, at.x), std::max(high.y, at.y)};
    }
    for (Point& at : at_) at = {at.x - low.x + margin, at.y - low.y + margin};
    panel_width_ = high.x - low.x + 2 * margin;
    panel_height_ = high.y - low.y + 2 * margin + 22;
  }

  [[nodiscard]] Point corner(int panel, int columns) const {
    return {margin / 2 + panel % columns * panel_width_, top + panel / columns * panel_height_};
  }
  [[nodiscard]] static Point shifted(Point at, Point corner) { return {at.x + corner.x, at.y + corner.y + 22}; }

  // From one node towards a neighbour: to it, or, round an end, a stub beyond this one. Both as the arrow has them.
  struct LinkLine {
    Point from, to;
    bool is_stub = false;
    Point stub_from, stub_to;  // at the other end
  };
  [[nodiscard]] LinkLine line_of(const Hop& hop, Point corner) const {
    const Point a = shifted(at_[hop.from], corner), b = shifted(at_[hop.to], corner);
    const Coordinates from = box_.lattice.coordinates_of(box_.number_of(hop.from));
    const Coordinates to = box_.lattice.coordinates_of(box_.number_of(hop.to));
    for (std::size_t axis = 0; axis < from.size(); ++axis) {
      const int extent = box_.lattice.axes[axis].extent, difference = to[axis] - from[axis];
      if (difference == 0) continue;
      if (std::abs(difference) == 1 && extent > 2) return {a, b, false, {}, {}};
      if (std::abs(difference) != extent - 1) continue;
      if (extent == 2) return {a, b, false, {}, {}};
      const double sign = difference > 0 ? -1 : 1;  // it leaves on the other side
      const Point step{directions[axis].x * spacing * 0.36 * sign, directions[axis].y * spacing * 0.36 * sign};
      return {a, {a.x + step.x, a.y + step.y}, true, {b.x - step.x, b.y - step.y}, b};
    }
    return {a, b, false, {}, {}};
  }

  void draw_links(Svg& svg, Point corner) const {
    for (const Arc& arc : network_.arcs()) {
      const LinkLine line = line_of({arc.from, arc.to}, corner);
      svg.line(line.from, line.to, "link");
    }
  }

  void draw_nodes(Svg& svg, Point corner) const {
    for (int node = 0; node < network_.nodes(); ++node) {
      const bool is_root = node == network_.node_of(subject_.root);
      svg.circle(shifted(at_[node], corner), is_root ? node_radius + 2 : node_radius, is_root ? "root" : "node");
    }
  }

  // Two messages that meet on a link keep to their own sides.
  void draw_hop(Svg& svg, Point corner, const Hop& hop, const Stroke& stroke, bool both_directions,
                const std::string& tip) const {
    const LinkLine line = line_of(hop, corner);
    const double bend = both_directions ? 7 : 0;
    const auto draw = [&](Point from, Point to) {
      svg.arrow(towards(from, to, node_radius), towards(to, from, node_radius + 1), stroke, bend, tip);
    };
    if (!line.is_stub) return draw(line.from, line.to);
    svg.arrow(towards(line.from, line.to, node_radius), line.to, stroke, bend, tip);
    svg.arrow(line.stub_from, towards(line.stub_to, line.stub_from, node_radius + 1), stroke, bend, tip);
  }

  [[nodiscard]] std::string name_of(const Hop& hop) const {
    return "rank " + std::to_string(network_.ranks_on(hop.from).front()) + " to " +
           std::to_string(network_.ranks_on(hop.to).front());
  }

  void draw_tree(Svg& svg, Point corner, Channel channel, const std::set<Hop>& hops) const {
    svg.text({corner.x + margin / 2, corner.y + 8}, "panel", "Tree " + std::to_string(channel + 1));
    draw_links(svg, corner);
    const Stroke stroke{colour_of(channel, std::max<int>(2, static_cast<int>(channels_.size()))), 2};
    for (const Hop& hop : hops) {
      draw_hop(svg, corner, hop, stroke, hops.contains({hop.to, hop.from}), name_of(hop));
    }
    draw_nodes(svg, corner);
  }

  void draw_load(Svg& svg, Point corner) const {
    double high = 1e-9;
    for (const auto& [hop, load] : load_) high = std::max(high, load);
    char title[80];
    std::snprintf(title, sizeof title, is_measured_ ? "Measured: at most %.3g MB" : "Link load: at most %.3g",
                  is_measured_ ? high / 1e6 : high);
    svg.text({corner.x + margin / 2, corner.y + 8}, "panel", title);
    draw_links(svg, corner);
    for (const auto& [hop, load] : load_) {
      const double share = load / high;
      char tip[96];
      std::snprintf(tip, sizeof tip, is_measured_ ? "%s: %.3g MB" : "%s: %.3g of the message", name_of(hop).c_str(),
                    is_measured_ ? load / 1e6 : load);
      const Stroke stroke{colour_of(static_cast<int>(100 * (1 - share)), 101), 0.8 + 2 * share};
      draw_hop(svg, corner, hop, stroke, load_.contains({hop.to, hop.from}), tip);
    }
    draw_nodes(svg, corner);
  }

  const Subject& subject_;
  const Network& network_;
  const Network::Box& box_;
  const bool is_measured_;
  std::map<Channel, std::set<Hop>> channels_;
  std::map<Hop, double> load_;  // shares of the message, or bytes
  std::vector<Point> at_;
  double panel_width_ = 0, panel_height_ = 0;
};

}  // namespace

std::string draw_lattice_view(const Subject& subject, const Network& network, const MeasuredLoads& measured) {
  return LatticeView(subject, network, measured).draw();
}

}  // namespace espalier
