// SPDX-License-Identifier: Apache-2.0
#include "levels/levels_reader.hpp"

#include "toml/fields.hpp"

namespace espalier {

namespace {

constexpr int max_cores = 1 << 12;  // that a run is simulated on
constexpr std::size_t max_levels = 8;

class LevelsReader : TomlFields {
 public:
  LevelsReader(const toml::table& root, const std::string& file) : TomlFields(file), root_(root) {}

  NodeLevels node() const {
    allow(root_, {"name", "core", "level"});
    const NodeCore core = core_in(table(root_, "core"));
    std::vector<NodeLevel> levels;
    int cores = 1;
    for (const toml::node& node : array(root_, "level")) {
      if (!node.is_table()) fail(node, "a level must be a table: [[level]]");
      levels.push_back(level_in(*node.as_table(), max_cores / cores));
      cores *= levels.back().holds;
    }
    if (levels.empty() || levels.size() > max_levels)
      fail(root_, "there must be 1 to " + std::to_string(max_levels) + " levels");
    return {text(required(root_, "name"), "name"), core, std::move(levels)};
  }

 private:
  NodeCore core_in(const toml::table& in) const {
    allow(in, {"copy", "reduce", "memory_copy", "memory_reduce", "call_seconds", "message_seconds", "read_seconds",
               "read_copy"});
    return {.copy_bytes_per_second = positive(in, "copy"),
            .reduce_bytes_per_second = positive(in, "reduce"),
            .memory_copy_per_second = positive(in, "memory_copy"),
            .memory_reduce_per_second = positive(in, "memory_reduce"),
            .call_seconds = positive(in, "call_seconds"),
            .message_seconds = positive(in, "message_seconds"),
            .read_seconds = positive(in, "read_seconds"),
            .read_bytes_per_second = positive(in, "read_copy")};
  }

  NodeLevel level_in(const toml::table& in, int most) const {
    allow(in, {"name", "holds", "seconds", "copy", "stream", "shared", "in", "out", "memory", "cache"});
    return {.name = text(required(in, "name"), "a level's name"),
            .holds = whole(required(in, "holds"), "holds", 1, most),
            .seconds = positive(in, "seconds"),
            .copy_bytes_per_second = positive(in, "copy"),
            .stream_bytes_per_second = positive(in, "stream"),
            .shared_bytes_per_second = limit(in, "shared"),
            .in_bytes_per_second = limit(in, "in"),
            .out_bytes_per_second = limit(in, "out"),
            .memory_bytes_per_second = limit(in, "memory"),
            .cache_bytes = limit(in, "cache")};
  }

  double limit(const toml::table& in, const char* key) const { return in.contains(key) ? positive(in, key) : 0; }

  const toml::table& root_;
};

}  // namespace

NodeLevels levels_from_toml(std::string_view text, const std::string& file) {
  const toml::table root = parse_toml(text, file);
  return LevelsReader(root, file).node();
}

}  // namespace espalier
