# SPDX-License-Identifier: Apache-2.0
include_guard(GLOBAL)

set(ESPALIER_TEST_PYTHON ${PROJECT_SOURCE_DIR}/.deps/tools/bin/python
    CACHE FILEPATH "A Python with pytest, for the tests")

# espalier_python_test(NAME FILE [TIMEOUT seconds] [SANITIZER name]): one pytest file as one test, in builds with that
# sanitizer first only, or in those without any. It skips, and says why, what needs an MPI that this machine lacks.
function(espalier_python_test name file)
  cmake_parse_arguments(PARSE_ARGV 2 test "" "TIMEOUT;SANITIZER" "")
  if(NOT test_TIMEOUT)
    set(test_TIMEOUT 300)
  endif()
  string(REGEX REPLACE ",.*" "" first "${ESPALIER_SANITIZE}")
  if(NOT "${first}" STREQUAL "${test_SANITIZER}")
    return()
  endif()
  if(NOT EXISTS ${ESPALIER_TEST_PYTHON})
    message(STATUS "Test ${name} is left out: no ${ESPALIER_TEST_PYTHON} (ESPALIER_TEST_PYTHON)")
    return()
  endif()
  add_test(NAME ${name} COMMAND ${ESPALIER_TEST_PYTHON} -m pytest -q -rs --durations=10 -p no:cacheprovider
                   --build ${PROJECT_BINARY_DIR} ${file}
           WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES
    ENVIRONMENT PYTHONDONTWRITEBYTECODE=1
    TIMEOUT ${test_TIMEOUT})
endfunction()
