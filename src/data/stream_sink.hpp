// SPDX-License-Identifier: Apache-2.0
// The bytes of a stream file, row by row: what StreamWriter is made of.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "medley/io.hpp"

namespace medley::data {

class StreamSink {
 public:
  explicit StreamSink(const std::string& path);
  ~StreamSink();
  StreamSink(const StreamSink&) = delete;
  StreamSink& operator=(const StreamSink&) = delete;

  /// All rows have blocks and kept columns like the first ones, which nobody checks here.
  void append(const Dataset& rows);
  /// Throws InputError if there were no rows.
  void finish(const Schema& schema);
  [[nodiscard]] std::size_t rows() const;
  [[nodiscard]] std::size_t cells() const;

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace medley::data
