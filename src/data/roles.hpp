// SPDX-License-Identifier: Apache-2.0
// What the options say about each column: its role, and a family if one is asked for.
#pragma once

#include <string>
#include <vector>

#include "core/problems.hpp"
#include "data/columns.hpp"
#include "medley/io.hpp"

namespace medley::data {

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
