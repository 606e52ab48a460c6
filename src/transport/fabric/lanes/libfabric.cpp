// SPDX-License-Identifier: Apache-2.0
#include "transport/fabric/lanes/libfabric.hpp"

#include <dlfcn.h>

namespace espalier {

namespace {

constexpr const char* soname = "libfabric.so.1";

// The first whose tcp provider has reliable datagrams with remote writes of its own.
constexpr std::uint32_t oldest_version = FI_VERSION(1, 18);

template <class Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) throw NoFabric(std::string(soname) + " has no " + name);
}

}  // namespace

Libfabric::Libfabric() {
  // Permanently: what it has made may outlive its maker.
  void* const library = dlopen(soname, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == nullptr) throw NoFabric(std::string("there is no ") + soname);
  decltype(&::fi_version) version_number = nullptr;
  find(library, "fi_version", version_number);
  find(library, "fi_getinfo", getinfo);
  find(library, "fi_freeinfo", freeinfo);
  find(library, "fi_dupinfo", dupinfo);
  find(library, "fi_fabric", fabric);
  find(library, "fi_strerror", strerror);
  const std::uint32_t number = version_number();
  version_ = std::to_string(FI_MAJOR(number)) + "." + std::to_string(FI_MINOR(number));
  if (FI_VERSION_LT(number, oldest_version)) {
    throw NoFabric(std::string(soname) + " is of version " + version_ + "; needed is 1.18 or later");
  }
}

void Libfabric::check(long result, const char* what) const {
  if (result < 0) throw NoFabric(std::string(what) + ": " + strerror(static_cast<int>(-result)));
}

template <class Object>
void CloseFid::operator()(Object* object) const {
  (void)fi_close(&object->fid);
}

template void CloseFid::operator()(fid_fabric*) const;
template void CloseFid::operator()(fid_domain*) const;
template void CloseFid::operator()(fid_cq*) const;
template void CloseFid::operator()(fid_av*) const;
template void CloseFid::operator()(fid_ep*) const;
template void CloseFid::operator()(fid_mr*) const;

}  // namespace espalier
