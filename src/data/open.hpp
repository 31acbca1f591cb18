// SPDX-License-Identifier: Apache-2.0
// Opens a source and finds out its format: as told, by its name, or by its first bytes.
#pragma once

#include <memory>
#include <optional>

#include "core/files.hpp"
#include "medley/read.hpp"

namespace medley::data {

struct OpenSource {
  std::unique_ptr<core::ByteSource> bytes;
  Format format = Format::csv;  ///< never automatic
};

/// `kind` is what a schema says the source is; it settles what the name and content leave open.
[[nodiscard]] OpenSource open_source(const Source& source, const ReadOptions& options,
                                     std::optional<SourceKind> kind);

}  // namespace medley::data
