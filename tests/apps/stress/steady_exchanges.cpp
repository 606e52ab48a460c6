// SPDX-License-Identifier: Apache-2.0
// Exchanges with two neighbours that are started again and again, by persistent messages that meet each other and by a
// persistent neighbourhood collective: what Espalier itself asks of its surroundings (steady/count.c), on the rank that
// asks most.
//
//     mpiexec -x LD_PRELOAD=.../libespalier.so:.../count.so -x ESPALIER_PERSISTENT=paired -n 2 steady_exchanges
#include <mpi.h>

#include <array>
#include <string>
#include <vector>

#include "shared/counted.hpp"
#include "shared/failures.hpp"
#include "shared/preloaded.hpp"
#include "shared/program.hpp"

namespace espalier::apps {

namespace {

constexpr int batches = 9, starts_in_batch = 50, length = 20000;

// Down and up on a ring.
struct Ring {
  Ring() {
    int size = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    constexpr int is_periodic = 1;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &is_periodic, 0, &comm);
    MPI_Cart_shift(comm, 0, 1, &peers[0], &peers[1]);
  }
  ~Ring() { MPI_Comm_free(&comm); }
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;

  MPI_Comm comm = MPI_COMM_NULL;
  std::array<int, 2> peers{};
  std::vector<char> sent = std::vector<char>(2 * length), received = std::vector<char>(2 * length);
};

using Requests = std::vector<MPI_Request>;

// What goes down is received from above.
Requests messages(Ring& ring) {
  Requests all(4, MPI_REQUEST_NULL);
  for (int k = 0; k < 2; ++k) {
    const auto place = static_cast<std::size_t>(k);
    MPI_Recv_init(&ring.received[place * length], length, MPI_BYTE, ring.peers[place], 1 - k, ring.comm, &all[place]);
    MPI_Send_init(&ring.sent[place * length], length, MPI_BYTE, ring.peers[place], k, ring.comm, &all[2 + place]);
  }
  return all;
}

Requests collective(Ring& ring) {
  Requests all(1, MPI_REQUEST_NULL);
  MPI_Neighbor_alltoall_init(ring.sent.data(), length, MPI_BYTE, ring.received.data(), length, MPI_BYTE, ring.comm,
                             MPI_INFO_NULL, all.data());
  return all;
}

Counts counts_of(Requests requests) {
  std::array<Counts, batches> all{};
  for (Counts& batch : all) {
    const Counts before = counted_so_far();
    for (int start = 0; start < starts_in_batch; ++start) {
      MPI_Startall(static_cast<int>(requests.size()), requests.data());
      MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    }
    batch = counted_since(before);
  }
  for (MPI_Request& request : requests) MPI_Request_free(&request);
  return usual_of(all);
}

int run(const Arguments&) {
  start_counting();
  Ring ring;
  now_doing("messages");
  const Counts of_messages = counts_of(messages(ring));
  now_doing("a collective");
  const Counts of_collective = counts_of(collective(ring));
  return conclude("\"messages\": " + text_of(of_messages) + ", \"collective\": " + text_of(of_collective));
}

}  // namespace

}  // namespace espalier::apps

int main(int argc, char** argv) { return espalier::apps::run_program(argc, argv, espalier::apps::run); }
