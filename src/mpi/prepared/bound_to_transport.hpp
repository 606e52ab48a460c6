// SPDX-License-Identifier: Apache-2.0
// A schedule bound to a message, on the transport by which its messages go.
#pragma once

#include <variant>

#include "engine/bound.hpp"
#include "hybrid/hybrid_port.hpp"

namespace espalier {

template <Port P>
struct BoundTo {
  BoundTo(MpiEndpoint& endpoint, const Wire& wire, Schedule built, Partition partition, int window, const Elements& how)
      : port(endpoint, wire), schedule(std::move(built), std::move(partition), window, how, port) {}
  P port;
  BoundSchedule<P> schedule;
};

class BoundToTransport {
 public:
  // Arguments: those of BoundTo.
  template <class... Arguments>
  BoundToTransport(Transport transport, Arguments&&... arguments)
      : bound_(transport == Transport::fabric ? Any(std::in_place_index<1>, std::forward<Arguments>(arguments)...)
                                              : Any(std::in_place_index<0>, std::forward<Arguments>(arguments)...)) {}

  // Returns work(bound), for a BoundTo of some port. Not by a table of functions: most runs are the MPI's.
  template <class Work>
  auto with(Work work) {
    if (auto* const to_mpi = std::get_if<0>(&bound_)) [[likely]]
      return work(*to_mpi);
    return work(*std::get_if<1>(&bound_));
  }
  template <class Work>
  auto with(Work work) const {
    if (const auto* const to_mpi = std::get_if<0>(&bound_)) [[likely]]
      return work(*to_mpi);
    return work(*std::get_if<1>(&bound_));
  }

 private:
  using Any = std::variant<BoundTo<MpiPort>, BoundTo<HybridPort>>;
  Any bound_;
};

}  // namespace espalier
