// SPDX-License-Identifier: Apache-2.0
// Why exchanges with neighbours are ours, or the native MPI's: for the report.
#pragma once

namespace espalier::why {

inline constexpr char asked_for[] = "asked for";
inline constexpr char several_nics[] = "several NICs share it";
inline constexpr char aggregated[] = "messages go together";
inline constexpr char not_asked_for[] = "native as asked for";
inline constexpr char nothing_to_send[] = "nothing goes from host to host";
inline constexpr char one_nic[] = "one NIC alone gains nothing";
inline constexpr char too_short[] = "too short to gain";
inline constexpr char too_many[] = "too many messages between two ranks";
inline constexpr char not_for_us[] = "not all ranks can have it";
inline constexpr char no_lanes[] = "there are no NICs of ours";
inline constexpr char fault_tolerant[] = "the MPI goes on when processes die";
inline constexpr char looks_wrong[] = "a count, a datatype or a buffer is none";  // what is passed on alone
inline constexpr char no_neighbours[] = "a communicator without a topology";

}  // namespace espalier::why
