#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What macOS needs to build medley, from Homebrew. Not run here: written for cibuildwheel elsewhere.
set -euo pipefail
brew install eigen boost fmt zstd icu4c cli11 nlohmann-json simdjson snowball highway tomlplusplus fast_float readstat node
curl -fsSL https://github.com/DEShawResearch/random123/archive/refs/tags/v1.14.0.tar.gz | tar xz -C /tmp
cp -r /tmp/random123-1.14.0/include/Random123 /usr/local/include/
