// SPDX-License-Identifier: Apache-2.0
#include "topology/slurm/slurm_reader.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "topology/slurm/slurm_switches.hpp"
#include "topology/slurm/slurm_torus.hpp"
#include "topology/text/conf_lines.hpp"
#include "topology/text/host_list.hpp"

namespace espalier {

namespace {

using WordsByKey = std::map<std::string, std::string>;

constexpr std::string_view tree_plugin = "topology/tree";
constexpr std::string_view block_plugin = "topology/block";
constexpr std::string_view torus_plugin = "topology/3d_torus";
constexpr const char* described_by = "SwitchName=NAME for a tree, BlockName=NAME for blocks, NodeName=LIST for a torus";

enum class Others { refused, ignored };

// The words of a line, none of them twice.
WordsByKey words_of(const ConfLine& line, const std::set<std::string>& known, Others others,
                    const SlurmSource& source) {
  WordsByKey result;
  for (const ConfPair& word : line.words) {
    if (!known.contains(word.key)) {
      if (others == Others::ignored) continue;
      source.fail(line.number, quoted(word.key) + " is not known here; allowed: " + list_of(known));
    }
    if (!result.emplace(word.key, word.value).second) source.fail(line.number, quoted(word.key) + " is there twice");
  }
  return result;
}

// The lines that begin with a key.
std::vector<ConfLine> lines_of(const ConfText& conf, std::string_view key) {
  std::vector<ConfLine> lines;
  for (const ConfLine& line : conf.lines) {
    if (line.words.front().key == key) lines.push_back(line);
  }
  return lines;
}

// Nodes of one line; none of DEFAULT, which has values for those that follow.
std::string named_nodes(const ConfLine& line, const SlurmSource& source) {
  const std::string list = words_of(line, {"nodename"}, Others::ignored, source).at("nodename");
  return list == "DEFAULT" ? "" : list;
}

Machine tree(const ConfText& conf, const SlurmRemarks& remarks, SlurmSource& source) {
  std::vector<SlurmSwitch> switches;
  for (const ConfLine& line : lines_of(conf, "switchname")) {
    WordsByKey words =
        words_of(line, {"switchname", "nodes", "switches", "linkspeed", "level"}, Others::refused, source);
    // As `scontrol show topology` prints it, with the nodes of all switches below.
    if (words.contains("level") && words.contains("switches")) words.erase("nodes");
    switches.push_back({words["switchname"], line.number, words["nodes"], words["switches"]});
  }
  return machine_of_switches(switches, "switch", remarks, source);
}

Machine blocks(const ConfText& conf, const SlurmRemarks& remarks, SlurmSource& source) {
  std::vector<SlurmSwitch> blocks;
  for (const ConfLine& line : lines_of(conf, "blockname")) {
    WordsByKey words = words_of(line, {"blockname", "nodes", "blockindex", "blocksize"}, Others::refused, source);
    blocks.push_back({words["blockname"], line.number, words["nodes"], ""});
  }
  return machine_of_switches(blocks, "block", remarks, source);
}

Coordinates place_of(const std::string& name, int line, const SlurmSource& source) {
  Coordinates place;
  for (std::size_t k = name.size() < 3 ? name.size() : name.size() - 3; k < name.size(); ++k) {
    if (digit_of(name[k]) >= 0) place.push_back(digit_of(name[k]));
  }
  if (place.size() == 3) return place;
  source.fail(line, "node " + quoted(name) +
                        " does not end in its place in a torus; allowed: X, Y and Z, each a digit 0-9 or A-Z (a tree "
                        "is described by lines SwitchName=NAME)");
}

Machine torus(const ConfText& conf, const SlurmRemarks& remarks, SlurmSource& source) {
  const std::vector<ConfLine> lines = lines_of(conf, "nodename");
  SlurmTorus torus{.line = lines.front().number, .extents = remarks.extents()};
  const bool are_given = !torus.extents.empty();
  torus.extents.resize(3, 1);
  for (const ConfLine& line : lines) {
    const std::string list = named_nodes(line, source);
    if (list.empty()) continue;
    for (std::string& name : source.names(list, line.number)) {
      const Coordinates place = place_of(name, line.number, source);
      for (std::size_t axis = 0; axis < 3 && !are_given; ++axis) {
        torus.extents[axis] = std::max(torus.extents[axis], place[axis] + 1);
      }
      torus.regions.push_back({line.number, place, {1, 1, 1}, {std::move(name)}});
    }
  }
  return machine_of_toruses({torus}, remarks, source);
}

// What a file describes. `begins` are its lines.
struct FileKind {
  std::string_view plugin;
  std::string_view begins;
  std::set<std::string> remarks;
  Machine (*machine)(const ConfText& conf, const SlurmRemarks& remarks, SlurmSource& source);
};

// The last one's lines may stand next to those of the others, and then only name nodes.
const FileKind kinds[] = {{tree_plugin, "switchname", {"nics", "nodes"}, tree},
                          {block_plugin, "blockname", {"nics", "nodes"}, blocks},
                          {torus_plugin, "nodename", {"extents"}, torus}};

const FileKind& kind_by_plugin(const ConfLine& line, const ConfText& conf, const SlurmSource& source) {
  const auto* const kind = std::ranges::find(kinds, line.words.front().value, &FileKind::plugin);
  if (kind != std::end(kinds) && !lines_of(conf, kind->begins).empty()) return *kind;
  source.fail(line.number, "no such network is described here; allowed in a slurm.conf: TopologyPlugin=" +
                               std::string(torus_plugin) +
                               " with lines NodeName=LIST, or Slurm's topology.conf instead "
                               "of this file");
}

constexpr std::string_view keys_passed_over[] = {"blocksizes", "aggregatedblock"};

void check_keys(const ConfText& conf, const SlurmSource& source) {
  for (const ConfLine& line : conf.lines) {
    const std::string& key = line.words.front().key;
    if (std::ranges::find(kinds, key, &FileKind::begins) != std::end(kinds)) continue;
    if (std::ranges::find(keys_passed_over, key) != std::end(keys_passed_over)) continue;
    source.fail(line.number, "a line begins with " + quoted(key) + "; allowed: " + described_by);
  }
}

const FileKind& kind_by_lines(const ConfText& conf, const SlurmSource& source) {
  check_keys(conf, source);
  const FileKind* found = nullptr;
  for (const FileKind& kind : kinds) {
    const std::vector<ConfLine> lines = lines_of(conf, kind.begins);
    if (lines.empty()) continue;
    if (found == nullptr) {
      found = &kind;
    } else if (kind.plugin == block_plugin) {
      source.fail(lines.front().number,
                  "switches and blocks do not go together; allowed: lines of one kind, or a line "
                  "TopologyPlugin=topology/tree or TopologyPlugin=topology/block, which says which");
    }
  }
  if (found != nullptr) return *found;
  source.fail(1, std::string("describes no network; allowed: ") + described_by);
}

const FileKind& kind_of(const ConfText& conf, const SlurmSource& source) {
  const std::vector<ConfLine> plugins = lines_of(conf, "topologyplugin");
  return plugins.empty() ? kind_by_lines(conf, source) : kind_by_plugin(plugins.back(), conf, source);
}

// Those that a remark names, or else the file's lines NodeName=LIST.
void find_all(const ConfText& conf, const SlurmRemarks& remarks, SlurmSource& source) {
  if (const auto* said = remarks.find("nodes")) return source.add_all(said->text, said->line);
  for (const ConfLine& line : lines_of(conf, "nodename")) {
    const std::string list = named_nodes(line, source);
    if (!list.empty()) source.add_all(list, line.number);
  }
}

}  // namespace

Machine machine_from_slurm(std::string_view text, const std::string& file) {
  SlurmSource source(file);
  const ConfText conf = conf_text(text, file);
  const FileKind& kind = kind_of(conf, source);
  const SlurmRemarks remarks(conf.remarks, source);
  remarks.allow(kind.remarks);
  if (kind.begins != "nodename") find_all(conf, remarks, source);
  return kind.machine(conf, remarks, source);
}

}  // namespace espalier
