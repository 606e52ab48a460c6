// SPDX-License-Identifier: Apache-2.0
// An object of JSON on standard output, written member by member; rows stand on lines of their own.
#pragma once

#include <concepts>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <vector>

namespace bench {

class JsonObject {
 public:
  JsonObject();
  ~JsonObject();
  JsonObject(const JsonObject&) = delete;
  JsonObject& operator=(const JsonObject&) = delete;

  void add(std::string_view name, std::string_view text);
  void add(std::string_view name, double number);
  void add(std::string_view name, const std::vector<double>& numbers);
  void add(std::string_view name, const std::vector<std::vector<std::size_t>>& tuples);
  template <std::integral Integer>
  void add(std::string_view name, Integer number) {
    if constexpr (std::is_same_v<Integer, bool>) {
      add_literal(name, number ? "true" : "false");
    } else {
      add_integer(name, static_cast<long long>(number));
    }
  }

  // A list with an object for each row, to which write(object, row) adds its members.
  template <class Rows, class Write>
  void add_rows(std::string_view name, const Rows& rows, Write write) {
    begin_rows(name);
    bool is_first = true;
    for (const auto& row : rows) {
      begin_row(is_first);
      JsonObject object;
      write(object, row);
      is_first = false;
    }
    end_rows();
  }

 private:
  void begin(std::string_view name);
  void add_literal(std::string_view name, std::string_view literal);
  void add_integer(std::string_view name, long long number);
  void begin_rows(std::string_view name);
  static void begin_row(bool is_first);
  static void end_rows();

  bool is_empty_ = true;
};

}  // namespace bench
