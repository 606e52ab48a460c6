// SPDX-License-Identifier: Apache-2.0
// Who may write where, and how much, in an epoch of two processes: records that say which memory of ours the other one
// may write to, and what such records from there stand for. Knows no network.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "transport/fabric/protocol/region.hpp"
#include "transport/fabric/protocol/streams.hpp"

namespace espalier {

class Grants {
 public:
  // A new epoch: nothing of before holds.
  void forget();

  // --- Ours ---

  // To be told before the first grant there: true once in an epoch, as long as the other side has a place for it.
  [[nodiscard]] bool is_new(const WritableRegion& region);
  [[nodiscard]] static FabricRecord record_of(const WritableRegion& region);
  // `region`: where the data lie; null: there are none.
  [[nodiscard]] static FabricRecord record_of(const Inlet& inlet, std::uint64_t first_piece, std::uint64_t pieces,
                                              const std::byte* data, std::size_t bytes, const WritableRegion* region);

  // --- Theirs ---

  void note_region(const FabricRecord& record);
  // Nothing: it is in a region that is not known.
  [[nodiscard]] std::optional<Granted> read(const FabricRecord& record) const;
  // For a stream that has not begun here, and then for that, in their order.
  void keep(const FabricRecord& record, const Granted& granted);
  void move_kept_to(Outlet& outlet);

 private:
  static constexpr std::size_t max_regions = 16;

  struct Theirs {
    std::uint32_t id = 0;
    FabricRecord::Where where{};
  };
  struct Early {
    RunName run{};
    std::uint32_t channel = 0;
    Granted granted;
  };

  std::array<Theirs, max_regions> theirs_{};
  std::array<std::uint32_t, max_regions> reported_{};  // of ours
  std::vector<Early> early_;
};

}  // namespace espalier
