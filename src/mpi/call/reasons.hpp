// SPDX-License-Identifier: Apache-2.0
// Why calls are ours, or the native MPI's, where no decision says so: for the report. What is found in a call's
// arguments stands in classify.cpp, and what in its communicator in communicator.cpp, communicators.cpp and decide.cpp.
#pragma once

namespace espalier::why {

inline constexpr char no_communicator[] = "a communicator that is being freed, or none";

// Calls that return a request.
inline constexpr char no_requests[] = "requests of ours need a hook into the MPI's progress";
inline constexpr char no_tags_yet[] = "no blocking or persistent call on the communicator came before";
inline constexpr char no_tags[] = "no tags are left that all ranks have in common";
inline constexpr char operation_of_users[] = "an operation of the application's, which it may free";

// Exchanges with neighbours.
inline constexpr char asked_for[] = "asked for";
inline constexpr char several_nics[] = "several NICs share it";
inline constexpr char aggregated[] = "messages go together";
inline constexpr char not_asked_for[] = "native as asked for";
inline constexpr char nothing_to_send[] = "nothing goes from host to host";
inline constexpr char one_nic[] = "one NIC alone gains nothing";
inline constexpr char too_short[] = "too short to gain";
inline constexpr char too_many[] = "too many messages between two ranks";
inline constexpr char not_for_us[] = "not all ranks can have it";
inline constexpr char no_lanes[] = "libfabric: no usable network interface";
inline constexpr char fault_tolerant[] = "the MPI goes on when processes die";
inline constexpr char looks_wrong[] = "a count, a datatype or a buffer is none";  // what is passed on alone
inline constexpr char no_neighbours[] = "a communicator without a topology";
inline constexpr char other_topology[] = "a graph that the MPI takes for the grid it was made from";
inline constexpr char not_ready[] = "not ready on all ranks";

// Persistent messages.
inline constexpr char as_promised[] = "paired, as promised";
inline constexpr char not_paired_here[] = "a communicator without pairs";
inline constexpr char within_host[] = "within a host";

}  // namespace espalier::why
