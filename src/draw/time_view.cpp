// SPDX-License-Identifier: Apache-2.0
#include "draw/time_view.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "draw/legend.hpp"
#include "draw/palette.hpp"
#include "draw/svg.hpp"

namespace espalier {

namespace {

constexpr std::string_view style =
    "text{font-family:Helvetica,Arial,'DejaVu Sans',sans-serif;fill:#39424e;font-size:12px}"
    ".paper{fill:#ffffff}.band{fill:#f3f5f8}"
    ".title{font-size:19px;font-weight:bold;fill:#1c232b}.note{fill:#66717e}"
    ".step{text-anchor:middle;fill:#66717e;font-size:11px}.rank{text-anchor:end}"
    ".root{text-anchor:end;font-weight:bold;fill:#1c232b}"
    ".idle{stroke:#dde2e8;stroke-width:1.2}.busy{stroke:#a9b4c0;stroke-width:2}"
    ".end{stroke:#a9b4c0;stroke-width:2}.mark{stroke:#ffffff;stroke-width:1.5}";

constexpr double left = 76, top = 104, right = 36, row_height = 34, min_width = 600;
constexpr double mark_radius = 4.5;

// Wide columns while there are few of them.
double step_width(int steps) { return std::clamp(1500.0 / std::max(1, steps), 34.0, 84.0); }

class TimeView {
 public:
  TimeView(const Subject& subject, const Timeline& timeline)
      : subject_(subject),
        timeline_(timeline),
        ranks_(static_cast<int>(subject.ranks.size())),
        step_width_(step_width(timeline.steps)),
        by_segment_(subject.blocks() == 1),
        colours_(by_segment_ ? subject.segments : subject.blocks()),
        bottom_(top + ranks_ * row_height),
        legend_(legend()),
        width_(std::max({min_width, left + timeline.steps * step_width_ + right, legend_.width()})),
        svg_(width_, bottom_ + 56, style) {}

  std::string draw() {
    svg_.rectangle({0, 0}, width_, bottom_ + 56, "paper");
    draw_heading();
    draw_steps();
    for (Rank rank = 0; rank < ranks_; ++rank) draw_rank(rank);
    for (const DrawnMessage& transfer : timeline_.transfers) draw_transfer(transfer);
    draw_work();
    legend_.draw(svg_, bottom_ + 34);
    return std::move(svg_).finish();
  }

 private:
  [[nodiscard]] double x(int step) const { return left + step * step_width_; }
  [[nodiscard]] double y(Rank rank) const { return top + (rank + 0.5) * row_height; }
  [[nodiscard]] const Operation& operation(Rank rank, Item item) const {
    return subject_.ranks[rank].operations[item.operation];
  }

  // Which block, or which segment of the only block, an item is.
  [[nodiscard]] int label(const Operation& op, Item item) const {
    if (by_segment_) return op.merged ? 0 : item.index;
    return op.walked().label.at(op.merged ? 0 : item.index / subject_.segments);
  }
  [[nodiscard]] std::string colour(const Operation& op, Item item) const {
    return colour_of(label(op, item), colours_);
  }

  void draw_heading() {
    svg_.text({24, 32}, "title", title_of(subject_));
    svg_.text({24, 54}, "note", subtitle_of(subject_));
    svg_.text({24, 72}, "note",
              std::to_string(timeline_.transfers.size()) + " messages in " + std::to_string(timeline_.steps) +
                  " steps, when each rank can send one message and receive one per step");
  }

  void draw_steps() {
    for (int step = 0; step < timeline_.steps; ++step) {
      if (step % 2 == 0) svg_.rectangle({x(step), top - 6}, step_width_, bottom_ - top + 12, "band");
      svg_.text({x(step) + step_width_ / 2, top - 12}, "step", std::to_string(step + 1));
    }
  }

  void draw_rank(Rank rank) {
    const bool is_root = contract_of(subject_.algorithm->collective).is_rooted() && rank == subject_.root;
    svg_.text({left - 14, y(rank) + 4}, is_root ? "root" : "rank",
              (is_root ? "root " : "rank ") + std::to_string(rank));
    const int finished = timeline_.finished[rank] < 0 ? timeline_.steps : timeline_.finished[rank];
    svg_.line({x(finished), y(rank)}, {x(timeline_.steps), y(rank)}, "idle");
    svg_.line({x(0), y(rank)}, {x(finished), y(rank)}, "busy");
    if (timeline_.finished[rank] >= 0) svg_.line({x(finished), y(rank) - 6}, {x(finished), y(rank) + 6}, "end");
  }

