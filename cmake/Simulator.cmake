# SPDX-License-Identifier: Apache-2.0
# Whether espalier-simulate is built: ESPALIER_BUILD_SIMULATOR. It alone needs SimGrid, from 3.32 on.
# Another SimGrid than the system's: ESPALIER_SIMGRID_INCLUDE and ESPALIER_SIMGRID_LIBRARY.
find_path(ESPALIER_SIMGRID_INCLUDE simgrid/s4u.hpp DOC "Directory that holds simgrid/s4u.hpp (libsimgrid-dev)")
find_library(ESPALIER_SIMGRID_LIBRARY simgrid DOC "SimGrid's library (libsimgrid-dev)")

set(ESPALIER_BUILD_SIMULATOR OFF)
if(NOT ESPALIER_BUILD_TOOL)
  espalier_part(espalier-simulate "left out" "espalier-tool is")
elseif(NOT ESPALIER_SIMGRID_INCLUDE OR NOT ESPALIER_SIMGRID_LIBRARY)
  espalier_part(espalier-simulate "left out" "was not found: SimGrid (libsimgrid-dev)")
else()
  set(ESPALIER_BUILD_SIMULATOR ON)
  espalier_part(espalier-simulate built "${ESPALIER_SIMGRID_LIBRARY}")
endif()
