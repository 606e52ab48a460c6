# SPDX-License-Identifier: Apache-2.0
# What is loaded into other people's programs, and the tool that reads their files, must give an attacker little: no
# writable table of functions, no overrun of a stack unnoticed, no jump to where no function begins.
include(CheckCXXCompilerFlag)
include(CheckPIESupported)
include(${CMAKE_CURRENT_LIST_DIR}/LinkerFlags.cmake)
check_pie_supported()

add_library(espalier_hardened INTERFACE)
target_link_options(espalier_hardened INTERFACE -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
espalier_link_if_known(espalier_hardened INTERFACE -Wl,-z,text)

# Which of these a compiler has depends on the processor, too. Clang only warns of another processor's.
set(CMAKE_REQUIRED_FLAGS -Werror)
foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection=full -mbranch-protection=standard)
  string(MAKE_C_IDENTIFIER "ESPALIER_HAS${flag}" has_flag)
  check_cxx_compiler_flag(${flag} ${has_flag})
  if(${has_flag})
    target_compile_options(espalier_hardened INTERFACE ${flag})
  endif()
endforeach()
unset(CMAKE_REQUIRED_FLAGS)

# Needs optimisation; sanitizers find more by themselves. A C library without the third level takes it for the second.
if(NOT ESPALIER_SANITIZE)
  target_compile_options(espalier_hardened INTERFACE "$<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=3>")
endif()
