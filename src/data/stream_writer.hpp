// SPDX-License-Identifier: Apache-2.0
// Word counts from their file to a stream file without holding more than some rows.
#pragma once

#include <optional>

#include "data/catalogue.hpp"
#include "medley/io.hpp"

namespace medley::data {

/// Nothing if that cannot be done: another format than LDA-C or docword, counts out of order, or
/// options that only data in memory can follow. Nothing is then written.
[[nodiscard]] std::optional<StreamedData> stream_counts(const std::vector<Source>& sources,
                                                        const ReadOptions& options,
                                                        const FamilyCatalogue& catalogue,
                                                        const std::string& path);

}  // namespace medley::data
