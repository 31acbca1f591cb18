# What `cmake --install` puts in place: the library, its headers, the program, and the files that let
# another project write find_package(medley) and link medley::medley.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(MEDLEY_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/medley)
get_target_property(MEDLEY_TYPE medley TYPE)

install(TARGETS medley EXPORT medleyTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/medley DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN *.hpp)
if(TARGET medley_cli)
  install(TARGETS medley_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
if(TARGET medley_mpi)
  install(TARGETS medley_mpi RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

install(EXPORT medleyTargets NAMESPACE medley:: DESTINATION ${MEDLEY_CMAKE_DIR})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/medleyConfig.cmake.in
  ${PROJECT_BINARY_DIR}/medleyConfig.cmake INSTALL_DESTINATION ${MEDLEY_CMAKE_DIR})
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/medleyConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/medleyConfig.cmake ${PROJECT_BINARY_DIR}/medleyConfigVersion.cmake
  DESTINATION ${MEDLEY_CMAKE_DIR})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
