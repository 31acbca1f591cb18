# Run by ctest with cmake -P; see CMakeLists.txt beside it. Stops at the first command that fails.
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
function(run)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${WORK} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run(${WRITE} ${WORK}/source.tar.gz)
file(ARCHIVE_EXTRACT INPUT ${WORK}/source.tar.gz DESTINATION ${WORK})
# Programs that cannot be run: using them would fail.
run(${CMAKE_COMMAND} -S ${WORK}/${NAME} -B ${WORK}/build -G ${GENERATOR} -D CMAKE_CXX_COMPILER=${COMPILER}
    -D MEDLEY_TESTS=OFF -D NODE=${WORK}/no-node -D NPM=${WORK}/no-npm)
run(${CMAKE_COMMAND} --build ${WORK}/build --target page_template)

file(READ ${PAGE} page HEX)
file(READ ${WORK}/build/page_template.cpp embedded)
string(REGEX MATCHALL "0x[0-9a-f][0-9a-f]," embedded "${embedded}")
string(REGEX REPLACE "0x|[,;]" "" embedded "${embedded}")
if(page STREQUAL "" OR NOT embedded STREQUAL page)
  message(FATAL_ERROR "The page in the library is not the one that was put into the archive")
endif()
