// SPDX-License-Identifier: Apache-2.0
// MPI_T_pvar_X, with our variables among the MPI's. They count from the start and never stop, so there is nothing to
// start, stop or reset. Whether the MPI's interface is initialised, the MPI says itself.
#include "mpi/calls/context.hpp"
#include "mpi/calls/entries.hpp"
#include "mpi/tools/joined.hpp"
#include "mpi/tools/own_handles.hpp"
#include "mpi/tools/tool_text.hpp"

namespace espalier {

namespace {

using PvarHandles = OwnHandles<PerformanceVariable, 4096>;
constinit PvarHandles pvar_handles;

const PerformanceVariable* own_performance_at(int shown) {
  const int own = shown_numbers().performance.own(shown);
  return own >= 0 ? &own_variables().performance[static_cast<std::size_t>(own)] : nullptr;
}

int place_pvars() {
  int native = 0;
  const int status = native_tools().pvar_get_num(&native);
  if (status == MPI_SUCCESS) shown_numbers().performance.place(native);
  return status;
}

int class_of(const PerformanceVariable& variable) {
  if (variable.quantity == Quantity::saved) return MPI_T_PVAR_CLASS_GENERIC;
  return variable.quantity == Quantity::time ? MPI_T_PVAR_CLASS_TIMER : MPI_T_PVAR_CLASS_COUNTER;
}

int entry_pvar_get_num(int* number) {
  const int status = native_tools().pvar_get_num(number);
  const bool joined = status == MPI_SUCCESS && are_joined(__builtin_return_address(0));
  if (joined) *number = shown_numbers().performance.count(*number);
  return status;
}

int entry_pvar_get_info(int index, char* name, int* name_length, int* verbosity, int* variable_class,
                        MPI_Datatype* type, MPI_T_enum* enumeration, char* description, int* description_length,
                        int* bind, int* is_read_only, int* is_continuous, int* is_atomic) {
  const bool joined = are_joined(__builtin_return_address(0));
  const PerformanceVariable* const own = joined ? own_performance_at(index) : nullptr;
  if (own == nullptr) {
    return native_tools().pvar_get_info(joined ? shown_numbers().performance.native(index) : index, name, name_length,
                                        verbosity, variable_class, type, enumeration, description, description_length,
                                        bind, is_read_only, is_continuous, is_atomic);
  }
  if (const int status = place_pvars(); status != MPI_SUCCESS) return status;
  give_text(own->name, name, name_length);
  give_text(own->description, description, description_length);
  give(verbosity, int{MPI_T_VERBOSITY_USER_BASIC});
  give(variable_class, class_of(*own));
  give(type, is_counter(own->quantity) ? MPI_UNSIGNED_LONG_LONG : MPI_DOUBLE);
  give(enumeration, MPI_T_enum{MPI_T_ENUM_NULL});
  give(bind, int{MPI_T_BIND_NO_OBJECT});
  give(is_read_only, 1);
  give(is_continuous, 1);
  give(is_atomic, 0);
  return MPI_SUCCESS;
}

int entry_pvar_get_index(const char* name, int variable_class, int* index) {
  const int status = native_tools().pvar_get_index(name, variable_class, index);
  if (!are_joined(__builtin_return_address(0))) return status;
  if (status == MPI_SUCCESS) *index = shown_numbers().performance.shown(*index);
  if (status != MPI_T_ERR_INVALID_NAME || name == nullptr || index == nullptr) return status;
  const int own = number_of_own(own_variables().performance, name);
  if (own < 0 || class_of(own_variables().performance[static_cast<std::size_t>(own)]) != variable_class) return status;
  if (const int placed = place_pvars(); placed != MPI_SUCCESS) return placed;
  *index = shown_numbers().performance.shown_own(own);
  return MPI_SUCCESS;
}

// The address of the session's handle is what tells sessions apart; the MPI frees it.
void* address_of(MPI_T_pvar_session session) { return reinterpret_cast<void*>(session); }

int entry_pvar_session_free(MPI_T_pvar_session* session) {
  void* const gone = session != nullptr ? address_of(*session) : nullptr;
  const int status = native_tools().pvar_session_free(session);
  if (status == MPI_SUCCESS && gone != nullptr) pvar_handles.free_session(gone);
  return status;
}

int allocate(MPI_T_pvar_session session, const PerformanceVariable& own, MPI_T_pvar_handle* handle, int* count) {
  if (const int status = place_pvars(); status != MPI_SUCCESS) return status;
  if (session == MPI_T_PVAR_SESSION_NULL) return MPI_T_ERR_INVALID_SESSION;
  PvarHandles::HandleEntry* const entry = pvar_handles.allocate(own, address_of(session));
  if (entry == nullptr) return MPI_T_ERR_OUT_OF_HANDLES;
  *handle = reinterpret_cast<MPI_T_pvar_handle>(entry);
  *count = 1;
  return MPI_SUCCESS;
}

int entry_pvar_handle_alloc(MPI_T_pvar_session session, int index, void* object, MPI_T_pvar_handle* handle,
                            int* count) {
  const bool joined = are_joined(__builtin_return_address(0));
  if (const PerformanceVariable* const own = joined ? own_performance_at(index) : nullptr) {
    return allocate(session, *own, handle, count);
  }
  const int native = joined ? shown_numbers().performance.native(index) : index;
  return native_tools().pvar_handle_alloc(session, native, object, handle, count);
}

// Ours, if it is one of this session's, and in use. `is_own`: whether it is ours at all.
PvarHandles::HandleEntry* own_of_session(MPI_T_pvar_session session, MPI_T_pvar_handle handle, bool& is_own) {
  PvarHandles::HandleEntry* const entry = pvar_handles.find(reinterpret_cast<const void*>(handle));
  is_own = entry != nullptr;
  return is_own && entry->is_used.load() && entry->session.load() == address_of(session) ? entry : nullptr;
}

int entry_pvar_handle_free(MPI_T_pvar_session session, MPI_T_pvar_handle* handle) {
  bool is_own = false;
  PvarHandles::HandleEntry* const entry = handle != nullptr ? own_of_session(session, *handle, is_own) : nullptr;
  if (!is_own) return native_tools().pvar_handle_free(session, handle);
  if (entry == nullptr) return MPI_T_ERR_INVALID_HANDLE;
  pvar_handles.free(*entry);
  *handle = MPI_T_PVAR_HANDLE_NULL;
  return MPI_SUCCESS;
}

// What cannot be done with ours has a code of its own.
template <class Native>
int refuse(MPI_T_pvar_session session, MPI_T_pvar_handle handle, int code, Native native) {
  bool is_own = false;
  const PvarHandles::HandleEntry* const entry = own_of_session(session, handle, is_own);
  if (!is_own) return native();
  return entry != nullptr ? code : MPI_T_ERR_INVALID_HANDLE;
}

int entry_pvar_start(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
  return refuse(session, handle, MPI_T_ERR_PVAR_NO_STARTSTOP,
                [&] { return native_tools().pvar_start(session, handle); });
}

int entry_pvar_stop(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
  return refuse(session, handle, MPI_T_ERR_PVAR_NO_STARTSTOP,
                [&] { return native_tools().pvar_stop(session, handle); });
}

int entry_pvar_write(MPI_T_pvar_session session, MPI_T_pvar_handle handle, const void* value) {
  return refuse(session, handle, MPI_T_ERR_PVAR_NO_WRITE,
                [&] { return native_tools().pvar_write(session, handle, value); });
}

int entry_pvar_reset(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
  return refuse(session, handle, MPI_T_ERR_PVAR_NO_WRITE, [&] { return native_tools().pvar_reset(session, handle); });
}

int entry_pvar_readreset(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void* value) {
  return refuse(session, handle, MPI_T_ERR_PVAR_NO_ATOMIC,
                [&] { return native_tools().pvar_readreset(session, handle, value); });
}

int entry_pvar_read(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void* value) {
  bool is_own = false;
  const PvarHandles::HandleEntry* const entry = own_of_session(session, handle, is_own);
  if (!is_own) return native_tools().pvar_read(session, handle, value);
  if (entry == nullptr) return MPI_T_ERR_INVALID_HANDLE;
  const PerformanceVariable& own = *entry->variable.load();
  if (is_counter(own.quantity)) {
    *static_cast<unsigned long long*>(value) = count_of(own);
  } else {
    *static_cast<double*>(value) = seconds_of(own);
  }
  return MPI_SUCCESS;
}

#define ESPALIER_ENTRY(name) entry("MPI_T_" #name, entry_##name)

const Entries performance_entries({ESPALIER_ENTRY(pvar_get_num), ESPALIER_ENTRY(pvar_get_info),
                                   ESPALIER_ENTRY(pvar_get_index), ESPALIER_ENTRY(pvar_session_free),
                                   ESPALIER_ENTRY(pvar_handle_alloc), ESPALIER_ENTRY(pvar_handle_free),
                                   ESPALIER_ENTRY(pvar_start), ESPALIER_ENTRY(pvar_stop), ESPALIER_ENTRY(pvar_read),
                                   ESPALIER_ENTRY(pvar_write), ESPALIER_ENTRY(pvar_reset),
                                   ESPALIER_ENTRY(pvar_readreset)});

#undef ESPALIER_ENTRY

}  // namespace

}  // namespace espalier
