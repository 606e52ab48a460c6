# SPDX-License-Identifier: Apache-2.0
# Most of the time that a file takes to compile goes into the headers it reads, so what most files read is read once.
# Not under a launcher like ccache, which knows objects again by what was read for each: such builds, and clang-tidy's,
# also show that each file includes all it needs.
set(share_headers ON)
if(CMAKE_CXX_COMPILER_LAUNCHER)
  set(share_headers OFF)
endif()
option(ESPALIER_SHARE_HEADERS "Precompile headers, and compile some files together" ${share_headers})

set(ESPALIER_STANDARD_HEADERS
  <algorithm> <array> <atomic> <bit> <charconv> <chrono> <cmath> <cstddef> <cstdint> <cstdio> <cstdlib> <cstring>
  <functional> <iterator> <limits> <map> <memory> <mutex> <numeric> <optional> <set> <span> <stdexcept> <string>
  <string_view> <tuple> <unordered_map> <utility> <variant> <vector>)

if(ESPALIER_SHARE_HEADERS)
  # GCC 12 warns of std::string's own code when that is precompiled: it forgets that it is a system's.
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_compile_options(espalier_options INTERFACE -Wno-array-bounds -Wno-stringop-overflow)
  endif()
else()
  set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
endif()

# espalier_precompile(TARGET HEADERS...): the standard's headers and these, which stand in src unless in brackets.
function(espalier_precompile target)
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/src/ REGEX "^[^<]")
  target_precompile_headers(${target} PRIVATE ${ESPALIER_STANDARD_HEADERS} ${ARGN})
endfunction()

# espalier_unite(TARGET): the small sources of a folder are compiled together, so that a new file changes nothing for
# those of other folders. Call it after all sources were added.
function(espalier_unite target)
  if(NOT ESPALIER_SHARE_HEADERS)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  get_target_property(directory ${target} SOURCE_DIR)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${directory} NORMALIZE)
    cmake_path(GET source PARENT_PATH folder)
    string(MAKE_C_IDENTIFIER ${folder} group)
    set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${group})
  endforeach()
endfunction()

# espalier_apart(TARGET SOURCES...): but not these, as names in their anonymous namespaces recur.
function(espalier_apart target)
  set_source_files_properties(${ARGN} TARGET_DIRECTORY ${target} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