  void draw_transfer(const DrawnMessage& transfer) {
    const Operation& op = operation(transfer.sender, transfer.sent);
    const Point from{x(transfer.step), y(transfer.sender)}, to{x(transfer.step + 1), y(transfer.receiver)};
    const int blocks = op.merged ? op.source.blocks : 1;
    const Stroke stroke{colour(op, transfer.sent), std::min(5.0, 1.6 + 0.8 * std::log2(blocks)), transfer.channel > 0};
    svg_.arrow(towards(from, to, 3), towards(to, from, mark_radius), stroke, 0, tip(transfer, op));
  }

  [[nodiscard]] std::string tip(const DrawnMessage& transfer, const Operation& op) const {
    std::string text = "step " + std::to_string(transfer.step + 1) + ": rank " + std::to_string(transfer.sender) +
                       " to " + std::to_string(transfer.receiver) + ", " + (by_segment_ ? "segment " : "block ") +
                       std::to_string(label(op, transfer.sent));
    if (op.merged && op.source.blocks > 1) text += " and " + std::to_string(op.source.blocks - 1) + " more";
    if (!by_segment_ && !op.merged && subject_.segments > 1) {
      text += ", segment " + std::to_string(transfer.sent.index % subject_.segments);
    }
    return transfer.channel > 0 ? text + ", channel " + std::to_string(transfer.channel) : text;
  }

  // One mark for all that a rank does between two steps; reductions hide copies.
  void draw_work() {
    std::map<std::pair<int, Rank>, Item> reductions, copies;
    for (const LocalWork& work : timeline_.work) {
      const bool reduces = operation(work.rank, work.item).kind == Operation::Kind::reduce;
      (reduces ? reductions : copies)[{work.step, work.rank}] = work.item;
    }
    for (const auto& [where, item] : copies) {
      if (reductions.contains(where)) continue;
      const auto [step, rank] = where;
      svg_.rectangle({x(step) - 4, y(rank) - 4}, 8, 8, "mark", colour(operation(rank, item), item));
    }
    for (const auto& [where, item] : reductions) {
      const auto [step, rank] = where;
      svg_.circle({x(step), y(rank)}, mark_radius + 1, "mark", colour(operation(rank, item), item));
    }
  }

  [[nodiscard]] bool does(Operation::Kind kind) const {
    return std::any_of(timeline_.work.begin(), timeline_.work.end(),
                       [&](const LocalWork& work) { return operation(work.rank, work.item).kind == kind; });
  }
  [[nodiscard]] bool has_merged_messages() const {
    return std::any_of(timeline_.transfers.begin(), timeline_.transfers.end(), [&](const DrawnMessage& transfer) {
      const Operation& op = operation(transfer.sender, transfer.sent);
      return op.merged && op.source.blocks > 1;
    });
  }

  [[nodiscard]] Legend legend() const {
    constexpr const char* grey = "#66717e";
    Legend legend(by_segment_ ? "segment" : "block");
    for (const int k : shown_of(colours_)) legend.add(Legend::Mark::swatch, colour_of(k, colours_), std::to_string(k));
    if (has_merged_messages()) legend.add(Legend::Mark::none, "", "wider: it and more blocks at once");
    if (does(Operation::Kind::reduce)) legend.add(Legend::Mark::circle, grey, "reduction");
    if (does(Operation::Kind::copy)) legend.add(Legend::Mark::square, grey, "copy");
    return legend;
  }

  const Subject& subject_;
  const Timeline& timeline_;
  int ranks_;
  double step_width_;
  bool by_segment_;
  int colours_;
  double bottom_;
  Legend legend_;
  double width_;
  Svg svg_;
};

}  // namespace

std::string draw_time_view(const Subject& subject, const Timeline& timeline) {
  return TimeView(subject, timeline).draw();
}

}  // namespace espalier
