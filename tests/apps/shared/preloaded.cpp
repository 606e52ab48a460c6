// SPDX-License-Identifier: Apache-2.0
#include "shared/preloaded.hpp"

#include <dlfcn.h>

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

}  // namespace

bool is_preloaded() { return interface().active != nullptr; }

bool is_active() { return is_preloaded() && interface().active() != 0; }

std::string force(const std::string& setting) {
  if (!is_preloaded() || interface().force(setting.c_str()) == 0) return {};
  return "espalier_force(\"" + setting + "\"): " + interface().error();
}

CallCounts calls(const char* collective) {
  CallCounts counts;
  if (is_preloaded()) interface().calls(collective, &counts.own, &counts.native);
  return counts;
}

}  // namespace espalier::apps
