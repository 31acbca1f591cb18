# `cmake --build build/release --target dist` writes medley-<version>.tar.gz into the build folder: the files of git's HEAD
# and the built report page, so that building from it needs neither node, npm nor a network. There is such a target where
# both are at hand: in a git clone that builds the page.
find_package(Git QUIET)
if(PROJECT_IS_TOP_LEVEL AND GIT_FOUND AND MEDLEY_WEB AND EXISTS ${PROJECT_SOURCE_DIR}/.git)
  set(MEDLEY_ARCHIVE_NAME medley-${PROJECT_VERSION})
  # Followed by the file to write; the tests write one of their own.
  set(MEDLEY_WRITE_ARCHIVE ${CMAKE_COMMAND} -D GIT=${GIT_EXECUTABLE} -D SOURCE=${PROJECT_SOURCE_DIR} -D PAGE=${MEDLEY_PAGE}
      -D NAME=${MEDLEY_ARCHIVE_NAME} -P ${CMAKE_CURRENT_LIST_DIR}/WriteArchive.cmake)
  add_custom_target(dist
    COMMAND ${MEDLEY_WRITE_ARCHIVE} ${PROJECT_BINARY_DIR}/${MEDLEY_ARCHIVE_NAME}.tar.gz
    DEPENDS ${MEDLEY_PAGE} VERBATIM)
endif()
