# The page of `medley report` as a string in the library. A source archive has the page (MEDLEY_SHIPPED_PAGE). Otherwise npm
# brings what web/package-lock.json names and esbuild bundles it into one HTML file, all beside the build: node_modules
# never lies in the source tree. EmbedPage.cmake makes it a C++ file. With MEDLEY_REPORT=OFF there is no page, and the
# command says so.
set(page_source ${CMAKE_CURRENT_BINARY_DIR}/page_template.cpp)
set(MEDLEY_PAGE "")  # the HTML file
set(MEDLEY_WEB "")   # the folder that has node_modules, which the tests need too
if(MEDLEY_REPORT AND MEDLEY_SHIPPED_PAGE)
  message(STATUS "The report page is web/dist/page.html (without that file npm builds it)")
  set(MEDLEY_PAGE ${MEDLEY_SHIPPED_PAGE})
elseif(MEDLEY_REPORT)
  set(web ${CMAKE_CURRENT_SOURCE_DIR}/web)
  set(MEDLEY_WEB ${CMAKE_CURRENT_BINARY_DIR}/web)
  set(MEDLEY_PAGE ${MEDLEY_WEB}/page.html)
  file(GLOB_RECURSE web_sources CONFIGURE_DEPENDS ${web}/src/*)
  add_custom_command(OUTPUT ${MEDLEY_WEB}/node_modules/.package-lock.json
    COMMAND ${CMAKE_COMMAND} -E make_directory ${MEDLEY_WEB}
    COMMAND ${CMAKE_COMMAND} -E copy ${web}/package.json ${web}/package-lock.json ${web}/.npmrc ${MEDLEY_WEB}
    COMMAND ${NPM} ci --prefix ${MEDLEY_WEB} --no-audit --no-fund --loglevel=error
    DEPENDS ${web}/package.json ${web}/package-lock.json ${web}/.npmrc
    COMMENT "Fetching what the report page is made of (npm ci)" VERBATIM)
  add_custom_command(OUTPUT ${MEDLEY_PAGE}
    COMMAND ${NODE} ${web}/build.mjs ${MEDLEY_WEB}
    DEPENDS ${MEDLEY_WEB}/node_modules/.package-lock.json ${web}/build.mjs ${web}/tsconfig.json ${web_sources}
    COMMENT "Bundling the report page" VERBATIM)
endif()
if(MEDLEY_PAGE)
  add_custom_command(OUTPUT ${page_source}
    COMMAND ${CMAKE_COMMAND} -DPAGE=${MEDLEY_PAGE} -DOUT=${page_source} -P ${CMAKE_CURRENT_LIST_DIR}/EmbedPage.cmake
    DEPENDS ${MEDLEY_PAGE} ${CMAKE_CURRENT_LIST_DIR}/EmbedPage.cmake
    COMMENT "Embedding the report page" VERBATIM)
else()
  configure_file(${CMAKE_CURRENT_SOURCE_DIR}/src/report/page_template_none.cpp.in ${page_source} COPYONLY)
endif()
add_custom_target(page_template DEPENDS ${page_source})
add_dependencies(medley page_template)
target_sources(medley PRIVATE ${page_source})
