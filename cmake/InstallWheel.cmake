# SPDX-License-Identifier: Apache-2.0
# What goes into a wheel (pyproject.toml): all of it into the Python package, which is the prefix, but for licences,
# manual pages and words for shells. These are there if scripts/command-packages made them.
set(made ${PROJECT_BINARY_DIR}/command)
set(data ${SKBUILD_DATA_DIR}/share)

foreach(target espalier espalier-openmpi espalier-mpich espalier-abi)
  if(TARGET ${target})
    install(TARGETS ${target} LIBRARY DESTINATION lib)
  endif()
endforeach()
if(TARGET espalier-tool)
  install(TARGETS espalier-tool RUNTIME DESTINATION bin)
endif()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/install/layout.json @ONLY
  CONTENT [[{"version": "@PROJECT_VERSION@", "prefix": ".", "libraries": "lib", "programs": "bin"}
]])
install(FILES ${PROJECT_BINARY_DIR}/install/layout.json DESTINATION .)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/espalier DESTINATION include)

install(DIRECTORY ${made}/man/ DESTINATION ${data}/man/man1 OPTIONAL)
install(DIRECTORY ${made}/bash/ DESTINATION ${data}/bash-completion/completions OPTIONAL)
install(DIRECTORY ${made}/zsh/ DESTINATION ${data}/zsh/site-functions OPTIONAL)
install(DIRECTORY ${made}/fish/ DESTINATION ${data}/fish/vendor_completions.d OPTIONAL)
if(ESPALIER_PORTABLE)
  install(DIRECTORY ${ESPALIER_PORTABLE_ROOT}/licences/ DESTINATION ${SKBUILD_METADATA_DIR}/licenses/linked)
endif()
