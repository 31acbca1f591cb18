// SPDX-License-Identifier: Apache-2.0
#include "core/problems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/text.hpp"
#include "medley/error.hpp"

namespace medley {
namespace {

// The number of problems that the listed ones do not include.
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

namespace medley::core {

namespace {

// A sentence without its quoted words and numbers; equal for similar problems.
std::string pattern_of(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '"') {
      const std::size_t end = text.find('"', at + 1);
      out += '"';
      if (end == text.npos) break;
      at = end;
    } else if (is_digit(text[at])) {
      if (out.empty() || out.back() != '0') out += '0';
      const bool goes_on = at + 2 < text.size() && (text[at + 1] == '.' || text[at + 1] == ',') &&
                           is_digit(text[at + 2]);
      if (goes_on) ++at;
    } else {
      out += text[at];
    }
  }
  return out;
}

// Splits "file:17: column "age"" into file, line and the rest; the line may be empty.
struct Place {
  std::string_view file, line, rest;
};

Place line_place(std::string_view where) {
  for (std::size_t at = where.find(':'); at != where.npos; at = where.find(':', at + 1)) {
    std::size_t end = at + 1;
    while (end < where.size() && is_digit(where[end])) ++end;
    if (end > at + 1 && (end == where.size() || where[end] == ':'))
      return {where.substr(0, at), where.substr(at + 1, end - at - 1), where.substr(end)};
  }
  return {where, {}, {}};
}

std::string next_place(const Problem& problem, const Problem& first) {
  const Place here = line_place(problem.where), there = line_place(first.where);
  if (here.line.empty() || here.file != there.file) return problem.where;
  std::string out = "line " + std::string(here.line);
  if (here.rest == there.rest) return out;
  std::string_view rest = here.rest;
  while (!rest.empty() && (rest.front() == ':' || rest.front() == ' ')) rest.remove_prefix(1);
  return out + ", " + std::string(rest);
}

}  // namespace

void Problems::add(std::string where, std::string what, std::string remedy) {
  ++total_;
  std::string key = pattern_of(what) + '\n' + pattern_of(remedy);
  auto kind = std::find_if(kinds_.begin(), kinds_.end(),
                           [&](const Kind& known) { return known.key == key; });
  if (kind == kinds_.end() && kinds_.size() < InputError::kListed) {
    kinds_.push_back({std::move(key), {}, 0});
    kind = kinds_.end() - 1;
  }
  if (kind != kinds_.end()) {
    if (kind->first.size() <= kOneByOne)
      kind->first.push_back({std::move(where), std::move(what), std::move(remedy)});
    ++kind->count;
  }
  if (total_ >= kGiveUp) throw_if_any();
}

Problem Problems::summary(const Kind& kind) const {
  Problem out = kind.first.front();
  out.count = kind.count;
  out.what += "; the same " + std::to_string(kind.count - 1) + " times more: ";
  for (std::size_t i = 1; i < kind.first.size(); ++i)
    out.what += (i > 1 ? "; " : "") + next_place(kind.first[i], kind.first.front());
  if (kind.count > kind.first.size()) out.what += " ...";
  return out;
}

void Problems::throw_if_any() const {
  if (total_ == 0) return;
  std::vector<Problem> listed;
  for (const Kind& kind : kinds_) {
    if (kind.count > kOneByOne) {
      listed.push_back(summary(kind));
    } else {
      listed.insert(listed.end(), kind.first.begin(), kind.first.end());
    }
  }
  throw InputError(std::move(listed), total_);
}

void MemoryGuard::refuse() const {
  const double megabytes = static_cast<double>(limit_) / 1e6;
  throw InputError(
      {file_,
       fmt::format("does not fit into the {:.6g} MB of memory allowed for reading", megabytes),
       "raise the memory limit, or read a part of the file"});
}

}  // namespace medley::core
