// SPDX-License-Identifier: Apache-2.0
// Memory that libfabric may touch. A user of it holds the fabric's lock.
//
// To write from elsewhere is a right that ends with the object that stands for it, whatever a provider may keep of what
// it has pinned: a run opens its memory when something is to arrive there, under keys that nobody can guess, and closes
// it at its end.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "transport/fabric/lanes/fid.hpp"
#include "transport/fabric/lanes/unguessable.hpp"
#include "transport/fabric/protocol/region.hpp"
#include "transport/fabric/wire/wire.hpp"

struct fid_mr;  // libfabric's

namespace espalier {

class Lane;

struct RegisteredMemory : WritableRegion {
  std::array<Fid<fid_mr>, max_lanes> of_lane;
};

class Registrations {
 public:
  Registrations(const std::vector<std::unique_ptr<Lane>>& lanes, Unguessable& keys) : lanes_(lanes), keys_(keys) {}

  // Until the result goes, anyone who knows the keys may write there. Throws NoFabric if a lane does not take it.
  [[nodiscard]] RegisteredMemory open_to_writes(const MemoryArea& area);
  // Whether memory that only this process's own NICs read or write must be registered, too; and that, which gives
  // nobody else a right.
  [[nodiscard]] bool wants_sources() const;
  [[nodiscard]] RegisteredMemory register_source(const MemoryArea& area);

 private:
  [[nodiscard]] RegisteredMemory registered(const MemoryArea& area, std::uint64_t access);

  const std::vector<std::unique_ptr<Lane>>& lanes_;
  Unguessable& keys_;
  std::uint32_t last_id_ = 0;
};

}  // namespace espalier
