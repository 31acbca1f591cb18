# The page of `medley report` as a string in the library. npm brings what web/package-lock.json names, esbuild bundles
# it into one HTML file, EmbedPage.cmake makes that a C++ file. All beside the build: node_modules never lies in the
# source tree. With MEDLEY_REPORT=OFF there is no page, and the command says so.
set(page_source ${CMAKE_CURRENT_BINARY_DIR}/page_template.cpp)
if(MEDLEY_REPORT)
  find_program(NODE NAMES node nodejs REQUIRED)
  find_program(NPM npm REQUIRED)
  set(web ${CMAKE_CURRENT_SOURCE_DIR}/web)
  set(MEDLEY_WEB ${CMAKE_CURRENT_BINARY_DIR}/web)  # with node_modules, which the tests need too
  file(GLOB_RECURSE web_sources CONFIGURE_DEPENDS ${web}/src/*)
  add_custom_command(OUTPUT ${MEDLEY_WEB}/node_modules/.package-lock.json
    COMMAND ${CMAKE_COMMAND} -E make_directory ${MEDLEY_WEB}
    COMMAND ${CMAKE_COMMAND} -E copy ${web}/package.json ${web}/package-lock.json ${web}/.npmrc ${MEDLEY_WEB}
    COMMAND ${NPM} ci --prefix ${MEDLEY_WEB} --no-audit --no-fund --loglevel=error
    DEPENDS ${web}/package.json ${web}/package-lock.json ${web}/.npmrc
    COMMENT "Fetching what the report page is made of (npm ci)" VERBATIM)
  add_custom_command(OUTPUT ${MEDLEY_WEB}/page.html
    COMMAND ${NODE} ${web}/build.mjs ${MEDLEY_WEB}
    DEPENDS ${MEDLEY_WEB}/node_modules/.package-lock.json ${web}/build.mjs ${web}/tsconfig.json ${web_sources}
    COMMENT "Bundling the report page" VERBATIM)
  add_custom_command(OUTPUT ${page_source}
    COMMAND ${CMAKE_COMMAND} -DPAGE=${MEDLEY_WEB}/page.html -DOUT=${page_source} -P ${CMAKE_CURRENT_LIST_DIR}/EmbedPage.cmake
    DEPENDS ${MEDLEY_WEB}/page.html ${CMAKE_CURRENT_LIST_DIR}/EmbedPage.cmake
    COMMENT "Embedding the report page" VERBATIM)
else()
  configure_file(${CMAKE_CURRENT_SOURCE_DIR}/src/report/page_template_none.cpp.in ${page_source} COPYONLY)
endif()
target_sources(medley PRIVATE ${page_source})
