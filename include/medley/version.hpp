// SPDX-License-Identifier: Apache-2.0
// The version of the library.
#pragma once

namespace medley {

/// "MAJOR.MINOR.PATCH" of the library that was linked.
[[nodiscard]] const char* version();

}  // namespace medley
