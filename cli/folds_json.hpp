// SPDX-License-Identifier: Apache-2.0
// The scores of a cross-validation as JSON.
#pragma once

#include <string>

#include "medley/evaluate.hpp"

namespace medley::cli {

/// {"train": {"perplexity": {"mean", "sd"}, ...}, "test": ..., "folds": [{"train": ...}, ...]}.
/// With one truth column its scores also stand beside the others of their side.
[[nodiscard]] std::string folds_json(const CrossValidation& validation,
                                     const CrossValidateOptions& options);

}  // namespace medley::cli
