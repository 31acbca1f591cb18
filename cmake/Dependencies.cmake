# Everything the library and the program stand on, all from Debian. They are implementation details: no public header
# includes them, so a user of an installed static medley needs only MEDLEY_LINKED, and only to link
# (medleyConfig.cmake.in finds the same packages again; keep the two lists together).
# The versions are the oldest that are tested, those of Debian 12; tools/packages/ has the names for ./quickstart.
set(MEDLEY_MISSING "")         # a line for each that is not there or too old
set(MEDLEY_MISSING_PACKAGES "")

# medley_missing(name oldest found debian_package purpose)
macro(medley_missing name oldest found debian_package purpose)
  string(APPEND MEDLEY_MISSING "\n    ${name}")
  if(NOT "${oldest}" STREQUAL "")
    string(APPEND MEDLEY_MISSING " ${oldest} or newer")
  endif()
  string(APPEND MEDLEY_MISSING ": ${purpose} (package ${debian_package}")
  if(NOT "${found}" STREQUAL "")
    string(APPEND MEDLEY_MISSING "; found: ${found}")
  endif()
  string(APPEND MEDLEY_MISSING ")")
  list(APPEND MEDLEY_MISSING_PACKAGES ${debian_package})
endmacro()

# medley_package(name oldest debian_package purpose [COMPONENTS ...]): a package that CMake finds. The version is compared
# here, because some packages' own files refuse every major version but the one asked for.
macro(medley_package name oldest debian_package purpose)
  find_package(${name} QUIET ${ARGN})
  set(found "${${name}_VERSION}")
  if("${found}" STREQUAL "")
    set(found "${${name}_VERSION_STRING}")  # what CMake 3.25 calls that of ZLIB
  endif()
  if(NOT ${name}_FOUND OR (NOT "${found}" STREQUAL "" AND "${found}" VERSION_LESS "${oldest}"))
    medley_missing(${name} "${oldest}" "${found}" ${debian_package} "${purpose}")
  endif()
endmacro()

# medley_header(variable header debian_package purpose [PATH_SUFFIXES ...]), medley_library(variable name ...): these have
# no files that would tell CMake about them, so no version either.
macro(medley_header variable header debian_package purpose)
  find_path(${variable} ${header} ${ARGN})
  if(NOT ${variable})
    medley_missing(${header} "" "" ${debian_package} "${purpose}")
  endif()
endmacro()
macro(medley_library variable name debian_package purpose)
  find_library(${variable} ${name})
  if(NOT ${variable})
    medley_missing(lib${name} "" "" ${debian_package} "${purpose}")
  endif()
endmacro()

find_package(Threads REQUIRED)
medley_package(fmt 9.1 libfmt-dev "numbers and tables as text")
medley_package(hwy 1.0.3 libhwy-dev "vector instructions of every processor")
medley_package(tomlplusplus 3.3 libtomlplusplus-dev "schemas and names of profiles")
medley_package(ZLIB 1.2.13 zlib1g-dev "files that end in .gz")
medley_package(zstd 1.5.4 libzstd-dev "files that end in .zst")
medley_package(simdjson 3.0.1 libsimdjson-dev "JSON lines")
medley_package(ICU 72.1 libicu-dev "words of running text" COMPONENTS uc)
medley_library(STEMMER_LIBRARY stemmer libstemmer-dev "stems of words")
medley_library(READSTAT_LIBRARY readstat libreadstat-dev "files of SPSS, Stata and SAS")
set(MEDLEY_LINKED
  Threads::Threads fmt::fmt hwy::hwy tomlplusplus::tomlplusplus ZLIB::ZLIB zstd::libzstd_shared
  simdjson::simdjson ICU::uc stemmer readstat)

# Header-only.
medley_package(nlohmann_json 3.11.2 nlohmann-json3-dev "model files and JSON output")
medley_package(Eigen3 3.4 libeigen3-dev "matrices" NO_MODULE)
medley_header(BOOST_MATH_INCLUDE boost/math/special_functions/digamma.hpp libboost-math-dev "gamma functions")
medley_header(RANDOM123_INCLUDE Random123/philox.h librandom123-dev "random numbers that can be counted off")
medley_header(FAST_FLOAT_INCLUDE fast_float/fast_float.h libfast-float-dev "reading numbers")

# Of the program, the tests and the benchmarks.
medley_package(CLI11 2.1.2 libcli11-dev "the options of the program")
if(MEDLEY_TESTS)
  medley_package(GTest 1.12.1 libgmock-dev "tests; -DMEDLEY_TESTS=OFF does without")
  medley_package(rapidcheck "" librapidcheck-dev "tests; -DMEDLEY_TESTS=OFF does without")
  medley_package(Python3 3.11 python3 "tests; -DMEDLEY_TESTS=OFF does without" COMPONENTS Interpreter)
endif()
if(MEDLEY_BENCH)
  medley_package(benchmark "" libbenchmark-dev "benchmarks")
endif()

if(MEDLEY_MISSING)
  list(JOIN MEDLEY_MISSING_PACKAGES " " packages)
  message(FATAL_ERROR "\n  Medley needs these, which are not here or too old:${MEDLEY_MISSING}\n"
    "  On Debian and Ubuntu: apt-get install ${packages}\n")
endif()

add_library(medley_dependencies INTERFACE)
target_include_directories(medley_dependencies SYSTEM INTERFACE
  ${BOOST_MATH_INCLUDE} ${RANDOM123_INCLUDE} ${FAST_FLOAT_INCLUDE})
target_link_libraries(medley_dependencies INTERFACE ${MEDLEY_LINKED} nlohmann_json::nlohmann_json Eigen3::Eigen)
