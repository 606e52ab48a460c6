// SPDX-License-Identifier: Apache-2.0
#include "topology/slurm/slurm_remarks.hpp"

#include <charconv>
#include <cmath>

namespace espalier {

namespace {

constexpr int max_nics = 16;
constexpr int max_extent = 36;  // a place is said by one digit to base 36

}  // namespace

SlurmRemarks::SlurmRemarks(const std::vector<ConfLine>& lines, const SlurmSource& source) : source_(source) {
  for (const ConfLine& line : lines) {
    for (const auto& [key, value] : line.words) {
      if (!remarks_.emplace(key, SlurmValue{value, line.number}).second) {
        source.fail(line.number, quoted(key) + " is there twice");
      }
    }
  }
}

void SlurmRemarks::allow(std::set<std::string> keys) const {
  keys.insert({"rate", "hop_seconds", "arithmetic"});
  for (const auto& [key, said] : remarks_) {
    if (!keys.contains(key)) {
      source_.fail(said.line, quoted(key) + " is not known here; allowed: " + list_of(keys));
    }
  }
}

const SlurmRemarks::SlurmValue* SlurmRemarks::find(const std::string& key) const {
  const auto said = remarks_.find(key);
  return said == remarks_.end() ? nullptr : &said->second;
}

double SlurmRemarks::positive(const std::string& key, double otherwise) const {
  const SlurmValue* said = find(key);
  if (said == nullptr) return otherwise;
  const char* const end_of_text = said->text.data() + said->text.size();
  double value = 0;
  const auto [end, error] = std::from_chars(said->text.data(), end_of_text, value);
  if (error != std::errc{} || end != end_of_text || !(value > 0) || !std::isfinite(value)) {
    source_.fail(said->line, key + " must be a positive number");
  }
  return value;
}

int SlurmRemarks::whole(const std::string& what, std::string_view text, int line, int max) const {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 1 || value > max) {
    source_.fail(line, what + " must be a whole number from 1 to " + std::to_string(max));
  }
  return value;
}

int SlurmRemarks::nics() const {
  const SlurmValue* said = find("nics");
  return said == nullptr ? 1 : whole("nics", said->text, said->line, max_nics);
}

std::vector<int> SlurmRemarks::extents() const {
  const SlurmValue* said = find("extents");
  if (said == nullptr) return {};
  std::vector<int> extents;
  std::string_view rest = said->text;
  for (bool is_last = false; !is_last;) {
    const std::string_view word = rest.substr(0, rest.find('x'));
    extents.push_back(whole("an extent", word, said->line, max_extent));
    is_last = word.size() == rest.size();
    rest.remove_prefix(is_last ? word.size() : word.size() + 1);
  }
  if (extents.size() != 3) source_.fail(said->line, "three extents are needed: 4x4x4");
  return extents;
}

void SlurmRemarks::put_costs(Machine& machine) const {
  machine.hop_seconds = positive("hop_seconds", machine.hop_seconds);
  machine.arithmetic_bytes_per_second = positive("arithmetic", machine.arithmetic_bytes_per_second);
}

}  // namespace espalier
