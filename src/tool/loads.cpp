// SPDX-License-Identifier: Apache-2.0
#include "tool/loads.hpp"

#include <charconv>
#include <cmath>
#include <sstream>

#include "core/bad_description.hpp"
#include "settings/words.hpp"

namespace espalier::tool {

namespace {

class LoadsLine {
 public:
  LoadsLine(std::string_view text, const std::string& file, int number) : file_(file), number_(number) {
    std::istringstream stream{std::string(text)};
    for (std::string word; stream >> word;) words_.push_back(std::move(word));
    if (!words_.empty() && words_.size() != 3) fail("has " + std::to_string(words_.size()) + " words");
  }

  [[nodiscard]] bool is_empty() const { return words_.empty(); }

  [[nodiscard]] std::pair<int, int> ends(const Machine& machine) const {
    const std::pair ends(node_named(words_[0], machine), node_named(words_[1], machine));
    if (ends.first == ends.second) fail("no link joins '" + words_[0] + "' with itself");
    return ends;
  }

  [[nodiscard]] double bytes() const {
    const std::string& text = words_[2];
    double value = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || !(value >= 0) || !std::isfinite(value)) {
      fail("'" + text + "' is no number of bytes");
    }
    return value;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw BadDescription(file_, number_, what + "; allowed: lines of two nodes' names and a number of bytes");
  }

  [[nodiscard]] int node_named(const std::string& name, const Machine& machine) const {
    const int node = machine.node_named(name);
    if (node == no_node) fail("the machine has no node '" + name + "'");
    return node;
  }

  const std::string& file_;
  int number_;
  std::vector<std::string> words_;
};

}  // namespace

MeasuredLoads loads_in(std::string_view text, const std::string& file, const Machine& machine) {
  MeasuredLoads loads;
  int number = 0;
  for (const std::string_view one : split(text, '\n')) {
    const LoadsLine line(one, file, ++number);
    if (!line.is_empty()) loads[line.ends(machine)] = line.bytes();
  }
  return loads;
}

}  // namespace espalier::tool
