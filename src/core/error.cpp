// SPDX-License-Identifier: Apache-2.0
#include "medley/error.hpp"

#include <algorithm>
#include <utility>

namespace medley {
namespace {

// How many of the problems the listed ones do not stand for.
std::size_t beyond(const std::vector<Problem>& problems, std::size_t total) {
  std::size_t told = 0;
  for (std::size_t i = 0; i < std::min(problems.size(), InputError::kListed); ++i)
    told += problems[i].count;
  return total > told ? total - told : 0;
}

std::string joined(const std::vector<Problem>& problems, std::size_t total) {
  std::string text;
  const std::size_t listed = std::min(problems.size(), InputError::kListed);
  for (std::size_t i = 0; i < listed; ++i) {
    if (i > 0) text += '\n';
    text += problems[i].text();
  }
  const std::size_t more = beyond(problems, total);
  if (more > 0) text += "\n... and " + std::to_string(more) + " more like these";
  return text;
}

}  // namespace

std::string Problem::text() const {
  std::string out = where.empty() ? what : where + ": " + what;
  if (!remedy.empty()) out += " (" + remedy + ")";
  return out;
}

InputError::InputError(Problem problem) : InputError(std::vector<Problem>{std::move(problem)}) {}

InputError::InputError(std::vector<Problem> problems, std::size_t total)
    : std::runtime_error(joined(problems, std::max(total, problems.size()))),
      problems_(std::move(problems)),
      total_(std::max(total, problems_.size())) {
  if (problems_.size() > kListed) problems_.resize(kListed);
}

std::size_t InputError::unlisted() const {
  return beyond(problems_, total_);
}

}  // namespace medley
