// SPDX-License-Identifier: Apache-2.0
// MPI_T_cvar_X, with our settings among the MPI's variables. They can be read, and set by the environment alone.
#include <new>

#include "mpi/calls/context.hpp"
#include "mpi/calls/entries.hpp"
#include "mpi/tools/joined.hpp"
#include "mpi/tools/own_handles.hpp"
#include "mpi/tools/tool_text.hpp"

namespace espalier {

namespace {

using CvarHandles = OwnHandles<ControlVariable, 1024>;
constinit CvarHandles cvar_handles;

const ControlVariable* own_control_at(int shown) {
  const int own = shown_numbers().control.own(shown);
  return own >= 0 ? &own_variables().control[static_cast<std::size_t>(own)] : nullptr;
}

int place_cvars() {
  int native = 0;
  const int status = native_tools().cvar_get_num(&native);
  if (status == MPI_SUCCESS) shown_numbers().control.place(native);
  return status;
}

int entry_cvar_get_num(int* number) {
  const int status = native_tools().cvar_get_num(number);
  if (status == MPI_SUCCESS && are_joined(__builtin_return_address(0)))
    *number = shown_numbers().control.count(*number);
  return status;
}

int entry_cvar_get_info(int index, char* name, int* name_length, int* verbosity, MPI_Datatype* type,
                        MPI_T_enum* enumeration, char* description, int* description_length, int* bind, int* scope) {
  const bool joined = are_joined(__builtin_return_address(0));
  const ControlVariable* const own = joined ? own_control_at(index) : nullptr;
  if (own == nullptr) {
    return native_tools().cvar_get_info(joined ? shown_numbers().control.native(index) : index, name, name_length,
                                        verbosity, type, enumeration, description, description_length, bind, scope);
  }
  if (const int status = place_cvars(); status != MPI_SUCCESS) return status;
  give_text(own->name, name, name_length);
  give_text(own->description, description, description_length);
  give(verbosity, int{MPI_T_VERBOSITY_USER_BASIC});
  give(type, MPI_CHAR);
  give(enumeration, MPI_T_enum{MPI_T_ENUM_NULL});
  give(bind, int{MPI_T_BIND_NO_OBJECT});
  give(scope, int{MPI_T_SCOPE_READONLY});
  return MPI_SUCCESS;
}

int entry_cvar_get_index(const char* name, int* index) {
  const int status = native_tools().cvar_get_index(name, index);
  if (!are_joined(__builtin_return_address(0))) return status;
  if (status == MPI_SUCCESS) *index = shown_numbers().control.shown(*index);
  if (status != MPI_T_ERR_INVALID_NAME || name == nullptr || index == nullptr) return status;
  const int own = number_of_own(own_variables().control, name);
  if (own < 0) return status;
  if (const int placed = place_cvars(); placed != MPI_SUCCESS) return placed;
  *index = shown_numbers().control.shown_own(own);
  return MPI_SUCCESS;
}

// As many characters as the value has with its end.
int allocate(const ControlVariable& own, MPI_T_cvar_handle* handle, int* count) try {
  const int length = static_cast<int>(value_of(own).size()) + 1;
  CvarHandles::HandleEntry* const entry = cvar_handles.allocate(own, nullptr);
  if (entry == nullptr) return MPI_T_ERR_OUT_OF_HANDLES;
  *handle = reinterpret_cast<MPI_T_cvar_handle>(entry);
  *count = length;
  return MPI_SUCCESS;
} catch (const std::bad_alloc&) {
  return MPI_T_ERR_MEMORY;
}

int read_own(const ControlVariable& own, char* value) try {
  const std::string text = value_of(own);
  std::memcpy(value, text.c_str(), text.size() + 1);
  return MPI_SUCCESS;
} catch (const std::bad_alloc&) {
  return MPI_T_ERR_MEMORY;
}

int entry_cvar_handle_alloc(int index, void* object, MPI_T_cvar_handle* handle, int* count) {
  const bool joined = are_joined(__builtin_return_address(0));
  const ControlVariable* const own = joined ? own_control_at(index) : nullptr;
  if (own == nullptr) {
    const int native = joined ? shown_numbers().control.native(index) : index;
    return native_tools().cvar_handle_alloc(native, object, handle, count);
  }
  if (const int status = place_cvars(); status != MPI_SUCCESS) return status;
  return allocate(*own, handle, count);
}

CvarHandles::HandleEntry* own_handle(MPI_T_cvar_handle handle) {
  return cvar_handles.find(reinterpret_cast<const void*>(handle));
}

int entry_cvar_handle_free(MPI_T_cvar_handle* handle) {
  CvarHandles::HandleEntry* const entry = handle != nullptr ? own_handle(*handle) : nullptr;
  if (entry == nullptr) return native_tools().cvar_handle_free(handle);
  if (!entry->is_used.load()) return MPI_T_ERR_INVALID_HANDLE;
  cvar_handles.free(*entry);
  *handle = MPI_T_CVAR_HANDLE_NULL;
  return MPI_SUCCESS;
}

int entry_cvar_read(MPI_T_cvar_handle handle, void* value) {
  const CvarHandles::HandleEntry* const entry = own_handle(handle);
  if (entry == nullptr) return native_tools().cvar_read(handle, value);
  if (!entry->is_used.load()) return MPI_T_ERR_INVALID_HANDLE;
  return read_own(*entry->variable.load(), static_cast<char*>(value));
}

int entry_cvar_write(MPI_T_cvar_handle handle, const void* value) {
  return own_handle(handle) != nullptr ? MPI_T_ERR_CVAR_SET_NEVER : native_tools().cvar_write(handle, value);
}

#define ESPALIER_ENTRY(name) entry("MPI_T_" #name, entry_##name)

const Entries control_entries({ESPALIER_ENTRY(cvar_get_num), ESPALIER_ENTRY(cvar_get_info),
                               ESPALIER_ENTRY(cvar_get_index), ESPALIER_ENTRY(cvar_handle_alloc),
                               ESPALIER_ENTRY(cvar_handle_free), ESPALIER_ENTRY(cvar_read),
                               ESPALIER_ENTRY(cvar_write)});

#undef ESPALIER_ENTRY

}  // namespace

}  // namespace espalier
