// SPDX-License-Identifier: Apache-2.0
// A schedule bound to a message, on the transport by which its messages go.
#pragma once

#include <variant>

#include "engine/bound.hpp"
#include "hybrid/hybrid_port.hpp"
#include "hybrid/node_port.hpp"

namespace espalier {

template <Port P>
struct BoundTo {
  BoundTo(MpiEndpoint& endpoint, const Wire& wire, Schedule built, Partition partition, int window, const Elements& how)
      : port(endpoint, wire), schedule(std::move(built), std::move(partition), window, how, port) {}
  P port;
  BoundSchedule<P> schedule;
};

// By which of them: in the order of BoundToTransport's ports.
enum class PortKind : std::uint8_t { mpi, fabric, node, fabric_and_node };

class BoundToTransport {
 public:
  // Arguments: those of BoundTo.
  template <class... Arguments>
  BoundToTransport(PortKind kind, Arguments&&... arguments)
      : bound_(make(kind, std::forward<Arguments>(arguments)...)) {}

  // Returns work(bound), for a BoundTo of some port. Not by a table of functions: runs are to be short.
  template <class Work>
  auto with(Work work) {
    return with(bound_, work);
  }
  template <class Work>
  auto with(Work work) const {
    return with(bound_, work);
  }

 private:
  using Any =
      std::variant<BoundTo<MpiPort>, BoundTo<HybridPort<MpiPort>>, BoundTo<NodePort>, BoundTo<HybridPort<NodePort>>>;

  template <class... Arguments>
  [[nodiscard]] static Any make(PortKind kind, Arguments&&... arguments) {
    switch (kind) {
      case PortKind::fabric: return Any(std::in_place_index<1>, std::forward<Arguments>(arguments)...);
      case PortKind::node: return Any(std::in_place_index<2>, std::forward<Arguments>(arguments)...);
      case PortKind::fabric_and_node: return Any(std::in_place_index<3>, std::forward<Arguments>(arguments)...);
      default: return Any(std::in_place_index<0>, std::forward<Arguments>(arguments)...);
    }
  }

  template <class Bound, class Work>
  static auto with(Bound& bound, Work work) {
    if (auto* const to_mpi = std::get_if<0>(&bound)) return work(*to_mpi);
    if (auto* const to_node = std::get_if<2>(&bound)) return work(*to_node);
    if (auto* const to_both = std::get_if<3>(&bound)) return work(*to_both);
    return work(*std::get_if<1>(&bound));
  }

  Any bound_;
};

}  // namespace espalier
