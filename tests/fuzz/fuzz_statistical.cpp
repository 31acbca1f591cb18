// SPDX-License-Identifier: Apache-2.0
// The frames that come back from the child that parses SPSS, Stata and SAS files: what it sends is
// not to be trusted. (The child itself may crash; it is one for that reason.)
#include "data/formats/statistical.hpp"
#include "fuzz/fuzz_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace medley;
  return fuzz::run_reader(data, size, [](core::ByteSource& source) {
    const auto read = data::read_statistical_frames(source, {}, fuzz::kMemory);
    for (const data::RawColumn& column : read.table.columns) {
      if (column.code.size() != read.rows) std::abort();
      for (const std::uint32_t code : column.code)
        if (code != data::kMissingCode && code >= column.distinct.size()) std::abort();
    }
    return read.rows + 1000 * read.table.columns.size();
  });
}
