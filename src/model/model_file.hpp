// SPDX-License-Identifier: Apache-2.0
// Models as tensor files. They hold schema, tables, prior, training totals per slot, profile sizes
// and names, the trace of every restart, and the options; no rows, time, host, path or number of
// threads. The same fit gives the same bytes.
#pragma once

#include <memory>
#include <string>

#include "core/safetensors.hpp"
#include "medley/data.hpp"
#include "model/model.hpp"

namespace medley::model {

[[nodiscard]] core::TensorFile to_tensors(const Parts& parts);
/// Throws InputError if anything in the file is missing, of the wrong size, or out of range.
[[nodiscard]] std::shared_ptr<Parts> from_tensors(const core::TensorFile& file);

// The schema as JSON inside model files.

[[nodiscard]] std::string schema_to_json(const Schema& schema);
/// Throws InputError naming `origin` if the text is not such a schema.
[[nodiscard]] Schema schema_from_json(const std::string& text, const std::string& origin);

}  // namespace medley::model
