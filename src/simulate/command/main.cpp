// SPDX-License-Identifier: Apache-2.0
// espalier-simulate: what collectives take on a described machine, by SimGrid. The Python command `espalier simulate`
// is built on it.
//
// Exit status: 0 done; 1 something was found wrong; 2 not understood.
#include <cstdio>

#include "core/bad_description.hpp"
#include "core/printable.hpp"
#include "settings/number.hpp"
#include "settings/words.hpp"
#include "simulate/command/calls.hpp"
#include "simulate/command/export_command.hpp"
#include "simulate/command/laggards.hpp"
#include "simulate/command/large_pages.hpp"
#include "simulate/command/progress_bar.hpp"
#include "simulate/command/rows.hpp"
#include "simulate/command/sizes.hpp"
#include "simulate/known_machines.hpp"
#include "simulate/long_call.hpp"
#include "tool/networks.hpp"
#include "tool/output.hpp"
#include "tool/requests.hpp"
#include "topology/readers/toml_reader.hpp"

namespace espalier::tool {

namespace {

constexpr int failed = 1, not_understood = 2;

// For gains there are many calls to play, and they are told apart no finer.
constexpr LongCallLimits limits_for_gains = {.even_within = 0.02, .most_messages = 1'000'000};

struct SimulateOptions {
  std::string collective;
  std::string bytes = "64KiB..16MiB";
  std::string algorithms;  // empty: all
  std::string machine;     // one that is known
  std::string hostfile;
  NetworkOptions network;
  Rank root = 0;
  int fewest_segments = 0;
  bool whole = false;
  bool by_simgrid = false;
  bool gain = false;
  ExportOptions exported;
};

Machine known_machine(const std::string& name) {
  std::vector<std::string_view> names;
  for (const KnownMachine& known : known_machines()) {
    if (known.file == name) return machine_from_toml(known.text, name + ".toml");
    names.push_back(known.file);
  }
  throw BadRequest("--machine " + name + ": no such machine; " + advice(name, names));
}

Machine machine_of(const SimulateOptions& options) {
  if (!options.machine.empty()) return known_machine(options.machine);
  if (options.network.given()) return requested_machine(options.network);
  throw BadRequest("on which machine? It is named with --machine, --topology, --torus or --mesh");
}

std::string machine_name(const Machine& machine, const SimulateOptions& options) {
  if (!machine.simulated.name.empty()) return machine.simulated.name;
  if (!options.network.torus.empty()) return "torus " + options.network.torus;
  if (!options.network.mesh.empty()) return "mesh " + options.network.mesh;
  return options.network.topology;
}

std::vector<std::size_t> sizes_of(const SimulateOptions& options) {
  if (requested_collective(options.collective) == Collective::barrier) return {0};
  return requested_sizes("--bytes", options.bytes);
}

void export_one(const SimulateOptions& options, const Simulator& simulator, bool json) {
  const Collective collective = requested_collective(options.collective);
  check_root(options.root, simulator.shape().size);
  const auto candidates = requested_candidates(collective, options.algorithms, simulator.shape());
  const std::vector<std::size_t> sizes = sizes_of(options);
  if (candidates.size() != 1 || sizes.size() != 1)
    throw BadRequest("--export: one call at a time; allowed: --bytes SIZE --algorithm NAME");
  const Problem problem = problem_of(collective, sizes.front(), options.root);
  const Choice choice = candidates.front().choice(problem, simulator.shape());
  export_schedules(options.exported, simulator, choice, problem, json);
}

std::vector<SimulatedCall> requested_calls(const SimulateOptions& options, const Machine& machine,
                                           const std::vector<int>& node_of, const Shape& shape) {
  const Collective collective = requested_collective(options.collective);
  check_root(options.root, shape.size);
  const auto candidates = requested_candidates(collective, options.algorithms, shape);
  std::vector<Problem> problems;
  for (const std::size_t bytes : sizes_of(options)) problems.push_back(problem_of(collective, bytes, options.root));
  if (!options.gain) return calls_of(candidates, problems, shape);
  return calls_with_gains(candidates, problems, shape, JobNetworks(machine, node_of, NicUse::all));
}

// Cut longer than what was not cut already.
bool runs_alike(const SimulatedRow& last, const SimulatedCall& call) {
  const std::size_t former = last.call.choice.cut.segment_bytes, segment = call.choice.cut.segment_bytes;
  return !call.is_chosen && last.call.choice.algorithm == call.choice.algorithm &&
         last.call.problem.bytes() == call.problem.bytes() && last.time.segments == 1 && former > 0 &&
         (segment == 0 || segment > former);
}

std::vector<SimulatedRow> simulated_rows(const std::vector<SimulatedCall>& calls, Simulator& simulator,
                                         const LongCallLimits& limits, bool gain) {
  std::vector<SimulatedRow> rows;
  Laggards laggards;
  ProgressBar bar;
  std::size_t count = 0;
  for (const SimulatedCall& call : calls) {
    const std::string number = std::to_string(++count) + " of " + std::to_string(calls.size());
    if (gain && (laggards.leave_out(call) || (!rows.empty() && runs_alike(rows.back(), call)))) continue;
    const std::string what = number + "  " + format_size(call.problem.bytes()) + " " + parameters_text(call.choice);
    const auto progress = [&](std::uint64_t done, std::uint64_t all) { bar.show(what, done, all); };
    rows.push_back({call, simulate_call(simulator, call.choice, call.problem, limits, progress)});
    laggards.note(call, rows.back().time.seconds);
  }
  return rows;
}

void simulate(const SimulateOptions& options, bool json) {
  const Machine machine = machine_of(options);
  const std::vector<int> node_of = requested_nodes(options.hostfile, machine);
  Simulator simulator(machine, node_of);
  if (options.exported.given()) return export_one(options, simulator, json);
  if (options.by_simgrid) simulator.ask_simgrid_always();
  LongCallLimits limits = options.gain ? limits_for_gains : LongCallLimits{};
  limits.fewest_segments = options.fewest_segments;
  if (options.whole) limits.fewest_segments = std::numeric_limits<int>::max() / 3;
  const auto calls = requested_calls(options, machine, node_of, simulator.shape());
  const std::vector<SimulatedRow> rows = simulated_rows(calls, simulator, limits, options.gain);
  const std::string name = machine_name(machine, options);
  if (json) {
    Json answer = Json::array();
    for (const SimulatedRow& row : rows) answer.push_back(as_json(row, name, simulator, options.gain));
    return print_json(answer);
  }
  print(options.collective + " on " + name + ", " + std::to_string(simulator.shape().size) + " ranks, by SimGrid " +
        simgrid_version() + "\n\n" + table_of(rows) + warnings_for(rows, limits.even_within));
}

void add_options(CLI::App& app, SimulateOptions& options) {
  app.add_option("collective", options.collective, "In lower case, such as allreduce or bcast")->required();
  app.add_option("--bytes", options.bytes, "Of the message, or of a rank's block: 8,64KiB or 64KiB..1GiB, doubled")
      ->capture_default_str();
  app.add_option("--algorithm", options.algorithms,
                 "With parameters: ring,trinaryx3,segment=64KiB,window=8. All, if it is not said");
  app.add_flag("--gain", options.gain, "Also what Espalier would choose; in JSON, mark that and what a plain MPI does");
  app.add_option("--machine", options.machine, "One that is known, such as k-48x6x32");
  add_network_options(app, options.network);
  app.add_option("--hostfile", options.hostfile, "Which ranks sit where; else one on each node");
  app.add_option("--root", options.root)->capture_default_str();
  app.add_option("--segments", options.fewest_segments,
                 "In the shortest of three plays of a long message; by default twice the window")
      ->check(CLI::Range(1, 1 << 20));
  app.add_flag("--by-simgrid", options.by_simgrid, "Also messages that share no link, whose time needs no SimGrid");
  app.add_flag("--whole", options.whole, "Play long messages from beginning to end");
  add_export_options(app, options.exported);
}

int complain(const std::exception& error, int status) {
  std::fprintf(stderr, "espalier-simulate: %s\n", espalier::printable_lines(error.what()).c_str());
  return status;
}

int run(int argc, char** argv) {
  CLI::App app("What collectives take on a described machine: their schedules, played by SimGrid.",
               "espalier-simulate");
  app.set_version_flag("--version", std::string(ESPALIER_VERSION) + " with SimGrid " + simgrid_version());
  SimulateOptions options;
  add_options(app, options);
  const CLI::Option* json = add_json_flag(app);
  try {
    app.parse(argc, argv);
    simulate(options, json->count() > 0);
    return 0;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : not_understood;
  } catch (const BadRequest& error) {
    return complain(error, not_understood);
  } catch (const BadDescription& error) {
    return complain(error, not_understood);
  } catch (const std::exception& error) {
    return complain(error, failed);
  }
}

}  // namespace

}  // namespace espalier::tool

int main(int argc, char** argv) {
  espalier::tool::begin_with_large_pages(argv);
  return espalier::tool::run(argc, argv);
}
