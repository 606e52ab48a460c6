# SPDX-License-Identifier: Apache-2.0
# What is built, what is left out and why: one table at the end of configuring.
set_property(GLOBAL PROPERTY espalier_parts "")

# espalier_part(NAME STATE WORDS): a row of it. Semicolons divide rows, so words hold none.
function(espalier_part name state words)
  set_property(GLOBAL APPEND PROPERTY espalier_parts "${name}|${state}|${words}")
endfunction()

function(espalier_show_parts)
  get_property(parts GLOBAL PROPERTY espalier_parts)
  message(STATUS "Espalier ${PROJECT_VERSION}, ${CMAKE_BUILD_TYPE}:")
  foreach(part IN LISTS parts)
    string(REPLACE "|" ";" cells "${part}")
    list(POP_FRONT cells name state words)
    string(LENGTH "${name}" name_length)
    string(LENGTH "${state}" state_length)
    math(EXPR name_gap "24 - ${name_length}")
    math(EXPR state_gap "11 - ${state_length}")
    string(REPEAT " " ${name_gap} name_gap)
    string(REPEAT " " ${state_gap} state_gap)
    string(STRIP "${name}${name_gap}${state}${state_gap}${words}" row)
    message(STATUS "  ${row}")
  endforeach()
endfunction()

# espalier_header(VARIABLE FILE FOLDER NAME): the directory that holds a header: the system's, else our copy of it in
# third_party/FOLDER.
function(espalier_header variable file folder name)
  find_path(${variable} ${file} DOC "Directory that holds ${file}; by default the system's, else Espalier's own copy")
  if(NOT ${variable})
    set(${variable} ${PROJECT_SOURCE_DIR}/third_party/${folder} CACHE PATH "" FORCE)
  elseif(NOT EXISTS ${${variable}}/${file})
    message(FATAL_ERROR "${variable}=${${variable}}: there is no ${file}; allowed: a directory that holds it")
  endif()
  espalier_part("${name}" used ${${variable}})
endfunction()
