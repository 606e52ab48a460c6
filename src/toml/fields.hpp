// SPDX-License-Identifier: Apache-2.0
// Fields of a TOML file, each of which must be there and be what it should; errors name the file and the line. Only for
// sources that read TOML: it takes long to compile.
#pragma once

// toml++ 3.3 asserts what it checks itself two lines later: a key that begins with ';' would end the process, or be
// taken by Clang for what cannot be. This is how its assertions are switched off in every build.
#undef NDEBUG
#define TOML_ASSERT(expression) static_cast<void>(0)
// Floating-point numbers are read by std::from_chars: by a stream, as is the default, an allocation that fails looks
// like a bad number, and the library ends the program if there is no memory to say so.
#define TOML_FLOAT_CHARCONV 1
#include <toml++/toml.h>

#include <cmath>
#include <set>
#include <string>
#include <string_view>

#include "core/bad_description.hpp"
#include "toml/ascii_toml.hpp"

namespace espalier {

// Throws BadDescription. `file`: the name of what `text` was read from.
[[nodiscard]] inline toml::table parse_toml(std::string_view text, const std::string& file) try {
  // Without a name: the library ends the program if there is no memory to keep one.
  return toml::parse(ascii_toml(text, file));
} catch (const toml::parse_error& error) {
  throw BadDescription(file, static_cast<int>(error.source().begin.line), std::string(error.description()));
}

// For a reader to be derived from. All throw BadDescription.
class TomlFields {
 protected:
  explicit TomlFields(const std::string& file) : file_(file) {}

  [[noreturn]] void fail(const toml::node& where, const std::string& what) const {
    throw BadDescription(file_, line_of(where), what);
  }
  [[nodiscard]] static int line_of(const toml::node& node) { return std::max<int>(1, node.source().begin.line); }
  [[nodiscard]] const std::string& file() const { return file_; }

  const toml::table& table(const toml::table& in, const char* key) const {
    const toml::node& node = required(in, key);
    if (!node.is_table()) fail(node, std::string(key) + " must be a table: [" + key + "]");
    return *node.as_table();
  }

  const toml::array& array(const toml::table& in, const char* key) const {
    const toml::node& node = required(in, key);
    if (!node.is_array()) fail(node, std::string(key) + " must be a list");
    return *node.as_array();
  }

  const toml::node& required(const toml::table& in, const char* key) const {
    const toml::node* node = in.get(key);
    if (node == nullptr) fail(in, std::string("'") + key + "' is missing");
    return *node;
  }

  void allow(const toml::table& in, const std::set<std::string_view>& keys) const {
    for (const auto& [key, node] : in) {
      if (keys.contains(key.str())) continue;
      std::string allowed;
      for (const std::string_view one : keys) allowed += (allowed.empty() ? "" : ", ") + std::string(one);
      fail(node, "'" + std::string(key.str()) + "' is not known here; allowed: " + allowed);
    }
  }

  double positive(const toml::table& in, const char* key) const { return positive(required(in, key), key); }

  double positive(const toml::node& node, const char* what) const {
    const double value = node.value<double>().value_or(0);
    if (!(value > 0) || !std::isfinite(value)) fail(node, std::string(what) + " must be a positive number");
    return value;
  }

  int whole(const toml::node& node, const char* what, std::int64_t least, std::int64_t most) const {
    const toml::value<std::int64_t>* const found = node.as_integer();
    const std::int64_t value = found != nullptr ? found->get() : 0;
    if (found == nullptr || value < least || value > most) {
      fail(node,
           std::string(what) + " must be a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    }
    return static_cast<int>(value);
  }

  bool truth(const toml::node& node, const char* what) const {
    if (!node.is_boolean()) fail(node, std::string(what) + " must be true or false");
    return *node.value<bool>();
  }

  std::string text(const toml::node& node, const char* what) const {
    if (!node.is_string()) fail(node, std::string(what) + " must be a text in quotes");
    return *node.value<std::string>();
  }

 private:
  const std::string& file_;
};

}  // namespace espalier
