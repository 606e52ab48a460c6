// SPDX-License-Identifier: Apache-2.0
// halo: how packers lay the puts of a halo exchange onto engines, and how long that takes in the model of paper 3.
#include <array>
#include <memory>
#include <sstream>

#include "draw/packing_view.hpp"
#include "halo/fastest.hpp"
#include "halo/optimum.hpp"
#include "halo/packers.hpp"
#include "halo/patterns.hpp"
#include "tool/commands/halo_exchange.hpp"
#include "tool/output.hpp"

namespace espalier::tool {

namespace {

struct HaloOptions {
  int height = 872;
  std::string neighbours = "all";
  std::string packer;  // to be drawn; empty: none
  std::string format = "text";
  std::string file;
  std::string exchange;  // a file that describes another one; empty: that of the weather code
};

constexpr int max_height = 100'000;
constexpr std::string_view fastest_name = "fastest";

struct NamedNeighbours {
  const char* name;
  halo::Neighbours neighbours;
};
constexpr std::array all_neighbours = {
    NamedNeighbours{"east_west", halo::Neighbours::east_west},
    NamedNeighbours{"north_south", halo::Neighbours::north_south}, NamedNeighbours{"sides", halo::Neighbours::sides},
    NamedNeighbours{"diagonals", halo::Neighbours::diagonals}, NamedNeighbours{"all", halo::Neighbours::all}};

halo::Exchange exchange_of(const HaloOptions& options) {
  for (const NamedNeighbours& one : all_neighbours) {
    if (options.neighbours == one.name) return halo::scale_les3(options.height, one.neighbours);
  }
  throw BadRequest("--neighbours " + options.neighbours +
                   ": allowed are east_west, north_south, sides, diagonals and all");
}

struct NamedPacking {
  std::string name;
  halo::Packing packing;
  double seconds = 0;  // in the model
};

std::vector<NamedPacking> packed_by_all(const halo::Exchange& exchange) {
  const halo::Engines engines = halo::engines_of_k_computer();
  const halo::RateLimits limits = halo::limits_of_k_computer();
  std::vector<NamedPacking> found;
  const auto add = [&](std::string name, halo::Packing packing) {
    const double seconds = halo::running_time(packing, exchange, engines, limits);
    found.push_back({std::move(name), std::move(packing), seconds});
  };
  for (const halo::Packer& packer : halo::all_packers()) add(packer.name(), packer(exchange, engines));
  add(std::string(fastest_name), halo::fastest_packing(exchange, engines, limits));
  return found;
}

const NamedPacking& named(const std::vector<NamedPacking>& packings, const std::string& name) {
  std::string allowed;
  for (const NamedPacking& one : packings) {
    if (one.name == name) return one;
    allowed += (allowed.empty() ? "" : ", ") + one.name;
  }
  throw BadRequest("--packer " + name + ": no such packer; allowed: " + allowed);
}

std::string with_digits(double value, int digits) {
  std::ostringstream text;
  text.setf(std::ios::fixed);
  text.precision(digits);
  text << value;
  return text.str();
}

std::string microseconds_text(double seconds) { return with_digits(1e6 * seconds, 1) + " us"; }

// Next to the least that any packing needs where as many diagonal puts may be under way as there are engines.
double over_least(const NamedPacking& packed, const halo::Exchange& exchange, const halo::Engines& engines) {
  return packed.packing.length() / halo::least_length(exchange, engines, engines.count);
}

std::string drawing(const HaloOptions& options, const halo::Exchange& exchange,
                    const std::vector<NamedPacking>& packings) {
  const NamedPacking& packed = named(packings, options.packer);
  const halo::Engines engines = halo::engines_of_k_computer();
  const bool is_text = options.format == "text";
  const PackingSubject subject{.title = packed.name + ": " + std::to_string(exchange.puts.size()) + " puts to " +
                                        options.neighbours + ", height " + std::to_string(options.height),
                               .subtitle = "as packed: " + microseconds_text(packed.packing.length()) +
                                           "; in the model, with what is shared: " + microseconds_text(packed.seconds),
                               .exchange = &exchange,
                               .engines = &engines,
                               .packing = &packed.packing};
  return is_text ? draw_packing_text(subject) : draw_packing_svg(subject);
}

Json json_of(const HaloOptions& options, const halo::Exchange& exchange, const std::vector<NamedPacking>& packings) {
  Json answer = {{"height", options.height}, {"neighbours", options.neighbours}};
  answer["puts"] = exchange.puts.size();
  for (const NamedPacking& packed : packings) {
    answer["packers"].push_back(
        {{"name", packed.name}, {"length_s", packed.packing.length()}, {"seconds", packed.seconds}});
  }
  return answer;
}

std::string table_of(const halo::Exchange& exchange, const std::vector<NamedPacking>& packings) {
  const halo::Engines engines = halo::engines_of_k_computer();
  TextTable table = {{"Packer", "As packed", "/ least", "In the model"}};
  for (const NamedPacking& packed : packings) {
    const bool is_fastest = packed.name == fastest_name;
    table.push_back({packed.name, is_fastest ? "-" : microseconds_text(packed.packing.length()),
                     is_fastest ? "-" : with_digits(over_least(packed, exchange, engines), 2),
                     microseconds_text(packed.seconds)});
  }
  return format_table(std::move(table)) +
         "\nThe K computer: 4 engines of 3.9 GB/s that begin 1 us after each other, links\n"
         "of 4.8 GB/s, 16 us of overhead. As packed: if every put took as long as alone.\n"
         "In the model: with all that they share; the fastest is packed by that.\n";
}

void show(const HaloOptions& options, bool as_json) {
  if (!options.exchange.empty()) {
    if (!options.packer.empty()) throw BadRequest("--packer draws the weather code's exchange: not with --exchange");
    return show_exchange(options.exchange, as_json);
  }
  const halo::Exchange exchange = exchange_of(options);
  const std::vector<NamedPacking> packings = packed_by_all(exchange);
  if (!options.packer.empty()) return write(options.file, drawing(options, exchange, packings));
  if (as_json) return print_json(json_of(options, exchange, packings));
  print(table_of(exchange, packings));
}

}  // namespace

void add_halo(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("halo", "How packers lay a halo exchange onto engines, and how long it takes.");
  const auto options = std::make_shared<HaloOptions>();
  command->add_option("--height", options->height, "Points upwards of the grid: k of SCALE-LES3")
      ->check(CLI::Range(1, max_height))
      ->capture_default_str();
  command->add_option("--neighbours", options->neighbours, "east_west, north_south, sides, diagonals or all")
      ->capture_default_str();
  command->add_option("--packer", options->packer, "Draw what this one does");
  command->add_option("--exchange", options->exchange, "Compare them for the exchange in this JSON file instead");
  command->add_option("--format", options->format)->check(CLI::IsMember({"text", "svg"}))->capture_default_str();
  command->add_option("-o,--output", options->file, "Write the drawing to this file, not to standard output");
  const CLI::Option* json = add_json_flag(*command);
  command->callback([options, json] { show(*options, json->count() > 0); });
}

}  // namespace espalier::tool
