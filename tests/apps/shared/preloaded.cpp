// SPDX-License-Identifier: Apache-2.0
#include "shared/preloaded.hpp"

#include <dlfcn.h>

#include <cctype>

#include "espalier/espalier.h"

namespace espalier::apps {

namespace {

template <class Function>
Function* look_up(Function*, const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

struct Interface {
  decltype(&espalier_active) active = look_up(decltype(&espalier_active){}, "espalier_active");
  decltype(&espalier_force) force = look_up(decltype(&espalier_force){}, "espalier_force");
  decltype(&espalier_error) error = look_up(decltype(&espalier_error){}, "espalier_error");
  decltype(&espalier_calls) calls = look_up(decltype(&espalier_calls){}, "espalier_calls");
};

const Interface& interface() {
  static const Interface found;
  return found;
}

// Where the library begins that defines the function.
const void* library_of(const void* function) {
  Dl_info info{};
  dladdr(function, &info);
  return info.dli_fbase;
}

std::string mpi_name_of(Collective collective) {
  std::string name(name_of(collective));
  name[0] = static_cast<char>(std::toupper(name[0]));
  return "MPI_" + name;
}

}  // namespace

bool is_preloaded() { return interface().active != nullptr; }

bool is_active() { return is_preloaded() && interface().active() != 0; }

bool is_intercepted(Collective collective) {
  if (!is_preloaded()) return false;
  static const void* const espalier = library_of(reinterpret_cast<void*>(interface().active));
  return library_of(dlsym(RTLD_DEFAULT, mpi_name_of(collective).c_str())) == espalier;
}

std::string force(const std::string& setting) {
  if (!is_preloaded() || interface().force(setting.c_str()) == 0) return {};
  return "espalier_force(\"" + setting + "\"): " + interface().error();
}

CallCounts calls(Collective collective) {
  CallCounts counts;
  if (is_preloaded()) interface().calls(std::string(name_of(collective)).c_str(), &counts.own, &counts.native);
  return counts;
}

CallCounts all_calls() {
  CallCounts sum;
  for (const Collective collective : all_collectives) {
    const CallCounts one = calls(collective);
    sum.own += one.own;
    sum.native += one.native;
  }
  return sum;
}

}  // namespace espalier::apps
