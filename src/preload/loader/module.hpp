// SPDX-License-Identifier: Apache-2.0
// Loaded objects: the program, its libraries, its plugins.
#pragma once

#include <cstdint>
#include <optional>

namespace espalier {

struct Module {
  const char* path;            // as the loader names it; "" for the program itself
  std::uintptr_t base;         // where it was loaded: its identity
  std::uintptr_t first, last;  // the executable segment that was asked for: [first, last)

  [[nodiscard]] const char* file_name() const;   // without its directory
  [[nodiscard]] const char* shown_path() const;  // for messages
};

// The object whose code or data lies at this address; none for code that was made at run time.
[[nodiscard]] std::optional<Module> module_at(const void* address);

// The first of all loaded objects for which it is true. They may be asked about while that goes on.
[[nodiscard]] std::optional<Module> first_module(bool (*is_wanted)(const Module& module));

// A handle of a loaded object, which the caller owns; null if it has gone.
[[nodiscard]] void* open_loaded(const char* path);

// Keeps the object in memory until the process ends, so that its addresses never come to mean another one.
void pin(const Module& module);

// Where a look-up that starts at this object, and goes on through what it depends on, finds a name.
[[nodiscard]] void* find_from(const Module& module, const char* symbol);

// Whether the object itself, not something that it depends on, defines a name.
[[nodiscard]] bool defines(const Module& module, const char* symbol);

}  // namespace espalier
