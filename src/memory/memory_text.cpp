// SPDX-License-Identifier: Apache-2.0
#include "memory/memory_text.hpp"

#include <charconv>
#include <limits>
#include <vector>

#include "contract/contract.hpp"
#include "settings/settings.hpp"
#include "toml/fields.hpp"

namespace espalier {

namespace {

constexpr int format = 1;
constexpr int max_ranks = std::numeric_limits<int>::max();
constexpr std::int64_t max_message_bytes = std::int64_t{1} << 60;
constexpr double min_seconds_known = 1e-12, max_seconds_known = 1e9, max_sd = 10, max_calls = 1e15;

// TOML's text, of ASCII only.
std::string toml_string(std::string_view text) {
  std::string result = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') result += '\\';
    result += letter >= ' ' && letter <= '~' ? letter : '?';
  }
  return result + '"';
}

// With a point in every locale, and always one that TOML takes for a float.
std::string number_text(double number) {
  char text[64];
  const auto [end, error] = std::to_chars(text, std::end(text), number, std::chars_format::scientific, 4);
  return error == std::errc{} ? std::string(text, end) : "0.0";
}

std::string short_text(double number) {
  char text[32];
  const auto [end, error] = std::to_chars(text, std::end(text), number);
  return {text, end};
}

// Lines of a TOML file.
class Lines {
 public:
  Lines& add(std::string_view key, std::string_view value) {
    text_.append(key).append(" = ").append(value).append("\n");
    return *this;
  }
  Lines& add(std::string_view key, std::integral auto number) { return add(key, std::to_string(number)); }
  Lines& add_raw(std::string_view text) {
    text_ += text;
    return *this;
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

void add(Lines& lines, const ContextMemory& context) {
  const ContextKey& key = context.key;
  const Contract& contract = contract_of(key.collective);
  lines.add_raw("\n[[context]]\n").add("collective", toml_string(name_of(key.collective)));
  if (contract.is_rooted()) lines.add("root", key.root);
  lines.add("bytes_low", key.bytes_low).add("bytes_high", key.bytes_high);
  if (key.element_bytes > 0) lines.add("element_bytes", key.element_bytes);
  if (contract.reduces) lines.add("arithmetic", toml_string(name_of(key.arithmetic)));
  if (key.is_uneven) lines.add("uneven", "true");
  lines.add("calls", static_cast<std::int64_t>(context.calls)).add_raw("candidates = [\n");
  for (const KnownAlgorithm& entry : context.known_algorithms) {
    lines.add_raw("  {choice = " + toml_string(entry.choice) + ", seconds = " + number_text(entry.seconds) +
                  ", sd = " + number_text(entry.sd) + "},\n");
  }
  lines.add_raw("]\n");
}

class MemoryReader : TomlFields {
 public:
  MemoryReader(const toml::table& root, const std::string& file) : TomlFields(file), root_(root) {}

  PlacementMemory memory() {
    check_format();
    allow(root_, {"format", "library", "mpi", "ranks", "nodes", "placement", "cores", "network", "pinned", "context"});
    PlacementMemory memory{.library = text(required(root_, "library"), "library"), .placement = placement()};
    if (root_.contains("pinned")) memory.is_pinned = truth(*root_.get("pinned"), "pinned");
    if (!root_.contains("context")) return memory;
    for (const toml::node& node : array(root_, "context")) {
      if (!node.is_table()) fail(node, "a context must be a table: [[context]]");
      memory.contexts.push_back(context(*node.as_table()));
    }
    return memory;
  }

 private:
  void check_format() const {
    const toml::node& node = required(root_, "format");
    const auto found = node.value<std::int64_t>().value_or(0);
    if (found == format) return;
    throw ForeignMemory(file(), line_of(node),
                        "format = " + std::to_string(found) + "; allowed: " + std::to_string(format));
  }

  [[nodiscard]] Placement placement() const {
    return {.mpi = text(required(root_, "mpi"), "mpi"),
            .network = text(required(root_, "network"), "network"),
            .ranks_of_nodes = text(required(root_, "placement"), "placement"),
            .ranks = whole(required(root_, "ranks"), "ranks", 1, max_ranks),
            .nodes = whole(required(root_, "nodes"), "nodes", 1, max_ranks),
            .cores = whole(required(root_, "cores"), "cores", 1, max_ranks)};
  }

  [[nodiscard]] ContextMemory context(const toml::table& in) const {
    allow(in, {"collective", "root", "bytes_low", "bytes_high", "element_bytes", "arithmetic", "uneven", "calls",
               "candidates"});
    ContextMemory context{.key = key(in), .calls = within(in, "calls", 1, max_calls)};
    for (const toml::node& node : array(in, "candidates")) {
      if (!node.is_table()) fail(node, "a candidate must be a table: {choice = ..., seconds = ..., sd = ...}");
      context.known_algorithms.push_back(entry(*node.as_table(), context.key.collective));
    }
    if (context.known_algorithms.empty()) fail(required(in, "candidates"), "there is no candidate");
    return context;
  }

  [[nodiscard]] KnownAlgorithm entry(const toml::table& in, Collective collective) const {
    allow(in, {"choice", "seconds", "sd"});
    return {choice(required(in, "choice"), collective), within(in, "seconds", min_seconds_known, max_seconds_known),
            within(in, "sd", 0, max_sd)};
  }

  // Which algorithms there are is not asked: another version of Espalier may have others.
  [[nodiscard]] std::string choice(const toml::node& node, Collective collective) const {
    std::string choice = text(node, "choice");
    std::vector<ForcedChoice> parsed;
    const std::string error = parse_choices(std::string(name_of(collective)) + ":" + choice, parsed);
    if (!error.empty() || parsed.size() != 1) {
      fail(node, "choice = '" + choice + "'" + (error.empty() ? "" : ": " + error));
    }
    return choice;
  }

  // Further off, logarithms and their differences mean nothing.
  [[nodiscard]] double within(const toml::table& in, const char* name, double least, double most) const {
    const toml::node& node = required(in, name);
    const double value = node.value<double>().value_or(-1);
    if (value >= least && value <= most) return value;
    fail(node, std::string(name) + " must be a number from " + short_text(least) + " to " + short_text(most));
  }

  [[nodiscard]] ContextKey key(const toml::table& in) const {
    ContextKey key;
    const std::string name = text(required(in, "collective"), "collective");
    const auto collective = collective_named(name);
    if (!collective) fail(required(in, "collective"), "there is no collective '" + name + "'");
    key.collective = *collective;
    if (in.contains("root")) key.root = whole(*in.get("root"), "root", 0, max_ranks - 1);
    key.bytes_low = bytes(required(in, "bytes_low"), "bytes_low");
    key.bytes_high = bytes(required(in, "bytes_high"), "bytes_high");
    if (in.contains("element_bytes")) key.element_bytes = bytes(*in.get("element_bytes"), "element_bytes");
    if (in.contains("arithmetic")) key.arithmetic = arithmetic(*in.get("arithmetic"));
    if (in.contains("uneven")) key.is_uneven = truth(*in.get("uneven"), "uneven");
    return key;
  }

  [[nodiscard]] std::size_t bytes(const toml::node& node, const char* what) const {
    const std::int64_t value = node.is_integer() ? node.value<std::int64_t>().value_or(-1) : -1;
    if (value < 0 || value > max_message_bytes) fail(node, std::string(what) + " must be a number of bytes");
    return static_cast<std::size_t>(value);
  }

  [[nodiscard]] Arithmetic arithmetic(const toml::node& node) const {
    const std::string word = text(node, "arithmetic");
    for (std::size_t i = 0; i < arithmetic_names.size(); ++i) {
      if (word == arithmetic_names[i]) return static_cast<Arithmetic>(i);
    }
    fail(node, "arithmetic: '" + word + "'; allowed: exact, commutative or rank_order");
  }

  const toml::table& root_;
};

}  // namespace

std::string text_of_memory(const PlacementMemory& memory) {
  const Placement& placement = memory.placement;
  Lines lines;
  lines.add_raw("# How long collectives took under Espalier, and what was the fastest; docs/reference/memory.md\n")
      .add("format", format)
      .add("library", toml_string(memory.library))
      .add("mpi", toml_string(placement.mpi))
      .add("ranks", placement.ranks)
      .add("nodes", placement.nodes)
      .add("placement", toml_string(placement.ranks_of_nodes))
      .add("cores", placement.cores)
      .add("network", toml_string(placement.network));
  if (memory.is_pinned) lines.add("pinned", "true");
  for (const ContextMemory& context : memory.contexts) add(lines, context);
  return lines.text();
}

PlacementMemory memory_from_text(std::string_view text, const std::string& file) {
  return MemoryReader(parse_toml(text, file), file).memory();
}

}  // namespace espalier
