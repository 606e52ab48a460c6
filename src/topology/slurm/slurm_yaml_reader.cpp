// SPDX-License-Identifier: Apache-2.0
#include "topology/slurm/slurm_yaml_reader.hpp"

#include <algorithm>
#include <charconv>

#include "topology/slurm/slurm_remarks.hpp"
#include "topology/slurm/slurm_source.hpp"
#include "topology/slurm/slurm_switches.hpp"
#include "topology/slurm/slurm_torus.hpp"
#include "topology/text/conf_lines.hpp"
#include "topology/text/yaml.hpp"

namespace espalier {

namespace {

constexpr int max_extent = 1 << 20;

class SlurmYamlReader {
 public:
  SlurmYamlReader(const YamlText& text, const std::string& file)
      : root_(text.root), source_(file), remarks_(remarks_in(text.comments, file), source_) {
    if (const auto* said = remarks_.find("nodes")) source_.add_all(said->text, said->line);
  }

  Machine machine() {
    const YamlNode& topology = chosen_topology();
    allow(topology, {"topology", "cluster_default", "tree", "block", "ring", "torus3d", "flat"});
    const YamlNode* kind = nullptr;
    for (const YamlNode& entry : topology.items) {
      if (entry.key == "topology" || entry.key == "cluster_default") continue;
      if (kind != nullptr) fail(entry, quoted(kind->key) + " and " + quoted(entry.key) + " do not go together");
      kind = &entry;
    }
    if (kind == nullptr) fail(topology, "describes no network; allowed: tree, block, ring, torus3d or flat");
    if (kind->key == "tree") return tree(*kind);
    if (kind->key == "block") return blocks(*kind);
    if (kind->key == "ring") return rings(*kind);
    if (kind->key == "torus3d") return toruses(*kind);
    return flat(*kind);
  }

 private:
  using Kind = YamlNode::Kind;

  static std::vector<ConfLine> remarks_in(const std::vector<YamlComment>& comments, const std::string& file) {
    std::vector<ConfLine> remarks;
    for (const auto& [line, comment] : comments) {
      auto words = conf_remark(comment, file, line);
      if (!words.empty()) remarks.push_back({line, std::move(words)});
    }
    return remarks;
  }

  const YamlNode& chosen_topology() const {
    if (root_.kind != Kind::list || root_.items.empty()) {
      fail(root_, "describes no network; allowed: Slurm's topology.yaml, a list with an item '- topology: NAME'");
    }
    for (const YamlNode& topology : root_.items) {
      check_kind(topology, Kind::mapping, "a topology must be a mapping: '- topology: NAME'");
    }
    if (const auto* said = remarks_.find("topology")) return named(root_, "topology", *said);
    const auto is_default = [&](const YamlNode& one) { return truth(find(one, "cluster_default")); };
    const auto found = std::ranges::find_if(root_.items, is_default);
    return found == root_.items.end() ? root_.items.front() : *found;
  }

  // Of a list of mappings the one that a remark asks for.
  const YamlNode& named(const YamlNode& list, const std::string& key, const SlurmRemarks::SlurmValue& said) const {
    std::set<std::string> names;
    for (const YamlNode& item : list.items) {
      const std::string name = text(item, key);
      if (name == said.text) return item;
      names.insert(name);
    }
    source_.fail(said.line, "there is no " + key + " " + quoted(said.text) + "; allowed: " + list_of(names));
  }

  Machine tree(const YamlNode& in) {
    remarks_.allow({"nics", "nodes", "topology"});
    allow(in, {"switches"});
    std::vector<SlurmSwitch> switches;
    for (const YamlNode& one : mappings(in, "switches")) {
      allow(one, {"switch", "nodes", "children"});
      switches.push_back({text(one, "switch"), one.line, optional_text(one, "nodes"), optional_text(one, "children")});
    }
    return machine_of_switches(switches, "switch", remarks_, source_);
  }

  Machine blocks(const YamlNode& in) {
    remarks_.allow({"nics", "nodes", "topology"});
    allow(in, {"blocks", "block_sizes"});
    std::vector<SlurmSwitch> blocks;
    for (const YamlNode& one : mappings(in, "blocks")) {
      allow(one, {"block", "nodes"});
      blocks.push_back({text(one, "block"), one.line, optional_text(one, "nodes"), ""});
    }
    return machine_of_switches(blocks, "block", remarks_, source_);
  }

  Machine flat(const YamlNode& in) {
    remarks_.allow({"nics", "nodes", "topology"});
    if (in.kind != Kind::mapping && !truth(&in)) fail(in, "describes no network; allowed: flat: true");
    return machine_of_switches({{"flat", in.line, "ALL", ""}}, "switch", remarks_, source_);
  }

  Machine rings(const YamlNode& in) {
    remarks_.allow({"nodes", "topology", "torus"});
    allow(in, {"rings"});
    std::vector<SlurmTorus> rings;
    for (const YamlNode& one : wanted(in, "rings", "ring")) {
      allow(one, {"ring", "nodes"});
      std::vector<std::string> nodes = source_.nodes(text(one, "nodes"), required(one, "nodes").line);
      const std::vector<int> extents = {static_cast<int>(nodes.size())};
      rings.push_back({text(one, "ring"), one.line, extents, {{one.line, {0}, extents, std::move(nodes)}}});
    }
    return machine_of_toruses(rings, remarks_, source_);
  }

