// SPDX-License-Identifier: Apache-2.0
// Programs in Fortran call an MPI's Fortran library, which calls the C function. What they want to know of is their own
// line, so the caller of that library is looked for on the stack: by unwinding it, the first time that a function of
// the library calls. Its frame is as large each time, so later its caller stands at the same distance.
#pragma once

#include "mpi/call/call.hpp"

namespace espalier {

// Where the program's own code goes on. From any thread, without a lock or an allocation but for the first time.
[[nodiscard]] const void* address_in_program(const CallSite& site) noexcept;

// Whether a file of that name is an MPI's library for another language than C.
[[nodiscard]] bool is_binding(std::string_view file_name);

}  // namespace espalier
