// SPDX-License-Identifier: Apache-2.0
// Tags for the persistent requests of one communicator. They are distinguished by the order of their initialisation,
// which is the same on all ranks; so they may be started in any order. When the numbers are used up, the communicator
// agrees on more tags.
#pragma once

#include <atomic>
#include <optional>

#include "mpi/communicators/id_pool.hpp"
#include "transport/mpi/mpi_endpoint.hpp"

namespace espalier {

// Shared by the requests that use them.
class PersistentTags {
 public:
  // `peers`: those of the communicator. The pool must outlive it.
  PersistentTags(MpiPeers peers, IdPool& ids) : endpoint_(std::move(peers)), ids_(ids) {
    endpoint_.numbering = Numbering::by_starts;
  }
  // What the ranks have agreed on; before that it is of no use.
  void use(int id) {
    id_ = id;
    endpoint_.peers.first_tag = endpoint_.peers.tags.first_tag(id);
  }
  // An id whose tags may still meet a message of old is not given out again.
  ~PersistentTags() {
    if (id_ && !are_spoilt_) ids_.release(*id_);
  }
  PersistentTags(const PersistentTags&) = delete;
  PersistentTags& operator=(const PersistentTags&) = delete;

  [[nodiscard]] MpiEndpoint& endpoint() { return endpoint_; }
  // At each initialisation, on all ranks alike.
  [[nodiscard]] bool are_used_up() const { return next_ == endpoint_.peers.tags.calls; }
  [[nodiscard]] std::uint64_t take() { return static_cast<std::uint64_t>(next_++); }
  // A run failed, and left messages behind.
  void spoil() { are_spoilt_ = true; }

 private:
  MpiEndpoint endpoint_;
  IdPool& ids_;
  std::optional<int> id_;
  int next_ = 0;
  std::atomic<bool> are_spoilt_{false};
};

}  // namespace espalier
