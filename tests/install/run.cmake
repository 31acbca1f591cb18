# Run by ctest with cmake -P; see CMakeLists.txt beside it. Stops at the first command that fails.
function(run)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${WORK} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# Anything left over from an earlier run could hide a file that is no longer installed.
file(REMOVE_RECURSE ${WORK}/prefix ${WORK}/outside)
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
run(${CMAKE_COMMAND} -S ${PROJECT} -B ${WORK}/outside -G ${GENERATOR}
    -D CMAKE_PREFIX_PATH=${WORK}/prefix -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_CXX_FLAGS=${FLAGS}
    -D MEDLEY_WANTED=${VERSION})
run(${CMAKE_COMMAND} --build ${WORK}/outside)
run(${WORK}/outside/outside)
