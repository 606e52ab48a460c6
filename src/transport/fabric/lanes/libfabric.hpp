// SPDX-License-Identifier: Apache-2.0
// The library of this name (https://ofiwg.github.io/libfabric), opened when somebody wants it: nothing of ours depends
// on it when it is loaded. Only these few are functions of the library; all others are reached through the objects it
// makes.
#pragma once

#include <rdma/fabric.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>

#include <string>

#include "transport/fabric/lanes/fid.hpp"
#include "transport/fabric/lanes/no_fabric.hpp"

namespace espalier {

class Libfabric {
 public:
  // The copy that the process has already, since most MPIs bring one: two of them free what they share twice. Throws
  // NoFabric if there is none, or one that is too old.
  Libfabric();

  decltype(&::fi_getinfo) getinfo = nullptr;
  decltype(&::fi_freeinfo) freeinfo = nullptr;
  decltype(&::fi_dupinfo) dupinfo = nullptr;
  decltype(&::fi_fabric) fabric = nullptr;
  decltype(&::fi_strerror) strerror = nullptr;

  [[nodiscard]] const std::string& version() const { return version_; }
  // Throws NoFabric("what: why") unless `result`, which a function of libfabric returned, is a success.
  void check(long result, const char* what) const;

 private:
  std::string version_;
};

}  // namespace espalier
