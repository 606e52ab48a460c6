// SPDX-License-Identifier: Apache-2.0
#include "hosts.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <set>
#include <string>

#include "../collectives/clock.hpp"
#include "../collectives/native.hpp"

namespace bench {

Hosts::Hosts(MPI_Comm comm) : comm_(comm) {
  int ranks = 0, first = 0;
  MPI_Comm_size(comm, &ranks);
  MPI_Comm_rank(comm, &first);
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host_);
  native().Bcast(&first, 1, MPI_INT, 0, host_);
  host_of_.resize(static_cast<std::size_t>(ranks));
  native().Allgather(&first, 1, MPI_INT, host_of_.data(), 1, MPI_INT, comm);
}

Hosts::~Hosts() { MPI_Comm_free(&host_); }

double Hosts::bytes_to_others(const std::vector<Block>& blocks) const {
  int me = 0;
  MPI_Comm_rank(comm_, &me);
  double bytes = 0;
  for (const Block& block : blocks) {
    if (host_of_[static_cast<std::size_t>(block.peer)] != host_of_[static_cast<std::size_t>(me)])
      bytes += static_cast<double>(block.bytes);
  }
  return bytes;
}

double Hosts::most_bytes(const Pattern& mine) const {
  double of_rank[] = {bytes_to_others(mine.sent), bytes_to_others(mine.received)}, of_host[2] = {};
  if (mine.is_alike) {
    int me = 0;
    MPI_Comm_rank(comm_, &me);
    std::set<int> hosts;
    for (const Block& block : mine.sent) hosts.insert(host_of_[static_cast<std::size_t>(block.peer)]);
    hosts.erase(host_of_[static_cast<std::size_t>(me)]);
    of_rank[0] = of_rank[1] = static_cast<double>(hosts.size() * mine.sent.front().bytes);  // as its neighbours do it
  }
  native().Allreduce(of_rank, of_host, 2, MPI_DOUBLE, MPI_SUM, host_);
  return latest(std::max(of_host[0], of_host[1]), comm_);
}

double Hosts::packets_sent() {
  constexpr int before = 9;  // numbers in a line, before the packets that were sent
  double all = 0;
  std::ifstream file("/proc/net/dev");
  file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  for (std::string name; std::getline(file >> std::ws, name, ':');) {
    double number = 0;
    for (int k = 0; k < before; ++k) file >> number;
    file >> number;
    if (name != "lo") all += number;
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return all;
}

}  // namespace bench
