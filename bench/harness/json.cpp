// SPDX-License-Identifier: Apache-2.0
#include "json.hpp"

#include <cstdio>

namespace bench {

namespace {

void print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

void print_string(std::string_view text) {
  print("\"");
  for (const char c : text) {
    if (c == '"' || c == '\\') print("\\");
    print({&c, 1});
  }
  print("\"");
}

// "[", the items and "]".
template <class Items, class Print>
void print_list(const Items& items, Print print_item) {
  print("[");
  const char* separator = "";
  for (const auto& item : items) {
    print(separator);
    print_item(item);
    separator = ", ";
  }
  print("]");
}

}  // namespace

JsonObject::JsonObject() { print("{"); }
JsonObject::~JsonObject() { print("}"); }

void JsonObject::begin(std::string_view name) {
  if (!is_empty_) print(", ");
  is_empty_ = false;
  print_string(name);
  print(": ");
}

void JsonObject::add(std::string_view name, std::string_view text) {
  begin(name);
  print_string(text);
}

void JsonObject::add(std::string_view name, double number) {
  begin(name);
  std::printf("%.6g", number);
}

void JsonObject::add(std::string_view name, const std::vector<double>& numbers) {
  begin(name);
  print_list(numbers, [](double number) { std::printf("%.6g", number); });
}

void JsonObject::add(std::string_view name, const std::vector<std::vector<std::size_t>>& tuples) {
  begin(name);
  print_list(tuples, [](const std::vector<std::size_t>& tuple) {
    print_list(tuple, [](std::size_t number) { std::printf("%zu", number); });
  });
}

void JsonObject::add_literal(std::string_view name, std::string_view literal) {
  begin(name);
  print(literal);
}

void JsonObject::add_integer(std::string_view name, long long number) {
  begin(name);
  std::printf("%lld", number);
}

void JsonObject::begin_rows(std::string_view name) {
  begin(name);
  print("[");
}

void JsonObject::begin_row(bool is_first) { print(is_first ? "\n" : ",\n"); }

void JsonObject::end_rows() { print("\n]"); }

}  // namespace bench
