// SPDX-License-Identifier: Apache-2.0
// The description of a machine in TOML. All rates are in bytes per second and direction.
//
//   hop_seconds = 5e-6            # optional: what a message costs at each node, over what its bytes take on the link
//   burst = 10000                 # optional: bytes that a shaped link lets pass at once after a rest
//   arithmetic = 6.58e9           # optional: what one rank reduces, of each operand
//   engines = 4                   # optional: messages that a node sends, and receives, at a time; not with NICs
//
//   [torus]                       # or [mesh]
//   extents = [3, 3, 3]
//   rate = 2.5e6
//   nodes = ["n00", ...]          # the first axis fastest; "" where a node is missing
//
//   [coordinates]                 # a torus or mesh whose nodes say where they are
//   extents = [4, 4, 4]
//   wraps = true                  # optional
//   rate = 2.5e6
//   [coordinates.nodes]
//   n00 = [0, 0, 0]               # places that are not named are missing
//
//   [tofu]                        # likewise, of six coordinates X, Y, Z, a, b, c: folded to a torus (tofu.hpp)
//   extents = [24, 18, 16]        # of X, Y and Z; as far as nodes are named, if left out
//   rate = 5e9
//   [tofu.nodes]
//   n00 = [0, 0, 0, 0, 0, 0]
//
//   [rails]                       # nodes with several NICs each, on switches that do not block
//   nics = 2
//   rate = 2.5e6                  # of one NIC; or of each, where they differ: [12.5e6, 6.25e6]
//   nodes = ["n00", ...]
//
//   [[site]]                      # clusters joined by a WAN, in a chain
//   nics = 2
//   rate = 2.5e6
//   nodes = ["n00", ...]
//   [wan]
//   seconds = 0.010               # one direction
//
//   [[node]]                      # anything else
//   name = "a"
//   [[link]]                      # both directions
//   between = ["a", "b"]
//   rate = 2.5e6
//
// Where names are a list, one text may stand for it, in Slurm's form: nodes = "n[0-63]". Of Tofu all places of a box:
//
//   [tofu]
//   box = [48, 6, 32]             # of the torus; its places are named in order, the first axis fastest
//   rate = 5e9
//   nodes = "n[0-9215]"
//
//   [simulation]                  # optional, each key, too: what only simulations look at
//   name = "K 48x6x32"
//   link_seconds = 1e-7           # what each link delays a message
//   arrival_seconds = 5e-7        # until a rank knows that a message has arrived
//   call_seconds = 1e-5           # what a call costs before its first message
//   reduction_seconds = 5e-7      # what each reduction costs, over what its bytes take
//   put_rate = 4e9                # what one engine moves
//   threads = 8                   # of a rank, which share a reduction
//   [simulation.fat_tree]         # with [rails]: which uplink goes by the number of the node that is sent to
//   leaves = 53
//   uplinks = 4
//   rate = 4e9
//   [simulation.dragonfly]        # with [rails]
//   groups = 9
//   routers = 4                   # of each group
//   rate = 10e9                   # between routers of a group
//   global_rate = 5e9             # between two groups
#pragma once

#include <string>
#include <string_view>

#include "core/bad_description.hpp"
#include "topology/machine.hpp"

namespace espalier {

// Throws BadDescription. `file` is for messages only.
[[nodiscard]] Machine machine_from_toml(std::string_view text, const std::string& file);

}  // namespace espalier
