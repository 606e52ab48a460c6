# SPDX-License-Identifier: Apache-2.0
# Builds what runs on any Linux with glibc 2.28 or later, whatever this machine has: Zig brings the names of that glibc
# and a C++ library, which becomes part of each of ours. ESPALIER_ZIG is Zig (PyPI: ziglang), ESPALIER_PORTABLE_ROOT the
# only place where headers and libraries of others are looked for: the system's fit its own glibc.
set(ESPALIER_PORTABLE ON)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES ESPALIER_ZIG ESPALIER_PORTABLE_ROOT)
set(CMAKE_C_COMPILER ${ESPALIER_ZIG} cc -target x86_64-linux-gnu.2.28)
set(CMAKE_CXX_COMPILER ${ESPALIER_ZIG} c++ -target x86_64-linux-gnu.2.28)
set(CMAKE_ASM_COMPILER ${CMAKE_C_COMPILER})

set(CMAKE_FIND_ROOT_PATH ${ESPALIER_PORTABLE_ROOT})
foreach(kind INCLUDE LIBRARY PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
