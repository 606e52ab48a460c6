// SPDX-License-Identifier: Apache-2.0
// How to do a collective:
//
//   native                    what the MPI chooses, past Espalier
//   forced:NAME[,segment=N]   one of the MPI's own algorithms, past Espalier
//   espalier                  what Espalier chooses by itself
//   espalier:NAME[,...]       an algorithm of Espalier's
#pragma once

#include <mpi.h>

#include <memory>
#include <string>
#include <vector>

#include "data.hpp"

namespace bench {

class Variant {
 public:
  virtual ~Variant() = default;
  virtual void select() {}
  virtual void call(Data& data) = 0;
  virtual void leave() {}
};

// "forced:*" stands for all that the MPI has, cut in segments of 8, 16 and 64 KiB where they take segments.
[[nodiscard]] std::vector<std::string> expand(const std::vector<std::string>& names, const std::string& collective);
[[nodiscard]] std::unique_ptr<Variant> make_variant(const std::string& name, const std::string& collective,
                                                    MPI_Comm comm);
[[nodiscard]] bool is_forced(const std::string& name);

}  // namespace bench
