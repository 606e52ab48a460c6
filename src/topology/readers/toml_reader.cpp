// SPDX-License-Identifier: Apache-2.0
#include "topology/readers/toml_reader.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "toml/fields.hpp"
#include "topology/text/host_list.hpp"
#include "topology/tofu.hpp"

namespace espalier {

namespace {

constexpr int max_nics = 16, max_engines = 64, max_threads = 1024, max_switch_links = 1024;
constexpr int max_places = 1 << 20;  // a line may stand for many: they are refused before memory is taken

class TomlReader : TomlFields {
 public:
  TomlReader(const toml::table& root, const std::string& file) : TomlFields(file), root_(root) {}

  Machine machine() {
    allow(root_, {"torus", "mesh", "coordinates", "tofu", "rails", "site", "wan", "node", "link", "hop_seconds",
                  "burst", "arithmetic", "engines", "simulation"});
    const char* const kinds[] = {"torus", "mesh", "coordinates", "tofu", "rails", "site", "node"};
    const char* found = nullptr;
    for (const char* kind : kinds) {
      if (!root_.contains(kind)) continue;
      if (found != nullptr) fail(root_, std::string("[") + found + "] and [" + kind + "] do not go together");
      found = kind;
    }
    if (found == nullptr)
      fail(root_,
           "describes no network; allowed: [torus], [mesh], [coordinates], [tofu], [rails], [[site]] or [[node]]");
    const std::string kind = found;
    if (root_.contains("wan") && kind != "site") fail(*root_.get("wan"), "[wan] goes with [[site]] only");
    if (kind == "torus" || kind == "mesh") {
      read_lattice(table(root_, found), kind == "torus");
    } else if (kind == "coordinates") {
      read_coordinates(table(root_, found));
    } else if (kind == "tofu") {
      read_tofu(table(root_, found));
    } else if (kind == "rails") {
      read_cluster(table(root_, found), 0);
    } else if (kind == "site") {
      read_sites();
    } else {
      read_graph();
    }
    if (root_.contains("hop_seconds")) machine_.hop_seconds = positive(root_, "hop_seconds");
    if (root_.contains("burst")) machine_.burst_bytes = positive(root_, "burst");
    if (root_.contains("engines")) machine_.engines = engines();
    if (root_.contains("arithmetic")) machine_.arithmetic_bytes_per_second = positive(root_, "arithmetic");
    if (root_.contains("simulation")) read_simulation(table(root_, "simulation"));
    check_names();
    return std::move(machine_);
  }

 private:
  [[nodiscard]] int engines() const {
    if (machine_.nic_bytes_per_second > 0)
      fail(*root_.get("engines"), "engines do not go with NICs, which have one each");
    return whole(*root_.get("engines"), "engines", 1, max_engines);
  }

  // A list, or one text in Slurm's form: "n[0-63]".
  std::vector<std::string> names_in(const toml::table& in) const {
    const toml::node& node = required(in, "nodes");
    if (node.is_string()) try {
        return hosts_of(text(node, "nodes"), max_places);
      } catch (const std::invalid_argument& error) {
        fail(node, error.what());
      }
    std::vector<std::string> names;
    for (const toml::node& name : array(in, "nodes")) names.push_back(text(name, "a node's name"));
    return names;
  }

  int add_node(const std::string& name, int nics = 1, int site = 0) {
    machine_.nodes.push_back({name, nics, site});
    return static_cast<int>(machine_.nodes.size()) - 1;
  }

  void read_lattice(const toml::table& in, bool wraps) {
    if (wraps) {
      allow(in, {"extents", "rate", "nodes", "links_in_pairs"});
    } else {
      allow(in, {"extents", "rate", "nodes"});
    }
    const bool doubles = in.contains("links_in_pairs") && whole(*in.get("links_in_pairs"), "links_in_pairs", 1, 2) == 2;
    Lattice lattice;
    for (const int extent : extents_of(in, 1, 16)) {
      lattice.axes.push_back({extent, wraps && extent > 1, doubles && extent == 2});
    }
    const int places = lattice.points();
    for (const std::string& name : names_in(in)) machine_.node_at.push_back(name.empty() ? no_node : add_node(name));
    if (static_cast<int>(machine_.node_at.size()) != places) {
      fail(required(in, "nodes"), std::to_string(machine_.node_at.size()) + " nodes are named, but there are " +
                                      std::to_string(places) + " places; a missing node is \"\"");
    }
    machine_.arcs = arcs_of(lattice, machine_.node_at, positive(in, "rate"));
    machine_.lattice = std::move(lattice);
  }

