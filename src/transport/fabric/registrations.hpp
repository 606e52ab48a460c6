// SPDX-License-Identifier: Apache-2.0
// Memory that is registered with the lanes, so that others may write there. Whoever uses it holds the fabric's lock.
#pragma once

#include <list>
#include <vector>

#include "transport/fabric/lane.hpp"

namespace espalier {

struct RegisteredMemory {
  std::uint32_t id = 0;  // of no other one of this process, ever
  std::byte* begin = nullptr;
  std::size_t bytes = 0;
  std::array<Fid<fid_mr>, max_lanes> of_lane;
  int users = 0;
  std::uint64_t last_taken = 0;

  [[nodiscard]] bool holds(const std::byte* first, std::size_t count) const {
    return first >= begin && count <= bytes && first - begin <= static_cast<std::ptrdiff_t>(bytes - count);
  }
};

// Where lanes do not pin memory, a registration is no more than a right to write at some addresses, whatever is mapped
// there: it is kept for the next time, up to a number. Where they do, the provider keeps what it can, as it hears of
// memory that is unmapped; here a registration ends with its last user.
class Registrations {
 public:
  explicit Registrations(const std::vector<std::unique_ptr<Lane>>& lanes);

  // Throws NoFabric if a lane does not take it.
  [[nodiscard]] RegisteredMemory& take(std::byte* begin, std::size_t bytes);
  void give_back(RegisteredMemory& memory);

 private:
  static constexpr std::size_t max_kept = 256;
  [[nodiscard]] RegisteredMemory& registered(std::byte* begin, std::size_t bytes);
  void drop_oldest();

  const std::vector<std::unique_ptr<Lane>>& lanes_;
  bool keeps_ = true;
  std::uint32_t last_id_ = 0;
  std::uint64_t takes_ = 0;
  std::list<RegisteredMemory> kept_;
};

}  // namespace espalier
