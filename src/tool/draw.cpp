// SPDX-License-Identifier: Apache-2.0
// draw: any schedule, as text or as SVG.
#include <memory>

#include "draw/graph_view.hpp"
#include "draw/text.hpp"
#include "draw/time_view.hpp"
#include "select/fixed_table.hpp"
#include "settings/table.hpp"
#include "tool/output.hpp"
#include "tool/requests.hpp"

namespace espalier::tool {

namespace {

struct Options {
  std::string algorithm;
  Rank ranks = 8;
  Rank root = 0;
  int segments = 4;
  int window = usual_parameters.window;
  int radix = usual_parameters.radix;
  bool in_place = false;
  std::string format = "text";
  std::string view = "time";
  Rank only = no_rank;
  std::string file;
};

constexpr Rank most_ranks = 1024;
constexpr int most_segments = 4096;

std::string drawing(const Options& options) {
  const Algorithm& algorithm = requested_algorithm(options.algorithm);
  check_root(options.root, options.ranks);
  if (options.only >= options.ranks) throw BadRequest("--rank " + std::to_string(options.only) + ": no such rank");
  const auto ranks = build_all(algorithm, {options.ranks}, options.root, options.in_place,
                               {.pieces = options.segments, .radix = options.radix});
  const Subject subject{&algorithm, options.root, algorithm.cuts_by_length ? 1 : options.segments, options.window,
                        ranks};
  if (options.format == "text") {
    return draw_text(subject, options.only == no_rank ? std::nullopt : std::optional(options.only));
  }
  const Timeline timeline = run_idealised(ranks, subject.segments, subject.window);
  return options.view == "time" ? draw_time_view(subject, timeline) : draw_graph_view(subject, timeline);
}

}  // namespace

void add_draw(CLI::App& app) {
  CLI::App* command = app.add_subcommand("draw", "A schedule of all ranks, as text or as SVG.");
  const auto options = std::make_shared<Options>();
  command->add_option("algorithm", options->algorithm, "COLLECTIVE:ALGORITHM, for example allreduce:ring")->required();
  command->add_option("--ranks", options->ranks)->check(CLI::Range(1, most_ranks))->capture_default_str();
  command->add_option("--root", options->root)->capture_default_str();
  command
      ->add_option("--segments", options->segments, "Per block; or the number of blocks, if the algorithm chooses it")
      ->check(CLI::Range(1, most_segments))
      ->capture_default_str();
  command->add_option("--window", options->window, window_parameter.description.data())
      ->check(CLI::Range(window_parameter.limits.least, window_parameter.limits.most))
      ->capture_default_str();
  command->add_option("--radix", options->radix, radix_parameter.description.data())
      ->check(CLI::Range(radix_parameter.limits.least, radix_parameter.limits.most))
      ->capture_default_str();
  command->add_flag("--in-place", options->in_place, "Inputs lie in the output buffers");
  command->add_option("--format", options->format)->check(CLI::IsMember({"text", "svg"}))->capture_default_str();
  command->add_option("--view", options->view, "SVG: messages over time, or who sends to whom")
      ->check(CLI::IsMember({"time", "graph"}))
      ->capture_default_str();
  command->add_option("--rank", options->only, "Text: of this rank only")->check(CLI::NonNegativeNumber);
  command->add_option("-o,--output", options->file, "Write to this file, not to standard output");
  command->callback([options] { write(options->file, drawing(*options)); });
}

}  // namespace espalier::tool
