// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <sstream>
#include <stdexcept>

namespace bench {

namespace {

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  return parts;
}

// "ring,segment=16KiB" is one variant: what holds an equals sign belongs to the algorithm before it.
std::vector<std::string> split_variants(const std::string& text) {
  std::vector<std::string> variants;
  for (const std::string& part : split(text)) {
    const bool parameter = part.find('=') != std::string::npos;
    if (parameter && variants.empty()) throw std::invalid_argument("--variants " + text + ": begins with a parameter");
    if (parameter) {
      variants.back() += "," + part;
    } else {
      variants.push_back(part);
    }
  }
  return variants;
}

std::size_t number(const std::string& option, const std::string& text) {
  std::size_t used = 0;
  unsigned long long value = 0;
  try {
    value = std::stoull(text, &used);
  } catch (const std::exception&) {
  }
  if (used == 0 || used != text.size()) throw std::invalid_argument(option + " " + text + ": not a whole number");
  return value;
}

}  // namespace

Options parse_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i];
    if (i + 1 >= argc) throw std::invalid_argument(name + ": needs a value");
    const std::string value = argv[i + 1];
    if (name == "--collective") {
      options.collective = value;
    } else if (name == "--bytes") {
      options.bytes.clear();
      for (const std::string& part : split(value)) options.bytes.push_back(number(name, part));
    } else if (name == "--variants") {
      options.variants = split_variants(value);
    } else if (name == "--repeats") {
      options.repeats = static_cast<int>(number(name, value));
      if (options.repeats < 1) throw std::invalid_argument("--repeats 0: at least 1");
    } else if (name == "--json") {
      options.json = value;
    } else {
      throw std::invalid_argument(name + ": unknown");
    }
  }
  if (options.variants.empty()) options.variants = {"direct", "native"};
  return options;
}

}  // namespace bench
