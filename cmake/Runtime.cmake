# SPDX-License-Identifier: Apache-2.0
# Whose C++ runtime our libraries use. The standard library is always their own, and hidden: programs have another one.
# ESPALIER_PROCESS_LIBGCC: how to link what exceptions of the program may pass through: with the process's own libgcc.
# ESPALIER_OWN_LIBGCC: how to link what has no exceptions.
if(NOT ESPALIER_PORTABLE)
  set(ESPALIER_PROCESS_LIBGCC -static-libstdc++ -shared-libgcc)
  set(ESPALIER_OWN_LIBGCC -static-libstdc++ -static-libgcc)
  return()
endif()

# Zig links its own standard library into everything, and its own unwinder, too, unless another one comes first. This
# stand-in for GCC's is only linked against.
set(portable ${CMAKE_CURRENT_LIST_DIR}/portable)
add_library(espalier_libgcc_stand_in SHARED ${portable}/libgcc_s.c)
set_target_properties(espalier_libgcc_stand_in PROPERTIES
  OUTPUT_NAME gcc_s SOVERSION 1 LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/stand_in
  C_VISIBILITY_PRESET default LINK_DEPENDS ${portable}/libgcc_s.map)
target_link_options(espalier_libgcc_stand_in PRIVATE -nostdlib -Wl,--version-script=${portable}/libgcc_s.map)
set(ESPALIER_PROCESS_LIBGCC espalier_libgcc_stand_in)
set(ESPALIER_OWN_LIBGCC "")

# hwloc asks udev for the models of disks, which nobody here wants to know.
add_library(espalier_udev_stand_in STATIC EXCLUDE_FROM_ALL ${portable}/libudev.c)
