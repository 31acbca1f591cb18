// SPDX-License-Identifier: Apache-2.0
// A byte source that delivers its bytes in pieces of a chosen size, to show that no reader cares;
// and the text of the error a reader throws.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "core/files.hpp"
#include "medley/error.hpp"

namespace medley::test {

class ChunkSource final : public core::ByteSource {
 public:
  ChunkSource(std::string bytes, std::size_t chunk, std::string name = "file")
      : bytes_(std::move(bytes)), chunk_(chunk), name_(std::move(name)) {}
  std::string_view next() override {
    // A fresh copy each time: a view kept too long is then seen by the address sanitizer.
    const std::size_t size = std::min(chunk_, bytes_.size() - at_);
    piece_ = std::make_unique<std::string>(bytes_, at_, size);
    at_ += size;
    return *piece_;
  }
  [[nodiscard]] const std::string& name() const override { return name_; }

 private:
  std::string bytes_;
  std::size_t chunk_, at_ = 0;
  std::string name_;
  std::unique_ptr<std::string> piece_;
};

/// What InputError says when `run` throws it, "" if it throws nothing.
template <typename Run>
std::string error_of(const Run& run) {
  try {
    run();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace medley::test
