// SPDX-License-Identifier: Apache-2.0
// Reading files that are already in memory, against merely counting their lines.
#include <cstring>
#include <memory>
#include <string>

#include "comparison.hpp"
#include "core/files.hpp"
#include "data/formats/coordinates.hpp"
#include "data/formats/csv.hpp"
#include "data/formats/jsonl.hpp"
#include "data/formats/ldac.hpp"
#include "data/formats/svmlight.hpp"
#include "data/formats/triplets.hpp"
#include "generated.hpp"

namespace medley::bench {
namespace {

std::size_t count_lines(const std::string& text) {
  std::size_t lines = 0;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    const void* found = std::memchr(at, '\n', static_cast<std::size_t>(end - at));
    if (found == nullptr) break;
    at = static_cast<const char*>(found) + 1;
    ++lines;
  }
  return lines;
}

template <class Read>
void compare(const std::string& what, std::string text, Read read) {
  const auto shared = std::make_shared<const std::string>(std::move(text));
  const Comparison comparison{what, shared->size(), "MB/s", true};
  measured(comparison, "medley", [shared, read] {
    const auto source = core::ByteSource::from_memory(*shared, "memory");
    benchmark::DoNotOptimize(read(*source));
  });
  against(comparison, "counting lines",
          [shared] { benchmark::DoNotOptimize(count_lines(*shared)); });
}

}  // namespace

void add_benchmarks() {
  const Dataset data = survey(20'000, 16, 9);
  compare("read CSV 20000 x 17", as_csv(data), [](core::ByteSource& source) {
    return data::read_csv(source, {.is_missing = is_standard_missing});
  });
  compare("read triplets 320000", as_triplets(data), [](core::ByteSource& source) {
    return data::read_triplets(source, {.is_missing = is_standard_missing});
  });
  compare("read JSON lines 20000 x 17", as_jsonl(data), [](core::ByteSource& source) {
    return data::read_jsonl(source, {.is_missing = is_standard_missing});
  });
  const Dataset documents = corpus(2'000, 130, 10'000, 50);
  const auto compare_counts = [&](const std::string& what, std::string text, auto read) {
    compare("read " + what + " 2000 x 130", std::move(text),
            [read](core::ByteSource& source) { return read(source, data::CountsOptions{}); });
  };
  compare_counts("LDA-C", as_ldac(documents), data::read_ldac);
  compare_counts("svmlight", as_svmlight(documents), data::read_svmlight);
  compare_counts("docword", as_docword(documents), data::read_docword);
  compare_counts("Matrix Market", as_matrix_market(documents), data::read_matrix_market);
}

}  // namespace medley::bench
