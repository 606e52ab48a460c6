// SPDX-License-Identifier: Apache-2.0
// While it starts, an MPI under a PMIx launcher puts what the other ranks have to know into the launcher's key-value
// store, and commits it: before that, or never, a word of ours can go with it. The backend of another rank finds it
// there (mpi/start/roll_call.cpp). A rank that has no backend commits what the MPI put, and nothing else.
#include "preload/pmix.hpp"

#include <dlfcn.h>

#include "preload/loader/module.hpp"
#include "preload/loader/next_dlsym.hpp"
#include "preload/served.hpp"

extern "C" espalier::pmix::Status PMIx_Commit();

namespace espalier {

namespace {

// The caller may have its PMIx to itself, so the search starts there; but from the program itself it finds us first.
void* next_function(const Module& caller, const char* name) {
  void* function = find_from(caller, name);
  return function && function != reinterpret_cast<void*>(&PMIx_Commit) ? function : next_dlsym(RTLD_NEXT, name);
}

void put_presence(const Module& caller) {
  const auto put = reinterpret_cast<pmix::PutFunction>(next_function(caller, "PMIx_Put"));
  pmix::KeyValue value{.type = pmix::type_uint64, .number = 1};
  // If it fails, all ranks see this one as missing.
  if (put) put(pmix::scope_global, pmix::presence_key, &value);
}

}  // namespace

}  // namespace espalier

extern "C" __attribute__((visibility("default"))) espalier::pmix::Status PMIx_Commit() {
  using namespace espalier;
  const auto caller = module_at(__builtin_return_address(0));
  const auto commit = caller ? reinterpret_cast<pmix::CommitFunction>(next_function(*caller, "PMIx_Commit")) : nullptr;
  if (!commit) return pmix::not_supported;
  if (opened_backend()) put_presence(*caller);
  return commit();
}
