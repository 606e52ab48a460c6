// SPDX-License-Identifier: Apache-2.0
#include "report/loaded_place.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <bit>
#include <climits>
#include <cstdlib>
#include <memory>

namespace espalier {

namespace {

std::string path_of_program() {
  char path[PATH_MAX] = "";
  const ssize_t length = ::readlink("/proc/self/exe", path, sizeof path);
  return length > 0 ? std::string(path, static_cast<std::size_t>(length)) : std::string();
}

std::string demangled(const char* symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(symbol, nullptr, nullptr, &status),
                                                         std::free);
  return status == 0 && text ? text.get() : symbol;
}

}  // namespace

// A call may be the last thing that a function does: its own address lies before that.
LoadedPlace place_of_return(const void* address) {
  const auto number = std::bit_cast<std::uintptr_t>(address);
  Dl_info found{};
  link_map* object = nullptr;
  if (dladdr1(std::bit_cast<const void*>(number - 1), &found, reinterpret_cast<void**>(&object), RTLD_DL_LINKMAP) ==
          0 ||
      object == nullptr) {
    return {.object = {}, .offset = number, .symbol = {}};
  }
  return {.object = *object->l_name != '\0' ? object->l_name : path_of_program(),
          .offset = number - object->l_addr,
          .symbol = found.dli_sname != nullptr ? demangled(found.dli_sname) : std::string()};
}

}  // namespace espalier
