// SPDX-License-Identifier: Apache-2.0
#include "preload/loader/module.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cstring>

#include "preload/loader/next_dlsym.hpp"

namespace espalier {

namespace {

struct ModuleSearch {
  std::uintptr_t address;
  std::optional<Module> found;
};

int visit(dl_phdr_info* object, std::size_t, void* data) {
  auto& search = *static_cast<ModuleSearch*>(data);
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const auto& segment = object->dlpi_phdr[i];
    const std::uintptr_t first = object->dlpi_addr + segment.p_vaddr;
    const std::uintptr_t last = first + segment.p_memsz;
    if (segment.p_type != PT_LOAD || search.address < first || search.address >= last) continue;
    search.found = Module{object->dlpi_name, object->dlpi_addr, first, last};
    return 1;
  }
  return 0;
}

struct Position {
  int left;  // objects to pass over
  std::optional<Module> found;
};

int visit_at(dl_phdr_info* object, std::size_t, void* data) {
  auto& position = *static_cast<Position*>(data);
  if (position.left-- > 0) return 0;
  position.found = Module{object->dlpi_name, object->dlpi_addr, 0, 0};
  return 1;
}

// The loader holds its lock while it lists its objects, so one at a time.
std::optional<Module> module_number(int number) {
  Position position{number, std::nullopt};
  dl_iterate_phdr(visit_at, &position);
  return position.found;
}

}  // namespace

const char* Module::file_name() const {
  const char* slash = std::strrchr(path, '/');
  return slash ? slash + 1 : path;
}

const char* Module::shown_path() const { return *path ? path : "the program"; }

std::optional<Module> module_at(const void* address) {
  ModuleSearch search{reinterpret_cast<std::uintptr_t>(address), std::nullopt};
  dl_iterate_phdr(visit, &search);
  return search.found;
}

std::optional<Module> first_module(bool (*is_wanted)(const Module& module)) {
  for (int number = 0;; ++number) {
    const auto module = module_number(number);
    if (!module || is_wanted(*module)) return module;
  }
}

void* open_loaded(const char* path) { return dlopen(*path ? path : nullptr, RTLD_LAZY | RTLD_NOLOAD); }

void pin(const Module& module) {
  if (!*module.path) return;
  // The flag is what stays; the handle need not.
  if (void* handle = dlopen(module.path, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE)) dlclose(handle);
}

void* find_from(const Module& module, const char* symbol) {
  void* handle = open_loaded(module.path);
  if (!handle) return nullptr;
  void* address = next_dlsym(handle, symbol);
  dlclose(handle);
  return address;
}

bool defines(const Module& module, const char* symbol) {
  void* address = find_from(module, symbol);
  const auto owner = address ? module_at(address) : std::nullopt;
  return owner && owner->base == module.base;
}

}  // namespace espalier
