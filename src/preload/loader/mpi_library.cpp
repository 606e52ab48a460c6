// SPDX-License-Identifier: Apache-2.0
#include "preload/loader/mpi_library.hpp"

#include <dlfcn.h>

#include <cstring>
#include <initializer_list>

#include "preload/loader/next_dlsym.hpp"

namespace espalier {

namespace {

// Every MPI since version 3 has it, and no tool, no serial stand-in and not this library.
constexpr const char* mark_of_an_mpi = "PMPI_Get_library_version";

// MPICH 5's classic library has the function too, and answers that it has no such interface.
bool reports_standard_interface(const Module& mpi) {
  using Function = int (*)(int*, int*);
  const auto get_version = reinterpret_cast<Function>(find_from(mpi, "MPI_Abi_get_version"));
  int major = 0;
  int minor = 0;
  return get_version && get_version(&major, &minor) == 0 && major > 0;
}

// MPICH and its relatives share a binary interface, but no symbol that the others lack.
bool calls_itself_an_mpich(const Module& mpi) {
  using Function = int (*)(char*, int*);
  const auto get_library_version = reinterpret_cast<Function>(find_from(mpi, mark_of_an_mpi));
  char text[8192] = "";  // the largest MPI_MAX_LIBRARY_VERSION_STRING that is known
  int length = 0;
  if (!get_library_version || get_library_version(text, &length) != 0) return false;
  for (const char* relative : {"MPICH", "Intel(R) MPI", "MVAPICH", "ParaStation"}) {
    if (std::strstr(text, relative)) return true;
  }
  return false;
}

bool starts_with(const char* text, const char* prefix) { return std::strncmp(text, prefix, std::strlen(prefix)) == 0; }

}  // namespace

std::optional<Module> mpi_library_of(const std::optional<Module>& caller) {
  const void* mark = caller ? find_from(*caller, mark_of_an_mpi) : nullptr;
  if (!mark) mark = next_dlsym(RTLD_DEFAULT, mark_of_an_mpi);
  return mark ? module_at(mark) : std::nullopt;
}

bool is_part_of_mpi(const Module& caller, const Module& mpi) {
  // Open MPI's plugins are mca_*; ROMIO may also be a library of its own.
  return caller.base == mpi.base || starts_with(caller.file_name(), "mca_") || std::strstr(caller.file_name(), "romio");
}

bool is_an_mpi(const Module& module) { return defines(module, mark_of_an_mpi); }

const char* interface_of(const Module& mpi) {
  const bool standard = reports_standard_interface(mpi);
  // The name decides before the symbol: a standard library may be built around an Open MPI.
  if (standard && starts_with(mpi.file_name(), "libmpi_abi")) return "abi";
  if (defines(mpi, "ompi_mpi_comm_world")) return "openmpi";
  if (standard) return "abi";
  return calls_itself_an_mpich(mpi) ? "mpich" : nullptr;
}

}  // namespace espalier
