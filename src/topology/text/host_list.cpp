// SPDX-License-Identifier: Apache-2.0
#include "topology/text/host_list.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <stdexcept>

namespace espalier {

namespace {

using HostWords = std::vector<std::string>;

constexpr std::string_view digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr std::size_t max_digits = 18;                              // of a number; all fit 64 bits
constexpr std::size_t max_letters = 255;                            // of a host's name
constexpr std::size_t max_letters_together = std::size_t{1} << 24;  // of all names that one item stands for

[[noreturn]] void refuse(std::string_view text, const std::string& why) {
  constexpr std::size_t enough = 40;
  const std::string shown = std::string(text.substr(0, enough)) + (text.size() > enough ? "..." : "");
  throw std::invalid_argument("'" + shown + "': " + why);
}

[[noreturn]] void refuse_count(std::string_view text, std::size_t max) {
  refuse(text, "too many names; allowed: " + std::to_string(max) + " more");
}

[[noreturn]] void refuse_piece(std::string_view piece) {
  refuse(piece, "no range; allowed in brackets: numbers (7), ranges (0-5) and corners of a box (000x333)");
}

bool is_number(std::string_view text) {
  return !text.empty() && text.size() <= max_digits && text.find_first_not_of("0123456789") == text.npos;
}

std::uint64_t number(std::string_view text) {
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

HostWords range(std::string_view piece, std::string_view first, std::string_view last, std::size_t max) {
  if (!is_number(first) || !is_number(last) || number(first) > number(last)) refuse_piece(piece);
  const std::uint64_t begin = number(first), end = number(last);
  if (end - begin >= max) refuse_count(piece, max);
  HostWords words;
  for (std::uint64_t value = begin; value <= end; ++value) {
    std::string word = std::to_string(value);
    if (word.size() < first.size()) word.insert(0, first.size() - word.size(), '0');
    words.push_back(std::move(word));
  }
  return words;
}

// Counts through all digits between the corners, the last digit fastest.
HostWords box(std::string_view piece, std::string_view first, std::string_view last, std::size_t max) {
  if (first.empty() || first.size() != last.size() || first.size() > max_digits) refuse_piece(piece);
  std::size_t count = 1;
  for (std::size_t k = 0; k < first.size(); ++k) {
    if (digit_of(first[k]) < 0 || digit_of(last[k]) < digit_of(first[k])) refuse_piece(piece);
    const int steps = digit_of(last[k]) - digit_of(first[k]);
    count *= static_cast<std::size_t>(steps) + 1;
    if (count > max) refuse_count(piece, max);
  }
  HostWords words = {std::string(first)};
  while (words.size() < count) {
    std::string next = words.back();
    std::size_t k = next.size() - 1;
    for (; next[k] == last[k]; --k) next[k] = first[k];
    next[k] = digits[digits.find(next[k]) + 1];
    words.push_back(std::move(next));
  }
  return words;
}

HostWords words_of_piece(std::string_view piece, std::size_t max) {
  const std::size_t sign = piece.find_first_of("-x");
  if (sign != piece.npos) {
    const std::string_view first = piece.substr(0, sign), last = piece.substr(sign + 1);
    return piece[sign] == 'x' ? box(piece, first, last, max) : range(piece, first, last, max);
  }
  const bool is_plain = std::ranges::all_of(piece, [](char letter) { return digit_of(letter) >= 0; });
  if (piece.empty() || !is_plain) refuse_piece(piece);
  if (max == 0) refuse_count(piece, max);
  return {std::string(piece)};
}

// What stands in brackets.
HostWords words_of_group(std::string_view group, std::size_t max) {
  HostWords words;
  for (bool is_last = false; !is_last;) {
    const std::string_view piece = group.substr(0, group.find(','));
    is_last = piece.size() == group.size();
    group.remove_prefix(is_last ? piece.size() : piece.size() + 1);
    std::ranges::move(words_of_piece(piece, max - words.size()), std::back_inserter(words));
  }
  return words;
}

std::size_t letters_in(const HostWords& words) {
  std::size_t letters = 0;
  for (const std::string& word : words) letters += word.size();
  return letters;
}

// Each name with each of the words behind it.
HostWords product(std::string_view item, const HostWords& names, const HostWords& words) {
  if (letters_in(names) * words.size() + letters_in(words) * names.size() > max_letters_together) {
    refuse(item,
           "names too long for this many; allowed: " + std::to_string(max_letters_together) + " letters together");
  }
  HostWords longer;
  longer.reserve(names.size() * words.size());
  for (const std::string& name : names) {
    for (const std::string& word : words) {
      if (name.size() + word.size() > max_letters) {
        refuse(item, "too long a name; allowed: " + std::to_string(max_letters) + " letters");
      }
      longer.push_back(name + word);
    }
  }
  return longer;
}

// The names of one item of the list: texts and groups in turn.
HostWords expand(std::string_view item, std::size_t max) {
  HostWords names = {""};
  for (std::string_view rest = item; !rest.empty();) {
    if (rest.front() == '[') {
      const std::size_t end = rest.find(']');
      names = product(item, names, words_of_group(rest.substr(1, end - 1), max / names.size()));
      rest.remove_prefix(end + 1);
    } else {
      const std::string_view plain = rest.substr(0, rest.find('['));
      if (plain.size() > max_letters) refuse(item, "too long a name");
      names = product(item, names, {std::string(plain)});
      rest.remove_prefix(plain.size());
    }
  }
  return names;
}

// The first item of the list: up to a comma that is not in brackets.
std::string_view first_item(std::string_view list) {
  bool inside = false;
  for (std::size_t k = 0; k < list.size(); ++k) {
    if (list[k] == ',' && !inside) return list.substr(0, k);
    if (list[k] != '[' && list[k] != ']') continue;
    if (inside == (list[k] == '[')) refuse(list, "brackets do not pair up; allowed: NAME[0-5,7]");
    inside = !inside;
  }
  if (inside) refuse(list, "a bracket is not closed; allowed: NAME[0-5,7]");
  return list;
}

}  // namespace

int digit_of(char letter) {
  const std::size_t place = digits.find(letter);
  return place == digits.npos ? -1 : static_cast<int>(place);
}

std::vector<std::string> hosts_of(std::string_view list, std::size_t max) {
  HostWords hosts;
  for (std::string_view rest = list;;) {
    const std::string_view item = first_item(rest);
    if (item.empty()) refuse(list, "an empty name; allowed: names with a comma between each two");
    if (hosts.size() >= max) refuse_count(item, 0);
    std::ranges::move(expand(item, max - hosts.size()), std::back_inserter(hosts));
    if (item.size() == rest.size()) return hosts;
    rest.remove_prefix(item.size() + 1);
  }
}

}  // namespace espalier
