// SPDX-License-Identifier: Apache-2.0
// The links to another process in an epoch, in the order of their lanes. The first one carries records.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "transport/fabric/protocol/link.hpp"

namespace espalier {

class Gateway;

class LinkSet {
 public:
  using Links = std::vector<std::unique_ptr<Link>>;

  // Those that cannot be opened are not offered.
  void open(Gateway& gateway, Peer& peer, LaneSet lanes, const Distance& distance);
  void offer(const Gateway& gateway, Handshake& handshake) const;
  // The k-th of a lane is joined with the k-th of that lane there; what has no partner goes. The lanes that are left.
  [[nodiscard]] LaneSet join(const Handshake& theirs);
  // Afterwards nothing arrives by them. What has arrived by then is taken in.
  void close(Gateway& gateway);
  // That were closed.
  [[nodiscard]] Links take() { return std::exchange(links_, {}); }

  [[nodiscard]] bool empty() const { return links_.empty(); }
  [[nodiscard]] std::size_t size() const { return links_.size(); }
  [[nodiscard]] Link& operator[](std::size_t k) { return *links_[k]; }
  [[nodiscard]] Link& first() { return *links_.front(); }
  [[nodiscard]] const Links& all() const { return links_; }
  // Null: none of them is of that lane.
  [[nodiscard]] const LaneLoad* lane(int number) const;

 private:
  void end_connections(Gateway& gateway);

  Links links_;
};

}  // namespace espalier
