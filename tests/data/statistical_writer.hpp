// SPDX-License-Identifier: Apache-2.0
// Writes small SPSS, Stata and SAS files with ReadStat's writer, for tests to read back.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "medley/io.hpp"

namespace medley::testing {

struct SystemMissing {};
/// Stata's .a to .z.
struct Tag {
  char letter;
};
using StatisticalCell = std::variant<double, std::string, SystemMissing, Tag>;

enum class Storage { byte, integer, single, number, text };  // single: 4 bytes, number: 8

struct StatisticalVariable {
  std::string name;
  Storage storage = Storage::number;
  std::string format = {};  ///< as the program writes it: "DATE11", "%td"
  std::size_t width = 8;    ///< of text, in bytes
  std::vector<std::pair<StatisticalCell, std::string>> labels = {};
  std::vector<std::pair<double, double>> missing = {};  ///< SPSS: from, to
  std::vector<std::string> missing_texts = {};          ///< SPSS
};

struct StatisticalFile {
  Format format = Format::sav;
  std::vector<StatisticalVariable> variables;
  std::vector<std::vector<StatisticalCell>> rows;
  std::string weight = {};  ///< name of the variable
  bool packed = false;      ///< .zsav instead of .sav
  int version = 0;          ///< of the format; 0: the writer's default
};

/// The bytes of the file. Throws std::runtime_error if ReadStat will not write it.
[[nodiscard]] std::string written(const StatisticalFile& file);

}  // namespace medley::testing
