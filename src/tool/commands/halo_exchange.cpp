// SPDX-License-Identifier: Apache-2.0
#include "tool/commands/halo_exchange.hpp"

#include <cmath>
#include <cstdio>
#include <map>

#include "halo/lane_packers.hpp"
#include "halo/process_grid.hpp"
#include "tool/output.hpp"

namespace espalier::tool {

namespace {

constexpr int max_nodes = 4096;
constexpr std::size_t max_nics = 8, max_messages = 4096, max_bytes = std::size_t{1} << 40;
constexpr double max_rate = 1e15;

struct DescribedExchange {
  halo::Exchange exchange;
  halo::Engines nics;
};

class DescriptionReader {
 public:
  explicit DescriptionReader(const std::string& file) : file_(file) {}

  [[nodiscard]] DescribedExchange read() const try {
    const Json json = Json::parse(text_of("--exchange", file_));
    DescribedExchange found;
    found.exchange.nodes = static_cast<int>(whole(json.at("nodes"), "nodes", 1, max_nodes));
    found.nics = nics_of(json.at("nics"));
    const halo::ProcessGrid grid = grid_of(json, found.exchange.nodes);
    if (json.at("messages").size() > max_messages) fail("messages: at most " + std::to_string(max_messages));
    std::map<int, int> directions;  // by node: how many of its messages came before
    for (const Json& message : json.at("messages")) {
      halo::Put put = put_of(message, found.exchange.nodes);
      put.direction = directions[put.from]++;
      put.is_diagonal = !grid.sizes.empty() && grid.are_diagonal(put.from, put.to);
      if (put.from != put.to && put.bytes > 0) found.exchange.puts.push_back(std::move(put));
    }
    if (found.exchange.puts.empty()) fail("no node sends another one anything");
    return found;
  } catch (const Json::exception& error) {
    fail(std::string("it is no exchange: ") + error.what());
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw BadRequest("--exchange " + file_ + ": " + what); }

  [[nodiscard]] std::size_t whole(const Json& json, const char* what, std::size_t min, std::size_t max) const {
    const bool is_in_range =
        json.is_number_unsigned() && json.get<std::size_t>() >= min && json.get<std::size_t>() <= max;
    if (!is_in_range)
      fail(std::string(what) + " must be a whole number from " + std::to_string(min) + " to " + std::to_string(max));
    return json.get<std::size_t>();
  }

  [[nodiscard]] halo::Engines nics_of(const Json& rates) const {
    halo::Engines nics{.count = static_cast<int>(whole(Json(rates.size()), "the number of nics", 1, max_nics)),
                       .rates = rates.get<std::vector<double>>(),
                       .are_rails = true};
    for (const double rate : nics.rates) {
      if (!(rate > 0 && rate <= max_rate)) fail("nics must be rates in bytes a second, above 0");
    }
    return nics;
  }

  [[nodiscard]] halo::ProcessGrid grid_of(const Json& json, int nodes) const {
    if (!json.contains("grid") || json["grid"].empty()) return {};
    std::string text;
    for (const Json& size : json["grid"]) text += (text.empty() ? "" : "x") + size.dump();
    const halo::ProcessGrid grid = halo::process_grid_of(text, nodes);
    if (grid.sizes.empty()) fail("grid " + text + " does not have " + std::to_string(nodes) + " nodes");
    return grid;
  }

  [[nodiscard]] halo::Put put_of(const Json& message, int nodes) const {
    if (!message.is_array() || message.size() != 3) fail("a message must be [from, to, bytes]");
    const auto last = static_cast<std::size_t>(nodes - 1);
    return {.from = static_cast<int>(whole(message[0], "the sender of a message", 0, last)),
            .to = static_cast<int>(whole(message[1], "the receiver of a message", 0, last)),
            .bytes = whole(message[2], "the bytes of a message", 0, max_bytes)};
  }

  const std::string& file_;
};

Json timed_by_all(const DescribedExchange& described) {
  const auto& [exchange, nics] = described;
  Json packers = Json::array();
  for (const std::string& packer : halo::lane_packers()) {
    const auto lanes = halo::lanes_by(packer, exchange, nics, halo::wire_piece_bytes);
    packers.push_back({{"name", packer}, {"seconds", halo::time_of(*lanes, exchange, nics)}});
  }
  const halo::PackedLanes taken = halo::quickest_lanes(exchange, nics, halo::wire_piece_bytes);
  return {{"puts", exchange.puts.size()},
          {"least_seconds", halo::even_share(exchange, nics)},
          {"auto", taken.packer},
          {"packers", packers}};
}

std::string three_digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

std::string table_of(const Json& answer) {
  const double least = answer["least_seconds"];
  TextTable table = {{"Packer", "In the model", "/ least"}};
  for (const Json& one : answer["packers"]) {
    const double seconds = one["seconds"];
    table.push_back(
        {one["name"].get<std::string>(), three_digits(1e3 * seconds) + " ms", three_digits(seconds / least)});
  }
  return format_table(std::move(table)) + "\n" + answer["puts"].dump() +
         " messages. Least: until the fullest node has moved its bytes over all its NICs.\n"
         "Chosen where nothing is forced: " +
         answer["auto"].get<std::string>() + ".\n";
}

}  // namespace

void show_exchange(const std::string& file, bool as_json) {
  const Json answer = timed_by_all(DescriptionReader(file).read());
  if (as_json) return print_json(answer);
  print(table_of(answer));
}

}  // namespace espalier::tool
