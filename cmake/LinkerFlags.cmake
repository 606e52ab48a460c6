# SPDX-License-Identifier: Apache-2.0
# Flags that not all linkers know, and that those do not need: Zig's refuses them, and does what they say by itself.
include_guard(GLOBAL)
include(CheckLinkerFlag)

# espalier_link_if_known(TARGET SCOPE FLAGS...)
function(espalier_link_if_known target scope)
  foreach(flag IN LISTS ARGN)
    string(MAKE_C_IDENTIFIER "ESPALIER_LINKER_HAS${flag}" has_flag)
    check_linker_flag(CXX ${flag} ${has_flag})
    if(${has_flag})
      target_link_options(${target} ${scope} ${flag})
    endif()
  endforeach()
endfunction()
