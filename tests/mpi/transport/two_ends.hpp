// SPDX-License-Identifier: Apache-2.0
// Two ranks, each with its end of a communicator and a port of it.
#pragma once

#include <gtest/gtest.h>

#include "fake/fake_mpi.hpp"
#include "transport/mpi/mpi_port.hpp"

namespace espalier {

using Numbers = std::vector<int>;

class TwoEnds : public testing::Test {
 protected:
  static constexpr Rank ranks = 2;

  TwoEnds() {
    fake::run_ranks(ranks, [&](Rank) { mpi.Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); });
  }

  [[nodiscard]] MpiPeers peers_of(Rank me) const {
    const int world_ranks[] = {0, 1};
    return {.mpi = &mpi,
            .application = MPI_COMM_WORLD,
            .traffic = MPI_COMM_WORLD,
            .tags = {.ids = 4, .calls = 8},
            .first_tag = 0,
            .world_ranks = WorldRanks(world_ranks),
            .me = me,
            .size = ranks,
            .crowded = true,
            .fault_tolerant = fault_tolerant,
            .acknowledged = acknowledged};
  }

  // A rank's end, and a port of it for ints.
  struct End {
    explicit End(const MpiPeers& peers) : endpoint(peers) { port.reserve(4); }
    MpiEndpoint endpoint;
    MpiPort port{endpoint, {.type = MPI_INT, .stride_bytes = sizeof(int)}};
    Rank other() const { return 1 - endpoint.peers.me; }
    [[nodiscard]] Message message(Numbers& numbers, Channel channel = 0) const {
      return {.peer = other(),
              .channel = channel,
              .data = reinterpret_cast<std::byte*>(numbers.data()),
              .bytes = numbers.size() * sizeof(int)};
    }
  };
  void run(const std::function<void(End&)>& body) {
    fake::run_ranks(ranks, [&](Rank me) {
      End end(peers_of(me));
      body(end);
    });
  }
  // One rank sends, the other receives.
  void run_two(const std::function<void(End&)>& sender, const std::function<void(End&)>& receiver) {
    run([&](End& end) { (end.endpoint.peers.me == 0 ? sender : receiver)(end); });
  }
  static void send_in_call(End& end, std::uint64_t call, Numbers numbers) {
    end.port.begin(call);
    end.port.send(0, end.message(numbers));
    end.port.wait(0);
    end.port.end();
  }

  fake::Started started{ranks};
  Native mpi = fake::functions();
  bool acknowledged = false;
  bool fault_tolerant = false;
};

}  // namespace espalier
