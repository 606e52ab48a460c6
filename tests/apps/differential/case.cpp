// SPDX-License-Identifier: Apache-2.0
#include "differential/case.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <sstream>
#include <stdexcept>

namespace espalier::apps {

namespace {

constexpr std::array pattern_names = {"equal", "mixed", "alternate", "one"};
constexpr std::array in_place_names = {"no", "yes", "mixed"};

template <class Value, class Names>
Value named(const Names& names, const std::string& name) {
  const auto found = std::ranges::find_if(names, [&](const char* one) { return name == one; });
  if (found == names.end()) throw std::invalid_argument("'" + name + "' is unknown");
  return static_cast<Value>(found - names.begin());
}

template <class Names, class Value>
std::string name_in(const Names& names, Value value) {
  return names[static_cast<std::size_t>(value)];
}

void read_counts(Case& one, const std::string& value) {
  const std::size_t colon = value.find(':');
  if (colon == std::string::npos) throw std::invalid_argument("counts=" + value + " should be PATTERN:COUNT");
  one.pattern = named<Pattern>(pattern_names, value.substr(0, colon));
  one.count = std::stoi(value.substr(colon + 1));
}

void read_field(Case& one, const std::string& key, const std::string& value) {
  if (key == "type") return void(one.type = value);
  if (key == "op") return void(one.op = value);
  if (key == "counts") return read_counts(one, value);
  if (key == "root") return void(one.root = std::stoi(value));
  if (key == "in_place") return void(one.in_place = named<InPlaceWish>(in_place_names, value));
  if (key == "comm") return void(one.comm = value);
  if (key == "algorithm") return void(one.algorithm = value == "free" ? "" : value);
  if (key == "calls") return void(one.calls = std::stoi(value));
  if (key == "finish") return void(one.finish = value);
  if (key == "seed") return void(one.seed = std::stoull(value));
  if (key != "ranks") throw std::invalid_argument("'" + key + "' is unknown");
}

}  // namespace

std::string text_of(const Case& one) {
  std::string text = std::string(one.form->function.name) + " type=" + one.type;
  if (!one.op.empty()) text += " op=" + one.op;
  text += " counts=" + name_in(pattern_names, one.pattern) + ":" + std::to_string(one.count);
  text += " root=" + std::to_string(one.root);
  text += " in_place=" + name_in(in_place_names, one.in_place);
  text += " comm=" + one.comm;
  text += " algorithm=" + (one.algorithm.empty() ? "free" : one.algorithm);
  text += " calls=" + std::to_string(one.calls) + " finish=" + one.finish;
  return text + " seed=" + std::to_string(one.seed);
}

std::string text_of(const Batch& batch) {
  std::string text;
  for (const Case& one : batch) text += (text.empty() ? "" : " + ") + text_of(one);
  return text;
}

Batch read_batch(const std::string& text) {
  Batch batch(1);
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    if (word == "+") {
      batch.emplace_back();
    } else if (equals == std::string::npos) {
      batch.back().form = &form_named(word);
    } else {
      read_field(batch.back(), word.substr(0, equals), word.substr(equals + 1));
    }
  }
  for (const Case& one : batch) {
    if (one.form == nullptr) throw std::invalid_argument("a case begins with a function: " + text);
  }
  return batch;
}

std::string setting_for(const Batch& batch) {
  std::set<std::string> settings;
  for (const Case& one : batch) settings.insert(one.algorithm);
  settings.erase("");
  std::string all;
  for (const std::string& setting : settings) all += (all.empty() ? "" : ";") + setting;
  return all;
}

}  // namespace espalier::apps