  // `nodes_each`: how many places each place of these extents stands for.
  std::vector<int> extents_of(const toml::table& in, std::size_t least, std::size_t most, int nodes_each = 1,
                              const char* key = "extents") const {
    std::vector<int> extents;
    std::int64_t places = nodes_each;
    for (const toml::node& node : array(in, key)) {
      extents.push_back(whole(node, "an extent", 1, max_places));
      if ((places *= extents.back()) > max_places) {
        fail(node, "too many places for nodes; allowed: " + std::to_string(max_places));
      }
    }
    if (extents.size() < least || extents.size() > most) {
      fail(required(in, key), least == most ? std::to_string(least) + " extents are needed"
                                            : "1 to " + std::to_string(most) + " extents are allowed");
    }
    return extents;
  }

  struct NamedPlace {
    int node = no_node;
    Coordinates place;
    const toml::node* where = nullptr;
  };

  // Of each named node; below these limits.
  std::vector<NamedPlace> named_places(const toml::table& in, const std::vector<int>& limits) {
    std::vector<NamedPlace> named;
    for (const auto& [name, node] : table(in, "nodes")) {
      if (!node.is_array() || node.as_array()->size() != limits.size()) {
        fail(node, "a node has " + std::to_string(limits.size()) + " coordinates");
      }
      Coordinates place;
      for (const toml::node& coordinate : *node.as_array()) {
        place.push_back(whole(coordinate, "a coordinate", 0, limits[place.size()] - 1));
      }
      named.push_back({add_node(std::string(name.str())), std::move(place), &node});
    }
    return named;
  }

  // Where no extents are given: those of the smallest box around the named places, whose first `axes` coordinates are
  // counted from its corner from now on.
  std::vector<int> extents_around(const toml::table& in, std::vector<NamedPlace>& named, std::size_t axes,
                                  int nodes_each) const {
    if (named.empty()) fail(required(in, "nodes"), "there is no node");
    std::vector<int> extents;
    std::int64_t places = nodes_each;
    for (std::size_t axis = 0; axis < axes; ++axis) {
      int least = max_places, most = 0;
      for (const NamedPlace& one : named) {
        least = std::min(least, one.place[axis]);
        most = std::max(most, one.place[axis]);
      }
      for (NamedPlace& one : named) one.place[axis] -= least;
      extents.push_back(most - least + 1);
      if ((places *= extents.back()) > max_places) {
        fail(required(in, "nodes"), "too many places between the nodes; allowed: " + std::to_string(max_places));
      }
    }
    return extents;
  }

  void put_at(int node, const Coordinates& place, const toml::node& where) {
    int& here = machine_.node_at[static_cast<std::size_t>(machine_.lattice->number_of(place))];
    if (here != no_node)
      fail(where, "node '" + machine_.nodes[static_cast<std::size_t>(here)].name + "' is there, too");
    here = node;
  }

  void begin_lattice(Lattice lattice) {
    machine_.node_at.assign(static_cast<std::size_t>(lattice.points()), no_node);
    machine_.lattice = std::move(lattice);
  }

  void read_coordinates(const toml::table& in) {
    constexpr std::size_t most_dimensions = 6;
    allow(in, {"extents", "wraps", "rate", "nodes"});
    const bool knows_ends = in.contains("extents");
    if (!knows_ends && in.contains("wraps") && truth(*in.get("wraps"), "wraps"))
      fail(*in.get("wraps"), "only with extents is it known where the ends are joined");
    const bool wraps = knows_ends && (!in.contains("wraps") || truth(*in.get("wraps"), "wraps"));
    std::vector<int> extents = knows_ends ? extents_of(in, 1, most_dimensions) : std::vector<int>{};
    std::vector<NamedPlace> named =
        named_places(in, knows_ends ? extents : std::vector<int>(dimensions_of(in, most_dimensions), max_places));
    if (!knows_ends) extents = extents_around(in, named, named.empty() ? 0 : named.front().place.size(), 1);
    Lattice lattice;
    for (const int extent : extents) lattice.axes.push_back({extent, wraps && extent > 1});
    begin_lattice(std::move(lattice));
    for (const auto& [node, place, where] : named) put_at(node, place, *where);
    machine_.arcs = arcs_of(*machine_.lattice, machine_.node_at, positive(in, "rate"));
  }

