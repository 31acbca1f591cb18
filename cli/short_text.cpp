// SPDX-License-Identifier: Apache-2.0
#include "short_text.hpp"

#include <fmt/format.h>

#include <array>
#include <fstream>

#include "medley/error.hpp"

namespace medley::cli {

std::optional<std::string> short_text(const std::string& path) {
  constexpr std::size_t kLongest = std::size_t{256} << 20U;  // a schema holds its vocabulary
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::string text;
  std::array<char, 65536> piece;
  while (file.read(piece.data(), piece.size()) || file.gcount() > 0) {
    text.append(piece.data(), static_cast<std::size_t>(file.gcount()));
    if (text.size() > kLongest)
      throw InputError(
          {path, fmt::format("has more than {} bytes", kLongest), "is this the right file?"});
  }
  if (file.bad()) throw InputError({path, "could not be read", ""});
  return text;
}

}  // namespace medley::cli
