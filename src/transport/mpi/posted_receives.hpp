// SPDX-License-Identifier: Apache-2.0
// Short messages from all other ranks, each from a known one, for which nobody waits: a receive for each rank that will
// send one, and one question for all of them. (A probe for each would be a question for each, and each question of an
// MPI over sockets goes to the kernel.)
#pragma once

#include <algorithm>
#include <list>
#include <utility>
#include <vector>

#include "transport/mpi/keep_permanently.hpp"
#include "transport/mpi/mpi_peers.hpp"
#include "transport/mpi/take_back.hpp"

namespace espalier {

// `words`: of 8 bytes, in a message.
template <class Message, int words>
class PostedReceives {
 public:
  explicit PostedReceives(const MpiPeers& peers) : peers_(peers) {}
  // The MPI may still write into what has not arrived.
  ~PostedReceives() {
    const auto is_posted = [](MPI_Request request) { return request != MPI_REQUEST_NULL; };
    if (std::ranges::any_of(requests_, is_posted)) keep_permanently(messages_);
  }
  PostedReceives(const PostedReceives&) = delete;
  PostedReceives& operator=(const PostedReceives&) = delete;

  // Another one will come from that rank. Throws on allocation failure.
  void expect(Rank from) {
    const auto ranks = static_cast<std::size_t>(peers_.size);
    if (messages_.empty()) {
      expected_of_.resize(ranks);
      requests_.resize(ranks, MPI_REQUEST_NULL);
      indices_.resize(ranks);
      statuses_.resize(ranks);
      messages_.emplace_back(ranks);
    }
    ++expected_of_[static_cast<std::size_t>(from)];
    ++expected_;
  }
  [[nodiscard]] bool empty() const { return expected_ == 0; }

  // One for each rank at a time, with a tag of the communicator's block.
  void post(int tag) {
    if (messages_.empty()) return;
    for (std::size_t from = 0; from < requests_.size(); ++from) {
      if (expected_of_[from] == 0 || requests_[from] != MPI_REQUEST_NULL) continue;
      const int status =
          peers_.mpi->Irecv(&messages_.front()[from], words, MPI_UINT64_T, peers_.world_ranks[static_cast<Rank>(from)],
                            peers_.first_tag + tag, peers_.traffic, &requests_[from]);
      if (status == MPI_SUCCESS) continue;
      requests_[from] = MPI_REQUEST_NULL;
      end_one(from);
    }
  }
  // `read(message)`: of those that have arrived. Posts those that follow them.
  template <class Read>
  void take(int tag, Read read) {
    while (expected_ > 0) {
      post(tag);
      int count = 0;
      const int status = peers_.mpi->Testsome(peers_.size, requests_.data(), &count, indices_.data(), statuses_.data());
      if (count == MPI_UNDEFINED || count == 0) return;
      for (int k = 0; k < count; ++k) end_one(static_cast<std::size_t>(indices_[static_cast<std::size_t>(k)]));
      for (int k = 0; k < count; ++k) {
        const auto from = static_cast<std::size_t>(indices_[static_cast<std::size_t>(k)]);
        const bool has_arrived =
            status == MPI_SUCCESS || statuses_[static_cast<std::size_t>(k)].MPI_ERROR == MPI_SUCCESS;
        if (has_arrived) read(std::as_const(messages_.front()[from]));
      }
    }
  }
  // Until it is asked again, the MPI writes nothing.
  void withdraw() {
    bool are_back = true;
    for (MPI_Request& request : requests_) are_back = take_back(*peers_.mpi, request) && are_back;
    if (!are_back) keep_permanently(messages_);  // the next one that is expected gets new ones
  }
  // What is still to come will arrive with tags that are no longer read.
  void forget_expected() {
    withdraw();
    std::ranges::fill(expected_of_, 0);
    expected_ = 0;
  }

 private:
  void end_one(std::size_t from) {
    --expected_of_[from];
    --expected_;
  }

  static_assert(sizeof(Message) == words * sizeof(std::uint64_t));

  const MpiPeers& peers_;
  std::uint64_t expected_ = 0;
  // By rank.
  std::vector<std::uint32_t> expected_of_;
  std::list<std::vector<Message>> messages_;  // one, or none
  std::vector<MPI_Request> requests_;
  std::vector<int> indices_;  // what Testsome says
  std::vector<MPI_Status> statuses_;
};

}  // namespace espalier
