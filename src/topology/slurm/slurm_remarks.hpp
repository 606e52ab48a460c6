// SPDX-License-Identifier: Apache-2.0
// What Slurm does not know of a network, and a comment in one of its files says.
//
//   # espalier: rate=2.5e9, nics=2
//
//   rate         bytes per second of each link or NIC, in each direction; default_slurm_rate
//   hop_seconds  what a message costs at each node
//   arithmetic   what one rank reduces, of each operand
//   nics         of each node on switches; 1
//   nodes        those that ALL stands for
//   extents      of a torus whose nodes say by their names where they are; up to the last node on each axis
//   topology     which one of a topology.yaml; the one that Slurm takes by default
//   torus        which one of several, or ring; all of them, with no link between them
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "topology/machine.hpp"
#include "topology/slurm/slurm_source.hpp"
#include "topology/text/conf_lines.hpp"

namespace espalier {

// Ten gigabits per second: the least that machines with a scheduler have had for years.
inline constexpr double default_slurm_rate = 1.25e9;

// All throw BadDescription.
class SlurmRemarks {
 public:
  SlurmRemarks(const std::vector<ConfLine>& lines, const SlurmSource& source);

  // Refuses others. Those that every network has are known anyway.
  void allow(std::set<std::string> keys) const;

  [[nodiscard]] double rate() const { return positive("rate", default_slurm_rate); }
  [[nodiscard]] int nics() const;
  [[nodiscard]] std::vector<int> extents() const;  // three of them, or none
  void put_costs(Machine& machine) const;

  struct SlurmValue {
    std::string text;
    int line = 0;
  };
  [[nodiscard]] const SlurmValue* find(const std::string& key) const;

 private:
  [[nodiscard]] double positive(const std::string& key, double otherwise) const;
  [[nodiscard]] int whole(const std::string& what, std::string_view text, int line, int max) const;

  const SlurmSource& source_;
  std::map<std::string, SlurmValue> remarks_;
};

}  // namespace espalier
