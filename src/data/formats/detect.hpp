// SPDX-License-Identifier: Apache-2.0
// Which format a file is in: by its name, else by its first lines. Triplets are never guessed: a
// table of user, item and value is a table until the caller says otherwise.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "medley/io.hpp"

namespace medley::data {

/// How much of a file's beginning format_by_content() wants to see, if there is that much.
inline constexpr std::size_t kDetectBytes = std::size_t{1} << 16;

/// By the ending (.csv .tsv .tab .jsonl .ndjson .json .ldac .mtx .svm .svmlight .libsvm .txt .sav
/// .zsav .por .dta .sas7bdat .xpt .stream) or the beginning (docword) of the file's name, without
/// .gz or .zst. Nothing if the name does not tell, as with .dat or "-".
[[nodiscard]] std::optional<Format> format_by_name(std::string_view path);

/// How much of a file's beginning format_by_magic() wants to see.
inline constexpr std::size_t kMagicBytes = 1024;

/// The binary format (sav, por, dta, sas7bdat, xpt, stream) that files with this beginning are in,
/// if any.
[[nodiscard]] std::optional<Format> format_by_magic(std::string_view head);

/// By the first bytes of the (decompressed) content: those of format_by_magic(), jsonl, mtx,
/// docword, ldac, svmlight, else csv. Between ldac and svmlight: ldac if every line starts with the
/// number of its pairs.
[[nodiscard]] Format format_by_content(std::string_view head);

}  // namespace medley::data
