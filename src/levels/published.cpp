// SPDX-License-Identifier: Apache-2.0
#include "levels/published.hpp"

#include "toml/fields.hpp"

namespace espalier {

namespace {

constexpr std::int64_t max_published_ranks = 1 << 20, max_published_bytes = std::int64_t{1} << 40;

class PublishedReader : TomlFields {
 public:
  PublishedReader(const toml::table& root, const std::string& file) : TomlFields(file), root_(root) {}

  std::vector<PublishedTime> times() const {
    allow(root_, {"times"});
    std::vector<PublishedTime> found;
    for (const toml::node& node : array(root_, "times")) {
      if (!node.is_table()) fail(node, "published times must be a table: [[times]]");
      add(*node.as_table(), found);
    }
    return found;
  }

 private:
  void add(const toml::table& in, std::vector<PublishedTime>& found) const {
    allow(in, {"collective", "library", "node", "ranks", "bytes", "microseconds", "source"});
    PublishedTime time{.collective = collective_in(in),
                       .library = text(required(in, "library"), "library"),
                       .node = text(required(in, "node"), "node"),
                       .ranks = whole(required(in, "ranks"), "ranks", 1, max_published_ranks),
                       .source = text(required(in, "source"), "source")};
    const toml::array& sizes = array(in, "bytes");
    const toml::array& times = array(in, "microseconds");
    if (sizes.size() != times.size()) fail(times, "there must be a time for each size");
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      time.bytes = bytes_in(sizes[k]);
      time.seconds = positive(times[k], "a time") * 1e-6;
      found.push_back(time);
    }
  }

  std::size_t bytes_in(const toml::node& node) const {
    const std::int64_t bytes = node.value<std::int64_t>().value_or(-1);
    if (bytes < 0 || bytes > max_published_bytes) fail(node, "a size must be a number of bytes");
    return static_cast<std::size_t>(bytes);
  }

  Collective collective_in(const toml::table& in) const {
    const toml::node& node = required(in, "collective");
    const auto found = collective_named(text(node, "collective"));
    if (!found) fail(node, "there is no such collective");
    return *found;
  }

  const toml::table& root_;
};

}  // namespace

std::vector<PublishedTime> published_from_toml(std::string_view text, const std::string& file) {
  const toml::table root = parse_toml(text, file);
  return PublishedReader(root, file).times();
}

}  // namespace espalier
