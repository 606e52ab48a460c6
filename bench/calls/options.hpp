// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace bench {

struct Options {
  std::string collective = "allreduce";
  std::vector<std::size_t> bytes = {8, 1024, 65536, 1048576};
  std::vector<std::string> variants;
  int repeats = 21;
  double seconds_per_measurement = 0.01;
  std::string json;  // a file; empty: none
};

inline constexpr const char* usage =
    "usage: espalier-bench --collective NAME [--bytes 8,1024,...] [--variants LIST] [--repeats N] [--json FILE]\n"
    "NAME: an MPI function in lower case, such as allgatherv. Bytes of a message that stays whole, or is reduced and\n"
    "scattered; else of the block that a rank gives or gets, or that each of a pair gives the other.\n"
    "LIST: direct (the MPI, past Espalier), native (through Espalier, passed on), hand_written (allreduce, 2^n "
    "ranks),\n"
    "forced:NAME[,segment=N] (the MPI's own algorithms, past Espalier; forced:* is all of them), and algorithms of\n"
    "Espalier's with their parameters: native,ring,segment=16KiB,recursive_doubling\n";

// Throws std::invalid_argument with a message for the user.
[[nodiscard]] Options parse_options(int argc, char** argv);

}  // namespace bench
