// SPDX-License-Identifier: Apache-2.0
// Short messages going to other ranks, for which nobody waits here. Their memory is used again.
#pragma once

#include <list>

#include "transport/mpi/keep_permanently.hpp"
#include "transport/mpi/mpi_peers.hpp"

namespace espalier {

// `words`: of 8 bytes, in a message.
template <class Message, int words>
class Outbox {
 public:
  explicit Outbox(const MpiPeers& peers) : peers_(peers) {}
  // The MPI may still read what has not left: that is kept permanently.
  ~Outbox() { keep_permanently(leaving_); }
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;

  // To a tag of the communicator's block. Throws on allocation failure.
  void send(Rank to, int tag, const Message& message) {
    static_assert(sizeof(Message) == words * sizeof(std::uint64_t));
    if (free_.empty()) free_.emplace_back();
    Leaving& leaving = free_.front();
    leaving.message = message;
    const int status = peers_.mpi->Isend(&leaving.message, words, MPI_UINT64_T, peers_.world_ranks[to],
                                         peers_.first_tag + tag, peers_.traffic, &leaving.request);
    if (status == MPI_SUCCESS) leaving_.splice(leaving_.end(), free_, free_.begin());
  }

  // Messages so short leave at once, as a rule.
  void forget_those_that_left() {
    for (auto one = leaving_.begin(); one != leaving_.end();) {
      const auto next = std::next(one);
      int left = 0;
      const bool failed = peers_.mpi->Test(&one->request, &left, MPI_STATUS_IGNORE) != MPI_SUCCESS;
      if (failed || left != 0) free_.splice(free_.end(), leaving_, one);
      one = next;
    }
  }

  [[nodiscard]] bool empty() const { return leaving_.empty(); }

 private:
  struct Leaving {
    Message message{};
    MPI_Request request = MPI_REQUEST_NULL;
  };

  const MpiPeers& peers_;
  std::list<Leaving> leaving_, free_;
};

}  // namespace espalier