  Machine toruses(const YamlNode& in) {
    remarks_.allow({"nodes", "topology", "torus"});
    allow(in, {"toruses"});
    std::vector<SlurmTorus> toruses;
    for (const YamlNode& one : wanted(in, "toruses", "name")) {
      allow(one, {"name", "dims", "nodes", "regions", "placements"});
      toruses.push_back({text(one, "name"), one.line, extents(required(one, "dims")), regions(one)});
    }
    return machine_of_toruses(toruses, remarks_, source_);
  }

  std::vector<SlurmTorus::PlacedRegion> regions(const YamlNode& torus) {
    const YamlNode* nodes = find(torus, "nodes");
    if (nodes != nullptr && find(torus, "regions") != nullptr) {
      fail(torus, "'nodes' and 'regions' do not go together; allowed: one of them");
    }
    if (nodes != nullptr) return {region(torus, {0, 0, 0}, torus)};
    std::vector<SlurmTorus::PlacedRegion> regions;
    for (const YamlNode& one : mappings(torus, "regions")) {
      allow(one, {"anchor", "dims", "nodes"});
      regions.push_back(region(one, coordinates(required(one, "anchor"), 0, max_extent - 1), one));
    }
    return regions;
  }

  SlurmTorus::PlacedRegion region(const YamlNode& in, Coordinates anchor, const YamlNode& box) {
    const YamlNode& nodes = required(in, "nodes");
    return {nodes.line, std::move(anchor), extents(required(box, "dims")),
            source_.nodes(text(in, "nodes"), nodes.line)};
  }

  std::vector<int> extents(const YamlNode& dims) const { return coordinates(dims, 1, max_extent); }

  std::vector<int> coordinates(const YamlNode& in, int min, int max) const {
    allow(in, {"x", "y", "z"});
    std::vector<int> result;
    for (const char* axis : {"x", "y", "z"}) {
      const YamlNode& node = required(in, axis);
      result.push_back(0);
      const char* const end_of_text = node.text.data() + node.text.size();
      const auto [end, error] = std::from_chars(node.text.data(), end_of_text, result.back());
      if (error != std::errc{} || end != end_of_text || result.back() < min || result.back() > max) {
        fail(node,
             std::string(axis) + " must be a whole number from " + std::to_string(min) + " to " + std::to_string(max));
      }
    }
    return result;
  }

  // Those of a list, or the one that a remark asks for; none twice.
  std::vector<YamlNode> wanted(const YamlNode& in, const std::string& list, const std::string& name) const {
    const std::vector<YamlNode>& all = mappings(in, list);
    std::set<std::string> names;
    for (const YamlNode& one : all) {
      if (!names.insert(text(one, name)).second) fail(one, quoted(text(one, name)) + " is described twice");
    }
    const auto* said = remarks_.find("torus");
    return said == nullptr ? all : std::vector<YamlNode>{named(required(in, list), name, *said)};
  }

  // Fields, each of which must be what it should.

  [[noreturn]] void fail(const YamlNode& where, const std::string& what) const { source_.fail(where.line, what); }

  void check_kind(const YamlNode& node, Kind kind, const std::string& what) const {
    if (node.kind != kind) fail(node, what);
  }

  void allow(const YamlNode& mapping, const std::set<std::string>& keys) const {
    check_kind(mapping, Kind::mapping, quoted(mapping.key) + " must be a mapping; allowed in it: " + list_of(keys));
    for (const YamlNode& entry : mapping.items) {
      if (!keys.contains(entry.key)) fail(entry, quoted(entry.key) + " is not known here; allowed: " + list_of(keys));
    }
  }

  static const YamlNode* find(const YamlNode& mapping, const std::string& key) {
    const auto found = std::ranges::find(mapping.items, key, &YamlNode::key);
    return mapping.kind == Kind::mapping && found != mapping.items.end() ? &*found : nullptr;
  }

  const YamlNode& required(const YamlNode& mapping, const std::string& key) const {
    const YamlNode* found = find(mapping, key);
    if (found == nullptr) fail(mapping, quoted(key) + " is missing");
    return *found;
  }

  const std::vector<YamlNode>& mappings(const YamlNode& in, const std::string& key) const {
    const YamlNode& list = required(in, key);
    if (list.kind != Kind::list || list.items.empty()) fail(list, quoted(key) + " must be a list, and not empty");
    for (const YamlNode& item : list.items)
      check_kind(item, Kind::mapping, "an item of " + quoted(key) + " must be a mapping");
    return list.items;
  }

  std::string optional_text(const YamlNode& mapping, const std::string& key) const {
    const YamlNode* found = find(mapping, key);
    if (found == nullptr) return "";
    check_kind(*found, Kind::text, quoted(key) + " must be a text");
    return found->text;
  }

  std::string text(const YamlNode& mapping, const std::string& key) const {
    const YamlNode& found = required(mapping, key);
    if (found.kind != Kind::text || found.text.empty()) fail(found, quoted(key) + " must be a text, and not empty");
    return found.text;
  }

  bool truth(const YamlNode* node) const {
    if (node == nullptr) return false;
    std::string word = node->text;
    std::ranges::transform(word, word.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | ' ') : c; });
    if (node->kind == Kind::text && (word == "true" || word == "yes" || word == "on")) return true;
    if (node->kind == Kind::text && (word == "false" || word == "no" || word == "off")) return false;
    fail(*node, quoted(node->key) + " must be true or false");
  }

  const YamlNode& root_;
  SlurmSource source_;
  SlurmRemarks remarks_;
};

}  // namespace

Machine machine_from_slurm_yaml(std::string_view text, const std::string& file) {
  const YamlText yaml = parse_yaml(text, file);
  return SlurmYamlReader(yaml, file).machine();
}

}  // namespace espalier
