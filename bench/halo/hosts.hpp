// SPDX-License-Identifier: Apache-2.0
// Which ranks share a host, and what goes from host to host.
#pragma once

#include <mpi.h>

#include <vector>

#include "patterns.hpp"

namespace bench {

class Hosts {
 public:
  // Collective, past Espalier.
  explicit Hosts(MPI_Comm comm);
  ~Hosts();
  Hosts(const Hosts&) = delete;
  Hosts& operator=(const Hosts&) = delete;

  // The most bytes that a host has to send to others, or to receive: what is the same for several ranks of a host
  // counts once. Collective.
  [[nodiscard]] double most_bytes(const Pattern& mine) const;

  // By this host so far, over all its network interfaces but the loopback.
  [[nodiscard]] static double packets_sent();

 private:
  [[nodiscard]] double bytes_to_others(const std::vector<Block>& blocks) const;

  MPI_Comm comm_ = MPI_COMM_NULL, host_ = MPI_COMM_NULL;
  std::vector<int> host_of_;  // by rank
};

}  // namespace bench
