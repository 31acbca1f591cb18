# How everything is compiled: with which compilers, a compiler cache when there is one, warnings, sanitizers. A warning is
# an error in our presets only (CMAKE_COMPILE_WARNING_AS_ERROR): a user's compiler may know warnings that ours do not.
if((CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12)
   OR (CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 16))
  message(FATAL_ERROR "Medley is written in C++20 and needs g++ 12 or clang 16, or newer; this is "
    "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} (${CMAKE_CXX_COMPILER}). Name another one in an empty build "
    "folder: -DCMAKE_CXX_COMPILER=g++-12, say.")
endif()

# Whether a build folder uses the cache is settled when it is first configured: a ccache that is installed later would
# change every command, and everything would be built again.
find_program(CCACHE_PROGRAM ccache)
if(NOT DEFINED CACHE{MEDLEY_CCACHE})
  if(CCACHE_PROGRAM)
    set(MEDLEY_CCACHE ON CACHE BOOL "Compile through ccache")
  else()
    set(MEDLEY_CCACHE OFF CACHE BOOL "Compile through ccache")
  endif()
endif()
if(MEDLEY_CCACHE)
  # the sloppiness lets precompiled headers be cached
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros
      ${CCACHE_PROGRAM})
endif()

add_library(medley_warnings INTERFACE)
target_compile_options(medley_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 warns without cause about "text" + std::to_string(...); and it takes a file that a unit includes for a header,
  # in which a class must not have members of types in an anonymous namespace.
  target_compile_options(medley_warnings INTERFACE -Wno-restrict -Wno-subobject-linkage)
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
  # What Highway and Eigen inline thousands of times over takes a third of the build when it is instrumented. Unless
  # everything is asked for, kernels are built for every width of vectors but not for every instruction set, and the
  # checks of pointers that the address sanitizer makes in its own way are left out (digamma_sweeps.cpp: 12 s, not 80 s).
  if(NOT MEDLEY_SANITIZE_EVERYTHING)
    set(MEDLEY_SINGLE_COMPILE "-DHWY_DISABLED_TARGETS=(HWY_SSSE3|HWY_SSE4|HWY_AVX3_DL)")
    if(MEDLEY_SANITIZE MATCHES undefined)
      list(APPEND MEDLEY_SINGLE_COMPILE -fno-sanitize=null,alignment,object-size,pointer-overflow)
    endif()
  endif()
endif()
