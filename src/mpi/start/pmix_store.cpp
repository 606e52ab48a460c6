// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

#include "mpi/start/launcher_store.hpp"
#include "preload/pmix.hpp"

namespace espalier {

namespace {

// Every rank that leaves a word does so before the MPI's first fence, so what takes longer is not there.
constexpr int seconds_to_wait = 5;

pmix::GetFunction get = nullptr;

pmix::Info info_for(Search search) {
  pmix::Info info{};
  if (search == Search::nearby) {
    std::snprintf(info.key, sizeof info.key, "pmix.optional");
    info.value.type = pmix::type_bool;
    info.value.flag = true;
  } else {
    std::snprintf(info.key, sizeof info.key, "pmix.timeout");
    info.value.type = pmix::type_int;
    info.value.integer = seconds_to_wait;
  }
  return info;
}

bool finds(const pmix::Process& process, Search search) {
  const pmix::Info info = info_for(search);
  pmix::KeyValue* value = nullptr;
  const bool found = get(&process, pmix::presence_key, &info, 1, &value) == pmix::success;
  std::free(value);
  return found;
}

bool pmix_has(int rank, Search search) {
  pmix::Process process{};
  const char* job = std::getenv("PMIX_NAMESPACE");
  std::snprintf(process.job, sizeof process.job, "%s", job != nullptr ? job : "");
  process.rank = static_cast<std::uint32_t>(rank);
  return finds(process, Search::nearby) || (search == Search::everywhere && finds(process, search));
}

// The MPI's own PMIx may be behind a plugin, but there is only one in a process.
pmix::GetFunction find_get(void* mpi_library) {
  void* function = dlsym(mpi_library, "PMIx_Get");
  if (function != nullptr) return reinterpret_cast<pmix::GetFunction>(function);
  void* const library = dlopen("libpmix.so.2", RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return nullptr;
  function = dlsym(library, "PMIx_Get");
  dlclose(library);
  return reinterpret_cast<pmix::GetFunction>(function);
}

}  // namespace

LauncherStore pmix_store(void* mpi_library) {
  if (std::getenv("PMIX_NAMESPACE") == nullptr) return nullptr;
  get = find_get(mpi_library);
  return get != nullptr ? pmix_has : nullptr;
}

}  // namespace espalier