  // As many as the first node has.
  std::size_t dimensions_of(const toml::table& in, std::size_t most) const {
    for (const auto& [name, node] : table(in, "nodes")) {
      const std::size_t count = node.is_array() ? node.as_array()->size() : 0;
      if (count < 1 || count > most) fail(node, "a node has 1 to " + std::to_string(most) + " coordinates");
      return count;
    }
    return 1;
  }

  // All places of a box, in order.
  void read_tofu_box(const toml::table& in) {
    allow(in, {"box", "rate", "nodes"});
    const std::vector<int> box = extents_of(in, 3, 3, 1, "box");
    try {
      machine_.tofu = tofu_box({box[0], box[1], box[2]});
    } catch (const std::invalid_argument& error) {
      fail(required(in, "box"), std::string("an extent cannot be folded; ") + error.what());
    }
    const std::vector<std::string> names = names_in(in);
    if (names.size() != machine_.tofu.size())
      fail(required(in, "nodes"), std::to_string(names.size()) + " nodes are named, but there are " +
                                      std::to_string(machine_.tofu.size()) + " places");
    for (const std::string& name : names) add_node(name);
    begin_lattice({{{box[0], box[0] > 1}, {box[1], box[1] > 1}, {box[2], box[2] > 1}}});
    for (int node = 0; node < static_cast<int>(names.size()); ++node) machine_.node_at[node] = node;
    machine_.arcs = tofu_arcs(machine_.tofu, positive(in, "rate"));
  }

  void read_tofu(const toml::table& in) {
    if (in.contains("box")) return read_tofu_box(in);
    allow(in, {"extents", "rate", "nodes"});
    const bool has_extents = in.contains("extents");
    std::vector<int> groups = has_extents ? extents_of(in, 3, 3, nodes_of_tofu_group) : std::vector<int>(3, max_places);
    std::vector<int> limits = groups;
    limits.insert(limits.end(), tofu_group.begin(), tofu_group.end());
    std::vector<NamedPlace> named = named_places(in, limits);
    if (!has_extents) groups = extents_around(in, named, groups.size(), nodes_of_tofu_group);
    const std::array<int, 3> extents = {groups[0], groups[1], groups[2]};
    begin_lattice(folded_lattice(extents));
    for (const auto& [node, p, where] : named) {
      machine_.tofu.push_back({p[0], p[1], p[2], p[3], p[4], p[5]});
      put_at(node, folded_place(machine_.tofu.back(), extents), *where);
    }
    machine_.arcs = tofu_arcs(machine_.tofu, positive(in, "rate"));
  }

  // One rate for all of them, or a list.
  std::vector<double> rates_of_nics(const toml::table& in) {
    const bool is_list = in.contains("rate") && in.get("rate")->is_array();
    const int listed = is_list ? static_cast<int>(array(in, "rate").size()) : 1;
    const int nics = in.contains("nics") ? whole(*in.get("nics"), "nics", 1, max_nics) : listed;
    if (!is_list) return std::vector<double>(static_cast<std::size_t>(nics), positive(in, "rate"));
    if (listed != nics || nics < 1 || nics > max_nics) {
      fail(required(in, "rate"), "a list of rates must have one for each NIC, at most " + std::to_string(max_nics));
    }
    std::vector<double> rates;
    for (const toml::node& rate : array(in, "rate")) rates.push_back(positive(rate, "a rate"));
    return rates;
  }

  void read_cluster(const toml::table& in, int site) {
    allow(in, {"nics", "rate", "nodes"});
    const std::vector<double> rates = rates_of_nics(in);
    const int nics = static_cast<int>(rates.size());
    const bool differ = std::ranges::any_of(rates, [&](double rate) { return rate != rates.front(); });
    const double mean = differ ? std::accumulate(rates.begin(), rates.end(), 0.0) / nics : rates.front();
    const std::vector<double> different = differ ? rates : std::vector<double>{};
    if (site > 0 && (machine_.nic_bytes_per_second != mean || machine_.nic_rates != different)) {
      fail(required(in, "rate"), "all sites must have NICs of the same rate");
    }
    machine_.nic_bytes_per_second = mean;
    machine_.nic_rates = different;
    const std::vector<std::string> names = names_in(in);
    if (names.empty()) fail(required(in, "nodes"), "there is no node");
    for (const std::string& name : names) add_node(name, nics, site);
  }

