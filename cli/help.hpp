// SPDX-License-Identifier: Apache-2.0
// The look of help texts: what it does, examples, then the options.
#pragma once

#include <memory>

namespace CLI {
class FormatterBase;
}

namespace medley::cli {

/// Short help: an option's kind of value instead of its type and marks; commands by their first
/// line.
[[nodiscard]] std::shared_ptr<CLI::FormatterBase> help_formatter();

}  // namespace medley::cli
