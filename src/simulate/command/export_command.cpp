// SPDX-License-Identifier: Apache-2.0
#include "simulate/command/export_command.hpp"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include "algorithms/unfit.hpp"
#include "settings/number.hpp"
#include "simulate/command/progress_bar.hpp"
#include "tool/output.hpp"

namespace espalier::tool {

namespace {

// Nobody fills a disk by mistake.
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30;

ExportFormat format_of(const ExportOptions& options) {
  if (options.format == "goal") return ExportFormat::goal;
  if (options.format == "chakra") return ExportFormat::chakra;
  if (options.format.empty()) throw BadRequest("--output and --force go with --export; allowed there: goal or chakra");
  throw BadRequest("--export " + options.format + ": no such format; allowed: goal or chakra");
}

std::string size_text(std::uint64_t bytes) {
  constexpr double unit = 1024;
  char text[32];
  double size = static_cast<double>(bytes) / unit;
  const char* name = "KiB";
  for (const char* const larger : {"MiB", "GiB", "TiB"}) {
    if (size < unit) break;
    size /= unit;
    name = larger;
  }
  std::snprintf(text, sizeof text, "%.1f %s", size, name);
  return text;
}

void check_size(const ExportOptions& options, const ExportedCall& call, ExportFormat format) {
  if (options.force) return;
  const ExportSize size = expected_size(call, format);
  if (size.bytes <= most_bytes) return;
  throw BadRequest("--export " + options.format + ": would take about " + size_text(size.bytes) + " for " +
                   std::to_string(size.tasks) +
                   " tasks; more than 1 GiB is written with --force only. Larger segments make fewer tasks.");
}

// What makes LogGOPSim play a message as we do where nothing else is under way.
struct LogGp {
  double latency_ns = 0, overhead_ns = 0, gap_per_byte_ns = 0;
};

LogGp log_gp_of(const Simulator& simulator) {
  const Wiring& wiring = simulator.wiring();
  LogGp parameters{.overhead_ns = simulator.costs().message_seconds / 2 * 1e9};  // at both ends
  if (wiring.nodes() < 2) return parameters;
  std::vector<int> links;
  wiring.route(0, 0, wiring.nodes() - 1, 0, links);
  const auto rate = [&](int link) { return wiring.links()[static_cast<std::size_t>(link)]; };
  parameters.latency_ns = (wiring.delay(links) + simulator.nodes().arrival_seconds) * 1e9;
  parameters.gap_per_byte_ns = 1e9 / rate(std::ranges::min(links, {}, rate));
  return parameters;
}

std::string arguments_of(const LogGp& parameters) {
  char text[128];
  std::snprintf(text, sizeof text, "-L %.0f -o %.0f -g 0 -O 0 -G %.3g -S 0", parameters.latency_ns,
                parameters.overhead_ns, parameters.gap_per_byte_ns);
  return text;
}

void print_written(const ExportOptions& options, ExportFormat format, const ExportSize& size, Rank ranks,
                   const LogGp& parameters) {
  const std::string counts = std::to_string(size.tasks) + " tasks, " + size_text(size.bytes) + "\n";
  if (format == ExportFormat::chakra)
    return print(options.output + ".0.et to ." + std::to_string(ranks - 1) + ".et: " + counts);
  print(options.output + ": " + std::to_string(ranks) + " ranks, " + counts + "\n" +
        "As between the first node and the last, for LogGOPSim: " + arguments_of(parameters) + "\n");
}

}  // namespace

void add_export_options(CLI::App& app, ExportOptions& options) {
  app.add_option("--export", options.format,
                 "Do not play: write one call's schedules for other simulators. goal (LogGOPSim, ATLAHS) or chakra");
  app.add_option("--output", options.output,
                 "Where --export writes: the file, or for chakra the beginning of PATH.RANK.et");
  app.add_flag("--force", options.force, "Export more than 1 GiB");
}

void export_schedules(const ExportOptions& options, const Simulator& simulator, const Choice& choice,
                      const Problem& problem, bool json) {
  const ExportFormat format = format_of(options);
  if (options.output.empty()) throw BadRequest("--export " + options.format + ": where to? --output PATH");
  if (const char* reason = unfit_for(choice, problem, simulator.shape()))
    throw BadRequest("--algorithm " + std::string(choice.algorithm->name) + ": " + reason);
  const ExportedCall call{choice, problem, simulator.shape(), simulator.costs().arithmetic_bytes_per_second};
  const Rank ranks = simulator.shape().size;
  ExportSize size;
  try {
    check_size(options, call, format);
    ProgressBar bar;
    size = export_call(call, format, options.output, [&](Rank written) {
      bar.show(options.output, static_cast<std::uint64_t>(written), static_cast<std::uint64_t>(ranks));
    });
  } catch (const std::length_error& error) {
    throw BadRequest("--export " + options.format + ": " + error.what());
  }
  const LogGp parameters = log_gp_of(simulator);
  if (!json) return print_written(options, format, size, ranks, parameters);
  print_json({{"format", options.format},
              {"output", options.output},
              {"collective", espalier::name_of(problem.collective)},
              {"bytes", problem.bytes()},
              {"algorithm", choice.algorithm->name},
              {"ranks", ranks},
              {"segment", choice.cut.segment_bytes},
              {"window", choice.cut.window},
              {"tasks", size.tasks},
              {"written_bytes", size.bytes},
              {"latency_ns", parameters.latency_ns},
              {"overhead_ns", parameters.overhead_ns},
              {"gap_per_byte_ns", parameters.gap_per_byte_ns}});
}

}  // namespace espalier::tool
