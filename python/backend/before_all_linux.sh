#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What a manylinux image (AlmaLinux) needs to build medley. Not run here: written for cibuildwheel elsewhere.
set -euo pipefail
dnf install -y epel-release
dnf config-manager --set-enabled crb || dnf config-manager --set-enabled powertools
dnf install -y eigen3-devel boost-devel fmt-devel zlib-devel libzstd-devel libicu-devel icu cli11-devel json-devel \
  simdjson-devel libstemmer-devel highway-devel nodejs npm
# Not packaged there: header-only libraries and ReadStat.
cd /tmp
get() { curl -fsSL "$1" | tar xz; }
get https://github.com/marzer/tomlplusplus/archive/refs/tags/v3.4.0.tar.gz
cmake -S tomlplusplus-3.4.0 -B toml -DCMAKE_BUILD_TYPE=Release && cmake --install toml
get https://github.com/fastfloat/fast_float/archive/refs/tags/v6.1.6.tar.gz
cmake -S fast_float-6.1.6 -B ff -DFASTFLOAT_TEST=OFF && cmake --install ff
get https://github.com/DEShawResearch/random123/archive/refs/tags/v1.14.0.tar.gz
cp -r random123-1.14.0/include/Random123 /usr/local/include/
get https://github.com/WizardMac/ReadStat/releases/download/v1.1.9/readstat-1.1.9.tar.gz
(cd readstat-1.1.9 && ./configure --disable-static && make -j2 && make install && ldconfig)
