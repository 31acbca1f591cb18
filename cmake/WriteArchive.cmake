# Writes a source archive: cmake -D GIT=... -D SOURCE=... -D PAGE=... -D NAME=... -P WriteArchive.cmake OUT
# Everything lies in the folder NAME. Same commit, same page: the same bytes.
math(EXPR last "${CMAKE_ARGC} - 1")
set(out ${CMAKE_ARGV${last}})
execute_process(COMMAND ${GIT} -C ${SOURCE} diff --quiet HEAD -- web RESULT_VARIABLE changed)
if(changed)
  message(WARNING "web/ has changes that are not committed: they are in the archive's page, and not in its sources")
endif()
execute_process(COMMAND_ERROR_IS_FATAL ANY
  COMMAND ${GIT} -C ${SOURCE} archive --format=tar.gz -o ${out}
    --prefix=${NAME}/web/dist/ --add-file=${PAGE} --prefix=${NAME}/ HEAD)
message(STATUS "Written: ${out}")
