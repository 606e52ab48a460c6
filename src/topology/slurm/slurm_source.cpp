// SPDX-License-Identifier: Apache-2.0
#include "topology/slurm/slurm_source.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "core/bad_description.hpp"
#include "topology/text/host_list.hpp"

namespace espalier {

namespace {

constexpr std::size_t max_names = 1 << 20;  // of nodes and switches in one file

// Slurm's lists may have blanks around their commas, or in place of them.
std::string with_commas_alone(std::string_view list) {
  std::string result;
  for (std::size_t begin = list.find_first_not_of(" \t"); begin < list.size();) {
    const std::size_t end = std::min(list.find_first_of(" \t", begin), list.size());
    const std::size_t next = std::min(list.find_first_not_of(" \t", end), list.size());
    result += list.substr(begin, end - begin);
    const bool has_comma = result.ends_with(',') || (next < list.size() && list[next] == ',');
    if (next < list.size() && !has_comma) result += ',';
    begin = next;
  }
  return result;
}

bool is_all(std::string_view list) {
  constexpr std::string_view word = "all";
  return std::ranges::equal(list, word, [](char letter, char small) { return (letter | ' ') == small; });
}

}  // namespace

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

std::string list_of(const std::set<std::string>& words) {
  std::string list;
  for (const std::string& word : words) list += (list.empty() ? "" : ", ") + word;
  return list;
}

void SlurmSource::fail(int line, const std::string& what) const { throw BadDescription(file_, line, what); }

std::vector<std::string> SlurmSource::names(std::string_view list, int line) {
  try {
    const bool has_blanks = list.find_first_of(" \t") != list.npos;
    std::vector<std::string> hosts = hosts_of(has_blanks ? with_commas_alone(list) : list, max_names - names_);
    names_ += hosts.size();
    return hosts;
  } catch (const std::invalid_argument& bad) {
    fail(line, bad.what());
  }
}

std::vector<std::string> SlurmSource::nodes(std::string_view list, int line) {
  if (!is_all(list)) return names(list, line);
  std::vector<std::string> all;
  for (const auto& [part, where] : all_) {
    std::vector<std::string> more = names(part, where);
    std::ranges::move(more, std::back_inserter(all));
  }
  if (!all.empty()) return all;
  fail(line, quoted(list) +
                 " are nodes that this file does not name; allowed: a list such as tux[0-5,7], or a comment that names "
                 "them, # espalier: nodes=tux[0-5,7]");
}

void SlurmSource::add_all(std::string list, int line) { all_.emplace_back(std::move(list), line); }

}  // namespace espalier
