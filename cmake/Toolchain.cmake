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

# For code that is compiled often and runs briefly (option parsing, JSON; tests): compile time counts.
set(MEDLEY_TEST_COMPILE -O0)
if(MEDLEY_SANITIZE)
  set(MEDLEY_QUICK_COMPILE -O0)
elseif(NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
  set(MEDLEY_QUICK_COMPILE -O1)
endif()

# Sanitized programs are large: the quick linker saves half a minute.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  string(REGEX MATCH "^[0-9]+" MEDLEY_CLANG_MAJOR ${CMAKE_CXX_COMPILER_VERSION})
  find_program(LLD_PROGRAM ld.lld-${MEDLEY_CLANG_MAJOR})
  if(LLD_PROGRAM)
    add_link_options(-fuse-ld=lld)
  endif()
endif()

if(MEDLEY_SANITIZE)
  add_compile_options(-fsanitize=${MEDLEY_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${MEDLEY_SANITIZE})
endif()
