# Whether the program gets the page of `medley report`: by default if it lies in the source tree, as in a source archive
# (Dist.cmake), or node and npm are there to build it.
set(MEDLEY_SHIPPED_PAGE ${CMAKE_CURRENT_SOURCE_DIR}/web/dist/page.html)
if(NOT EXISTS ${MEDLEY_SHIPPED_PAGE})
  set(MEDLEY_SHIPPED_PAGE "")
  find_program(NODE NAMES node nodejs)
  find_program(NPM npm)
endif()
if(MEDLEY_SHIPPED_PAGE OR (NODE AND NPM))
  set(MEDLEY_CAN_REPORT ON)
else()
  set(MEDLEY_CAN_REPORT OFF)
endif()
option(MEDLEY_REPORT "Have the page of medley report (of a source archive, or built by node and npm)" ${MEDLEY_CAN_REPORT})
if(MEDLEY_REPORT AND NOT MEDLEY_CAN_REPORT)
  message(FATAL_ERROR "MEDLEY_REPORT=ON needs node and npm to build the page of medley report (Debian packages nodejs and "
    "npm), or a source archive, which has the page. -DMEDLEY_REPORT=OFF does without.")
endif()
