// SPDX-License-Identifier: Apache-2.0
// Objects of libfabric's, each closed with what holds it, for those who have no need to look into them: none of its
// headers is read for this.
#pragma once

#include <memory>

namespace espalier {

struct CloseFid {
  template <class Object>
  void operator()(Object* object) const;  // for those in libfabric.cpp
};
template <class Object>
using Fid = std::unique_ptr<Object, CloseFid>;

}  // namespace espalier
