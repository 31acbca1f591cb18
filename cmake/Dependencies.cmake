# Everything the library stands on, all from Debian. They are implementation details: no public
# header includes them, so a user of an installed medley only needs the shared libraries at link time.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(hwy REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(ZLIB REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
find_path(BOOST_MATH_INCLUDE boost/math/special_functions/digamma.hpp REQUIRED)
find_path(RANDOM123_INCLUDE Random123/philox.h REQUIRED)
find_path(FAST_FLOAT_INCLUDE fast_float/fast_float.h REQUIRED)

add_library(medley_dependencies INTERFACE)
target_include_directories(medley_dependencies SYSTEM INTERFACE
  ${BOOST_MATH_INCLUDE} ${RANDOM123_INCLUDE} ${FAST_FLOAT_INCLUDE})
target_link_libraries(medley_dependencies INTERFACE
  fmt::fmt hwy::hwy nlohmann_json::nlohmann_json tomlplusplus::tomlplusplus ZLIB::ZLIB PkgConfig::ZSTD)
