// SPDX-License-Identifier: Apache-2.0
// Exchanges with two neighbours again and again, by persistent messages that meet each other and by neighbourhood
// collectives of all forms: what Espalier itself asks of its surroundings (steady/count.c), on the rank that
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

constexpr int batches = 9, exchanges_in_batch = 50, length = 20000, short_length = 100;

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
  std::vector<char> sent = std::vector<char>(2 * length), received = std::vector<char>(4 * length);
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

// `exchange` makes one.
template <class Exchange>
Counts counts_of(Exchange exchange) {
  std::array<Counts, batches> all{};
  for (Counts& batch : all) {
    const Counts before = counted_so_far();
    for (int number = 0; number < exchanges_in_batch; ++number) exchange();
    batch = counted_since(before);
  }
  return typical_of(all);
}

Counts counts_of_starts(Requests requests) {
  const Counts counts = counts_of([&] {
    MPI_Startall(static_cast<int>(requests.size()), requests.data());
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  });
  for (MPI_Request& request : requests) MPI_Request_free(&request);
  return counts;
}

// Of calls with this many bytes for each neighbour: {"even": [1, 2, 3, 4], ...}
std::string counts_of_calls(Ring& ring, int bytes) {
  const std::array counts = {bytes, bytes}, places = {length, 0};
  const char* const sent = ring.sent.data();
  char* const received = ring.received.data();
  const auto even = [&] { MPI_Neighbor_alltoall(sent, bytes, MPI_BYTE, received, bytes, MPI_BYTE, ring.comm); };
  const auto uneven = [&] {
    MPI_Neighbor_alltoallv(sent, counts.data(), places.data(), MPI_BYTE, received, counts.data(), places.data(),
                           MPI_BYTE, ring.comm);
  };
  const auto in_turn = [&] {
    even();
    uneven();
    MPI_Neighbor_allgather(sent, bytes, MPI_BYTE, received, bytes, MPI_BYTE, ring.comm);
  };
  const auto nonblocking = [&] {
    std::array<MPI_Request, 2> requests{};
    for (std::size_t k = 0; k < requests.size(); ++k)
      MPI_Ineighbor_alltoallv(sent, counts.data(), places.data(), MPI_BYTE, received + 2 * length * k, counts.data(),
                              places.data(), MPI_BYTE, ring.comm, &requests[k]);
    MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
  };
  std::string text = "{\"even\": " + text_of(counts_of(even)) + ", \"uneven\": " + text_of(counts_of(uneven));
  text += ", \"in turn\": " + text_of(counts_of(in_turn));
  return text + ", \"nonblocking\": " + text_of(counts_of(nonblocking)) + "}";
}

int run(const Arguments&) {
  start_counting();
  Ring ring;
  now_doing("messages");
  const Counts of_messages = counts_of_starts(messages(ring));
  now_doing("a collective");
  const Counts of_collective = counts_of_starts(collective(ring));
  now_doing("calls");
  const std::string of_calls = counts_of_calls(ring, length), of_short_calls = counts_of_calls(ring, short_length);
  return conclude("\"messages\": " + text_of(of_messages) + ", \"collective\": " + text_of(of_collective) +
                  ", \"calls\": " + of_calls + ", \"short calls\": " + of_short_calls);
}

}  // namespace

}  // namespace espalier::apps

int main(int argc, char** argv) { return espalier::apps::run_program(argc, argv, espalier::apps::run); }
