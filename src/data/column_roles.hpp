// SPDX-License-Identifier: Apache-2.0
// What `--column NAME=FAMILY:shift=1` asks for.
#pragma once

#include <string>
#include <vector>

#include "core/problems.hpp"
#include "data/source_columns.hpp"
#include "medley/io.hpp"

namespace medley::data {

struct FamilyRequest {
  std::string family;
  double shift = 0;     ///< subtracted from every number before the family sees it
  std::string problem;  ///< what is wrong with the request; empty if nothing
};

/// Takes FAMILY, or FAMILY:key=value; the only key is shift.
[[nodiscard]] FamilyRequest family_request(const std::string& text);

// What the options say about each column: its role, and a family if one is asked for.

struct Asked {
  Role role = Role::feature;
  bool by_option = false;  ///< the role was asked for, not assumed
  bool keep = false;
  std::string family;  ///< empty: choose one
  double shift = 0;    ///< asked for with the family
};

/// One entry per column. Names that no column has, and contradictions, go to `problems`.
[[nodiscard]] std::vector<Asked> asked_of(const std::vector<ColumnRef>& columns,
                                          const std::vector<RawSource>& sources,
                                          const ReadOptions& options, core::Problems& problems);

}  // namespace medley::data
