// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <charconv>
#include <sstream>
#include <stdexcept>

namespace bench {

namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

template <class Number>
Number number_in(const std::string& text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || rest != end) throw std::invalid_argument(text + ": not a number");
  return number;
}

template <class Number>
Take into_number(Number& number) {
  return [&number](const std::string& value) { number = number_in<Number>(value); };
}

template <class Number>
Take into_numbers(std::vector<Number>& numbers) {
  return [&numbers](const std::string& value) {
    numbers.clear();
    for (const std::string& part : split(value, ',')) numbers.push_back(number_in<Number>(part));
  };
}

}  // namespace

void read_options(int argc, char** argv, const std::map<std::string, Take>& options) {
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i];
    const auto found = options.find(name);
    if (found == options.end()) throw std::invalid_argument(name + ": unknown option");
    if (i + 1 == argc) throw std::invalid_argument(name + ": needs a value");
    try {
      found->second(argv[i + 1]);
    } catch (const std::exception& error) {
      throw std::invalid_argument(name + " " + error.what());
    }
  }
}

Take into(std::string& text) {
  return [&text](const std::string& value) { text = value; };
}
Take into(int& number) { return into_number(number); }
Take into(long& number) { return into_number(number); }
Take into(std::size_t& number) { return into_number(number); }
Take into(double& number) { return into_number(number); }
Take into(std::vector<int>& numbers) { return into_numbers(numbers); }
Take into(std::vector<std::size_t>& numbers) { return into_numbers(numbers); }
Take into(std::vector<std::string>& names) {
  return [&names](const std::string& value) { names = split(value, ';'); };
}

}  // namespace bench
