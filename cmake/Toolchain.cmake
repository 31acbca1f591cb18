# How everything is compiled: a compiler cache when there is one, warnings as errors, sanitizers.
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

add_library(medley_warnings INTERFACE)
target_compile_options(medley_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 warns without cause about "text" + std::to_string(...).
  target_compile_options(medley_warnings INTERFACE -Wno-restrict)
endif()

# For code that is compiled often and runs briefly (tests, option parsing, JSON): compile time counts.
if(MEDLEY_SANITIZE)
  set(MEDLEY_QUICK_COMPILE -O0)
elseif(NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
  set(MEDLEY_QUICK_COMPILE -O1)
endif()

if(MEDLEY_SANITIZE)
  add_compile_options(-fsanitize=${MEDLEY_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${MEDLEY_SANITIZE})
endif()
