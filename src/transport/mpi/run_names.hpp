// SPDX-License-Identifier: Apache-2.0
// Numbers of runs for transports without tags. Runs have the same number if one call makes several of them, or they are
// starts of one persistent request; and ranks may be in different ones of these.
#pragma once

#include "transport/mpi/mpi_endpoint.hpp"

namespace espalier {

// Of the runs of one port.
class RunNames {
 public:
  explicit RunNames(MpiEndpoint& endpoint) : endpoint_(endpoint) {}

  // Of a run that begins with that number.
  [[nodiscard]] std::uint64_t name_of(std::uint64_t run) { return run + (runs_before(run) << bits_of_number); }

  [[nodiscard]] static std::uint64_t number_of(std::uint64_t name) {
    return name % (std::uint64_t{1} << bits_of_number);
  }

 private:
  static constexpr int bits_of_number = 40;

  [[nodiscard]] std::uint64_t runs_before(std::uint64_t run) {
    switch (endpoint_.numbering) {
      case Numbering::by_calls: return endpoint_.runs_before(run);
      case Numbering::by_starts: return starts_++;
      case Numbering::by_itself: return 0;
    }
    return 0;
  }

  MpiEndpoint& endpoint_;
  std::uint64_t starts_ = 0;
};

}  // namespace espalier
