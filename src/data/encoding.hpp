// SPDX-License-Identifier: Apache-2.0
// Text in other encodings than UTF-8, converted while it is read (ICU). Found out from a byte-order
// mark, or from the first bytes above ASCII: if most of them are no UTF-8, the text is
// Windows-1252, of which Latin-1 is a part.
#pragma once

#include <memory>
#include <string>

#include "core/files.hpp"

namespace medley::data {

/// The same text as UTF-8. Bounded: holds one buffer more.
class DecodedSource : public core::ByteSource {
 public:
  /// What the text was taken for if nobody said; empty while it may be UTF-8.
  [[nodiscard]] virtual const std::string& found() const = 0;
};

/// `encoding`: a name that ICU knows (utf-8, latin-1, cp1252, utf-16, macintosh ...), or empty or
/// "auto": found out. Throws InputError for a name that it does not know; reading throws it for
/// bytes that the encoding does not have. Bytes that are not UTF-8 in a text that is are left to
/// the reader, who knows line and column.
[[nodiscard]] std::unique_ptr<DecodedSource> decoded(std::unique_ptr<core::ByteSource> source,
                                                     const std::string& encoding);

}  // namespace medley::data
