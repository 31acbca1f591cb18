// SPDX-License-Identifier: Apache-2.0
// Opens a source and finds out its format: as told, by its name, or by its first bytes.
#pragma once

#include <memory>
#include <optional>

#include "core/files.hpp"
#include "data/encoding.hpp"
#include "medley/io.hpp"

namespace medley::data {

struct OpenSource {
  std::unique_ptr<core::ByteSource> bytes;
  Format format = Format::csv;          ///< never automatic
  const DecodedSource* text = nullptr;  ///< of a file of text: knows its encoding once it is read
};

/// Whether the source is a folder, pattern or archive of documents, and no other format is asked
/// for.
[[nodiscard]] bool reads_documents(const Source& source, const ReadOptions& options);

/// `kind` is what a schema says the source is; it settles what the name and content leave open.
[[nodiscard]] OpenSource open_source(const Source& source, const ReadOptions& options,
                                     std::optional<SourceKind> kind);

}  // namespace medley::data
