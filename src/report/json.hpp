// SPDX-License-Identifier: Apache-2.0
// JSON for reports.
#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace espalier {

namespace json {

[[nodiscard]] std::string text_of(std::string_view text);
[[nodiscard]] std::string text_of(double number);  // with a point in every locale
[[nodiscard]] std::string text_of(std::integral auto number) { return std::to_string(number); }

// This many digits that the same number is read back.
[[nodiscard]] std::string exact_text_of(double number);
[[nodiscard]] std::string exact_text_of(std::integral auto number) { return std::to_string(number); }

// [1, 2]. `before`: what stands before each item.
template <class Items, class TextOfItem>
[[nodiscard]] std::string list_of(const Items& items, TextOfItem text_of_item, std::string_view before = "") {
  std::string list;
  for (const auto& item : items) {
    if (!list.empty()) list += before.empty() ? ", " : ",";
    list.append(before).append(text_of_item(item));
  }
  return "[" + list + "]";
}
template <class Numbers>
[[nodiscard]] std::string list_of(const Numbers& numbers) {
  return list_of(numbers, [](auto number) { return exact_text_of(number); });
}

// The members of an object, in the order in which they are added.
class Object {
 public:
  Object& add(std::string_view name, std::string_view text) { return add_raw(name, text_of(text)); }
  Object& add(std::string_view name, const char* text) { return add_raw(name, text_of(std::string_view(text))); }
  Object& add(std::string_view name, bool truth) { return add_raw(name, truth ? "true" : "false"); }
  Object& add(std::string_view name, auto number) { return add_raw(name, text_of(number)); }
  Object& add_raw(std::string_view name, std::string_view json) {
    members_ += members_.empty() ? "" : ", ";
    members_.append(text_of(name)).append(": ").append(json);
    return *this;
  }
  [[nodiscard]] std::string text() const { return "{" + members_ + "}"; }

 private:
  std::string members_;
};

}  // namespace json

}  // namespace espalier
