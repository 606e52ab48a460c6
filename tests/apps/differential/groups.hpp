// SPDX-License-Identifier: Apache-2.0
// Who takes part: the communicators of the tests.
#pragma once

#include <mpi.h>

#include <span>
#include <string>
#include <vector>

namespace espalier::apps {

struct Group {
  std::string name;               // as cases have it
  MPI_Comm comm = MPI_COMM_NULL;  // null on a rank that is no member
  int size = 0;
  int rank = 0;
  int remote_size = 0;        // between two groups: of the other one; else 0
  bool is_receiving = false;  // between two groups: what has a root goes to this one, or comes from it

  [[nodiscard]] bool has_me() const { return comm != MPI_COMM_NULL; }
  [[nodiscard]] bool is_between_groups() const { return remote_size > 0; }
};

// Collective over MPI_COMM_WORLD. All return errors.
class Groups {
 public:
  Groups();
  ~Groups();
  Groups(const Groups&) = delete;
  Groups& operator=(const Groups&) = delete;

  [[nodiscard]] std::span<const Group> all() const { return groups_; }
  // Throws std::invalid_argument if there is none.
  [[nodiscard]] const Group& named(const std::string& name) const;

  // The fewest ranks that one has on any rank, among this many in all; 0 for those between groups.
  [[nodiscard]] static int fewest_ranks(const std::string& name, int world_size);

 private:
  void add(const std::string& name, MPI_Comm comm);

  std::vector<Group> groups_;
};

}  // namespace espalier::apps
