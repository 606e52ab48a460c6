// SPDX-License-Identifier: Apache-2.0
// All that distributes puts among NICs, by name: "even" and "striped" (lanes.hpp), the packers of paper 3 (packers.hpp)
// by their sending engines, of which k counts for no more than there are NICs, and "fastest".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "halo/lanes.hpp"

namespace espalier::halo {

// What travels in one piece, as those who carry out exchanges have it.
inline constexpr std::size_t wire_piece_bytes = (std::size_t{8} << 10) - 1;

struct PackedLanes {
  std::string packer;  // which of lane_packers() it was
  Lanes lanes;
};

[[nodiscard]] std::vector<std::string> lane_packers();

// Nothing: there is no such packer. "fastest" takes whichever takes the least time in the model (time_of()), the search
// of fastest.hpp among them. `piece_bytes` as in even_lanes().
[[nodiscard]] std::optional<Lanes> lanes_by(std::string_view packer, const Exchange& exchange, const Engines& nics,
                                            std::size_t piece_bytes);

// "fastest", and which of them that is.
[[nodiscard]] PackedLanes fastest_lanes(const Exchange& exchange, const Engines& nics, std::size_t piece_bytes);

// The same without that search: "even", unless another one is faster by more than 2%, or by more than 10% where the
// puts of one node alone are known. Looks at the others only if "even" takes longer than that beyond what no packer can
// go below.
[[nodiscard]] PackedLanes quickest_lanes(const Exchange& exchange, const Engines& nics, std::size_t piece_bytes);

}  // namespace espalier::halo
