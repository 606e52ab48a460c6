# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts where. The backends lie next to libespalier.so, which looks for them there.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Espalier)

install(TARGETS espalier EXPORT EspalierTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
foreach(backend openmpi mpich abi)
  if(TARGET espalier-${backend})
    install(TARGETS espalier-${backend} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  endif()
endforeach()
if(TARGET espalier-tool)
  install(TARGETS espalier-tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/espalier DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

install(EXPORT EspalierTargets NAMESPACE Espalier:: DESTINATION ${config_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/EspalierConfig.cmake.in
  ${PROJECT_BINARY_DIR}/EspalierConfig.cmake INSTALL_DESTINATION ${config_dir}
  PATH_VARS CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/EspalierConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/EspalierConfig.cmake ${PROJECT_BINARY_DIR}/EspalierConfigVersion.cmake
  DESTINATION ${config_dir})
