# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts where. The backends lie next to libespalier.so, which looks for them there. Nothing names
# the place where it was built or installed: all is found from where it lies, so that the tree may be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# What ranks load, they load as any user.
set(CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Espalier)
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
set(share ${CMAKE_INSTALL_DATADIR}/espalier)
set(module_dir ${CMAKE_INSTALL_DATADIR}/modulefiles/espalier)
set(shells bash-completion/completions zsh/site-functions fish/vendor_completions.d)
list(TRANSFORM shells PREPEND ${CMAKE_INSTALL_DATADIR}/)
list(GET shells 0 bash_dir)
list(GET shells 1 zsh_dir)
list(GET shells 2 fish_dir)
set(made ${PROJECT_BINARY_DIR}/command)  # by scripts/command-packages
set(binaries "")

# espalier_way_up(VARIABLE DIRECTORY): from there to where all is installed.
function(espalier_way_up variable directory)
  string(REGEX REPLACE "[^/]+" ".." up "${directory}")
  set(${variable} ${up} PARENT_SCOPE)
endfunction()
espalier_way_up(ESPALIER_BIN_TO_PREFIX ${CMAKE_INSTALL_BINDIR})
espalier_way_up(ESPALIER_PC_TO_PREFIX ${pkgconfig_dir})
espalier_way_up(ESPALIER_SHARE_TO_PREFIX ${share})
espalier_way_up(ESPALIER_MODULE_TO_PREFIX ${module_dir})
set(ESPALIER_SHARE ${share})

# espalier_install_made(NAME DIRECTORY FILE KIND): configures cmake/install/NAME.in and installs it as FILE.
function(espalier_install_made name directory file kind)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/install/${name}.in ${PROJECT_BINARY_DIR}/install/${name} @ONLY)
  install(${kind} ${PROJECT_BINARY_DIR}/install/${name} DESTINATION ${directory} RENAME ${file})
endfunction()

foreach(target espalier espalier-openmpi espalier-mpich espalier-abi)
  if(TARGET ${target})
    list(APPEND binaries ${CMAKE_INSTALL_LIBDIR}/lib${target}.so)
  endif()
endforeach()
if(TARGET espalier-tool)
  list(APPEND binaries ${CMAKE_INSTALL_BINDIR}/espalier-tool)
endif()
install(CODE "set(ESPALIER_SHARE [[${share}]])
set(ESPALIER_DIRECTORIES [[${CMAKE_INSTALL_BINDIR};${CMAKE_INSTALL_INCLUDEDIR};${config_dir};${pkgconfig_dir};${module_dir};${shells};${CMAKE_INSTALL_MANDIR}/man1;${CMAKE_INSTALL_DOCDIR}]])
set(ESPALIER_BINARIES [[${binaries}]])
set(ESPALIER_OBJCOPY [[${CMAKE_OBJCOPY}]])
set(ESPALIER_DEBUG [[${PROJECT_BINARY_DIR}/debug]])")
install(SCRIPT ${PROJECT_SOURCE_DIR}/cmake/install/Before.cmake)

# The libraries, and the tool.
install(TARGETS espalier EXPORT EspalierTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
foreach(backend openmpi mpich abi)
  if(TARGET espalier-${backend})
    install(TARGETS espalier-${backend} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  endif()
endforeach()
if(TARGET espalier-tool)
  install(TARGETS espalier-tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

# The command, with the packages that it needs if they were laid down.
espalier_install_made(espalier.sh ${CMAKE_INSTALL_BINDIR} espalier PROGRAMS)
espalier_install_made(layout.json ${share} layout.json FILES)
espalier_install_made(uninstall.sh ${share} uninstall PROGRAMS)
install(FILES ${PROJECT_SOURCE_DIR}/cmake/install/__main__.py DESTINATION ${share}/python)
install(FILES ${PROJECT_SOURCE_DIR}/requirements/command.txt DESTINATION ${share} RENAME packages.txt)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/espalier DESTINATION ${share}/python PATTERN __pycache__ EXCLUDE)
install(DIRECTORY ${made}/packages DESTINATION ${share} OPTIONAL PATTERN __pycache__ EXCLUDE)
install(DIRECTORY ${made}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 OPTIONAL)
install(DIRECTORY ${made}/bash/ DESTINATION ${bash_dir} OPTIONAL)
install(DIRECTORY ${made}/zsh/ DESTINATION ${zsh_dir} OPTIONAL)
install(DIRECTORY ${made}/fish/ DESTINATION ${fish_dir} OPTIONAL)

# For those who build against it, or load it as a module.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/espalier DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT EspalierTargets NAMESPACE Espalier:: DESTINATION ${config_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/EspalierConfig.cmake.in
  ${PROJECT_BINARY_DIR}/EspalierConfig.cmake INSTALL_DESTINATION ${config_dir}
  PATH_VARS CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/EspalierConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/EspalierConfig.cmake ${PROJECT_BINARY_DIR}/EspalierConfigVersion.cmake
  DESTINATION ${config_dir})
espalier_install_made(espalier.pc ${pkgconfig_dir} espalier.pc FILES)
espalier_install_made(modulefile.tcl ${module_dir} ${PROJECT_VERSION} FILES)
espalier_install_made(modulefile.lua ${module_dir} ${PROJECT_VERSION}.lua FILES)

# To read. Pages link to each other as in the source tree.
install(FILES LICENSE README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES packaging/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/packaging OPTIONAL)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN site EXCLUDE)  # what makes a site of them
install(DIRECTORY third_party DESTINATION ${CMAKE_INSTALL_DOCDIR}
  FILES_MATCHING PATTERN LICENSE PATTERN README.md PATTERN toml++ EXCLUDE PATTERN rdma EXCLUDE)

install(SCRIPT ${PROJECT_SOURCE_DIR}/cmake/install/After.cmake)
