# medley_room(NAME file... [QUICK file...] [SINGLE file...]): one room of the house, a folder of src/. Its files are
# compiled several to a unit where CMAKE_UNITY_BUILD is on (an average file is 85 % headers), so names in anonymous
# namespaces must not repeat within a room.
#   QUICK   compile time counts, not speed: JSON, whose headers take seconds
#   SINGLE  never merged: Highway compiles such a file once for every instruction set; Eigen takes as long on its own
#   FUZZED  its readers are fuzzed: the compiler counts for the fuzzer which branches an input takes
function(medley_room name)
  cmake_parse_arguments(ROOM "FUZZED" "" "QUICK;SINGLE" ${ARGN})
  medley_room_objects(medley_${name} ${ROOM_UNPARSED_ARGUMENTS} ${ROOM_SINGLE})
  if(ROOM_SINGLE)
    set_source_files_properties(${ROOM_SINGLE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON
                                COMPILE_OPTIONS "${MEDLEY_SINGLE_COMPILE}")
  endif()
  if(ROOM_QUICK)
    medley_room_objects(medley_${name}_quick ${ROOM_QUICK})
    target_compile_options(medley_${name}_quick PRIVATE ${MEDLEY_QUICK_COMPILE})
  endif()
  if(ROOM_FUZZED AND MEDLEY_FUZZ)
    target_compile_options(medley_${name} PRIVATE -fsanitize=fuzzer-no-link)
    if(ROOM_QUICK)
      target_compile_options(medley_${name}_quick PRIVATE -fsanitize=fuzzer-no-link)
    endif()
  endif()
endfunction()

function(medley_room_objects target)
  add_library(${target} OBJECT ${ARGN})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${target} PRIVATE medley_warnings medley_dependencies)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE 12)
  target_sources(medley PRIVATE $<TARGET_OBJECTS:${target}>)
endfunction()