  void read_sites() {
    int site = 0;
    for (const toml::node& node : array(root_, "site")) {
      if (!node.is_table()) fail(node, "a site must be a table: [[site]]");
      read_cluster(*node.as_table(), site++);
    }
    if (!root_.contains("wan")) return;
    allow(table(root_, "wan"), {"seconds"});
    machine_.wan_seconds = positive(table(root_, "wan"), "seconds");
  }

  void read_graph() {
    for (const toml::node& node : array(root_, "node")) {
      if (!node.is_table()) fail(node, "a node must be a table: [[node]]");
      allow(*node.as_table(), {"name"});
      add_node(text(required(*node.as_table(), "name"), "a node's name"));
    }
    for (const toml::node& node : array(root_, "link")) {
      if (!node.is_table()) fail(node, "a link must be a table: [[link]]");
      read_link(*node.as_table());
    }
  }

  void read_link(const toml::table& in) {
    allow(in, {"between", "rate"});
    const toml::array& between = array(in, "between");
    if (between.size() != 2) fail(between, "a link is between two nodes");
    int ends[2];
    for (int i = 0; i < 2; ++i) {
      const std::string name = text(between[i], "a node's name");
      ends[i] = machine_.node_named(name);
      if (ends[i] == no_node) fail(between[i], "there is no node '" + name + "'");
    }
    if (ends[0] == ends[1]) fail(between, "a link is between two different nodes");
    const double rate = positive(in, "rate");
    machine_.arcs.push_back({ends[0], ends[1], rate});
    machine_.arcs.push_back({ends[1], ends[0], rate});
  }

  void read_simulation(const toml::table& in) {
    allow(in, {"name", "link_seconds", "arrival_seconds", "call_seconds", "put_rate", "reduction_seconds", "threads",
               "fat_tree", "dragonfly"});
    SimulatedParts& parts = machine_.simulated;
    if (in.contains("name")) parts.name = text(*in.get("name"), "name");
    if (in.contains("link_seconds")) parts.link_seconds = positive(in, "link_seconds");
    if (in.contains("arrival_seconds")) parts.arrival_seconds = positive(in, "arrival_seconds");
    if (in.contains("call_seconds")) parts.call_seconds = positive(in, "call_seconds");
    if (in.contains("put_rate")) parts.put_bytes_per_second = positive(in, "put_rate");
    if (in.contains("reduction_seconds")) parts.reduction_seconds = positive(in, "reduction_seconds");
    if (in.contains("threads")) parts.threads = whole(*in.get("threads"), "threads", 1, max_threads);
    if (in.contains("fat_tree")) read_fat_tree(switches_in(in, "fat_tree"));
    if (in.contains("dragonfly")) read_dragonfly(switches_in(in, "dragonfly"));
    if (parts.fat_tree && parts.dragonfly) fail(in, "fat_tree and dragonfly do not go together");
  }

  const toml::table& switches_in(const toml::table& in, const char* kind) const {
    if (machine_.nic_bytes_per_second == 0 || machine_.sites() > 1)
      fail(required(in, kind), std::string(kind) + " goes with [rails] only");
    return table(in, kind);
  }

  void read_fat_tree(const toml::table& in) {
    allow(in, {"leaves", "uplinks", "rate"});
    machine_.simulated.fat_tree = {whole(required(in, "leaves"), "leaves", 1, static_cast<int>(machine_.nodes.size())),
                                   whole(required(in, "uplinks"), "uplinks", 1, max_switch_links),
                                   positive(in, "rate")};
  }

  void read_dragonfly(const toml::table& in) {
    allow(in, {"groups", "routers", "rate", "global_rate"});
    machine_.simulated.dragonfly = {whole(required(in, "groups"), "groups", 1, static_cast<int>(machine_.nodes.size())),
                                    whole(required(in, "routers"), "routers", 1, max_switch_links),
                                    positive(in, "rate"), positive(in, "global_rate")};
  }

  void check_names() const {
    std::set<std::string_view> names;
    if (machine_.nodes.empty()) fail(root_, "there is no node");
    for (const MachineNode& node : machine_.nodes) {
      if (node.name.empty()) fail(root_, "a node has an empty name");
      if (!names.insert(node.name).second) fail(root_, "two nodes are called '" + node.name + "'");
    }
  }

  const toml::table& root_;
  Machine machine_;
};

}  // namespace

Machine machine_from_toml(std::string_view text, const std::string& file) {
  return TomlReader(parse_toml(text, file), file).machine();
}

}  // namespace espalier
