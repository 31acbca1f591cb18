// SPDX-License-Identifier: Apache-2.0
// What `--column NAME=FAMILY:shift=1` asks for.
#pragma once

#include <string>

namespace medley::data {

struct FamilyRequest {
  std::string family;
  double shift = 0;     ///< subtracted from every number before the family sees it
  std::string problem;  ///< what is wrong with the request; empty if nothing
};

/// Takes FAMILY, or FAMILY:key=value; the only key is shift.
[[nodiscard]] FamilyRequest family_request(const std::string& text);

}  // namespace medley::data
