# Everything the library stands on, all from Debian. They are implementation details: no public header
# includes them, so a user of an installed static medley needs only MEDLEY_LINKED, and only to link
# (medleyConfig.cmake.in finds the same packages again; keep the two lists together).
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(hwy REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(ZLIB REQUIRED)
find_package(zstd REQUIRED)
find_package(simdjson REQUIRED)
find_package(ICU REQUIRED COMPONENTS uc)
find_library(STEMMER_LIBRARY stemmer REQUIRED)  # these two have no package files of their own
find_library(READSTAT_LIBRARY readstat REQUIRED)
set(MEDLEY_LINKED
  Threads::Threads fmt::fmt hwy::hwy tomlplusplus::tomlplusplus ZLIB::ZLIB zstd::libzstd_shared
  simdjson::simdjson ICU::uc stemmer readstat)

# Header-only.
find_package(nlohmann_json REQUIRED)
find_path(BOOST_MATH_INCLUDE boost/math/special_functions/digamma.hpp REQUIRED)
find_path(EIGEN_INCLUDE Eigen/Core PATH_SUFFIXES eigen3 REQUIRED)
find_path(RANDOM123_INCLUDE Random123/philox.h REQUIRED)
find_path(FAST_FLOAT_INCLUDE fast_float/fast_float.h REQUIRED)

add_library(medley_dependencies INTERFACE)
target_include_directories(medley_dependencies SYSTEM INTERFACE
  ${BOOST_MATH_INCLUDE} ${EIGEN_INCLUDE} ${RANDOM123_INCLUDE} ${FAST_FLOAT_INCLUDE})
target_link_libraries(medley_dependencies INTERFACE ${MEDLEY_LINKED} nlohmann_json::nlohmann_json)
