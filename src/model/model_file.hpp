// SPDX-License-Identifier: Apache-2.0
// Models as tensor files. What is stored: schema, tables, prior, training totals per slot, profile
// sizes and names, the trace of every restart, the options used. No rows, clock, host, path or
// thread count: the same fit gives the same bytes.
#pragma once

#include <memory>

#include "core/safetensors.hpp"
#include "model/model.hpp"

namespace medley::model {

[[nodiscard]] core::TensorFile to_tensors(const Parts& parts);
/// Throws InputError if anything in the file is missing, of the wrong size, or out of range.
[[nodiscard]] std::shared_ptr<Parts> from_tensors(const core::TensorFile& file);

}  // namespace medley::model
