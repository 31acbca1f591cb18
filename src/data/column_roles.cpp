// SPDX-License-Identifier: Apache-2.0
#include "data/column_roles.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "core/text.hpp"
#include "data/message_text.hpp"
#include "data/number.hpp"
#include "data/schema_words.hpp"

namespace medley::data {

FamilyRequest family_request(const std::string& text) {
  FamilyRequest request;
  const std::size_t colon = text.find(':');
  request.family = text.substr(0, colon);
  if (colon == std::string::npos) return request;
  const std::string_view setting = std::string_view(text).substr(colon + 1);
  const std::size_t equals = setting.find('=');
  if (setting.substr(0, equals) != "shift" || equals == std::string_view::npos) {
    request.problem = "what follows the family must be shift=NUMBER, not " + core::quoted(setting);
    return request;
  }
  const std::string_view value = setting.substr(equals + 1);
  const std::optional<double> number = number_in(value);
  if (!number) request.problem = "the shift must be a number, not " + core::quoted(value);
  request.shift = number.value_or(0);
  return request;
}

namespace {

class Asking {
 public:
  Asking(const std::vector<ColumnRef>& columns, const std::vector<RawSource>& sources,
         core::Problems& problems)
      : columns_(columns), sources_(sources), problems_(problems), asked_(columns.size()) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (columns[i].text != nullptr)
        asked_[i].role = columns[i].text->role.value_or(Role::feature);
    }
  }

  // The indices of the columns an option means; none and a problem if there is no such column.
  std::vector<std::size_t> find(const std::string& option, const std::string& name) {
    std::vector<std::size_t> found;
    for (const ColumnRef* column : columns_named(columns_, sources_, name)) {
      found.push_back(static_cast<std::size_t>(column - columns_.data()));
    }
    if (found.empty()) {
      const Problem p = unknown_column(option, name, columns_);
      problems_.add(p.where, p.what, p.remedy);
    }
    return found;
  }

  void set_role(const std::string& option, const std::string& name, Role role) {
    for (const std::size_t i : find(option, name)) {
      if (asked_[i].by_option && asked_[i].role != role) {
        problems_.add(option, "column " + core::quoted(name) + " is asked to be both " +
                                  std::string(word_of(kRoles, asked_[i].role)) + " and " +
                                  std::string(word_of(kRoles, role)));
      }
      if (columns_[i].text == nullptr && role != Role::ignored) {
        problems_.add(option, core::quoted(name) + " is the " +
                                  (kind_of(sources_[columns_[i].source]) == SourceKind::tokens
                                       ? "words of a document"
                                       : "value of a triplet") +
                                  ", not a column with one value per row");
        continue;
      }
      if (is_tied(i) && role != Role::ignored) {
        problems_.add(option,
                      "column " + core::quoted(name) + " is tied of several columns, and " +
                          std::string(word_of(kRoles, role)) + " has one value in a row",
                      "leave it out of `tie`");
        continue;
      }
      asked_[i].role = role;
      asked_[i].by_option = true;
    }
  }

  // Label and weight are one column; an id may be in every source.
  void set_single(const std::string& option, const std::string& name, Role role) {
    if (name.empty()) return;
    const auto found = columns_named(columns_, sources_, name);
    if (found.size() > 1) {
      problems_.add(
          option, std::to_string(found.size()) + " sources have a column " + core::quoted(name),
          "say which: " + sources_[found.front()->source].name + '.' + found.front()->name);
    } else {
      set_role(option, name, role);
    }
  }

  // Rows are named by one column of a source: the one that is asked for.
  void drop_other_ids() {
    for (Asked& asked : asked_) {
      if (asked.role == Role::id && !asked.by_option) asked.role = Role::ignored;
    }
  }

  void set_keep(const std::string& name) {
    for (const std::size_t i : find("`keep`", name)) {
      if (columns_[i].text == nullptr || is_tied(i)) {
        problems_.add("`keep`", core::quoted(name) + " has no single value per row to set aside");
      }
      asked_[i].keep = true;
      if (!asked_[i].by_option) asked_[i].role = Role::ignored;
    }
  }

  void set_family(const std::string& name, const std::string& text) {
    const FamilyRequest request = family_request(text);
    if (!request.problem.empty()) {
      problems_.add(
          core::setting("column", name + '=' + text), request.problem,
          "for example " + core::setting("column", name + '=' + request.family + ":shift=1"));
    }
    for (const std::size_t i : find("`column`", name)) {
      const bool given = asked_[i].by_option || asked_[i].keep;
      if (!given) asked_[i].role = Role::feature;  // whatever the reader took it for
      if (asked_[i].role != Role::feature) {
        problems_.add("`column`", "column " + core::quoted(name) + " is the " +
                                      std::string(word_of(kRoles, asked_[i].role)) +
                                      " column, and only a feature has a family");
      }
      asked_[i].family = request.family;
      asked_[i].shift = request.shift;
    }
  }

  std::vector<Asked> take() { return std::move(asked_); }

 private:
  [[nodiscard]] bool is_tied(std::size_t i) const {
    return columns_[i].text != nullptr && !columns_[i].text->tied.empty();
  }

  const std::vector<ColumnRef>& columns_;
  const std::vector<RawSource>& sources_;
  core::Problems& problems_;
  std::vector<Asked> asked_;
};

}  // namespace

std::vector<Asked> asked_of(const std::vector<ColumnRef>& columns,
                            const std::vector<RawSource>& sources, const ReadOptions& options,
                            core::Problems& problems) {
  Asking asking(columns, sources, problems);
  // The row of a triplet is its id whatever its heading, so `--id user` says nothing new there.
  const bool only_triplets = std::all_of(sources.begin(), sources.end(), [](const RawSource& s) {
    return kind_of(s) == SourceKind::triplets;
  });
  if (!options.id.empty() && !only_triplets) {
    asking.set_role("`id`", options.id, Role::id);
    asking.drop_other_ids();
  }
  asking.set_single("`label`", options.label, Role::label);
  asking.set_single("`weight`", options.weight, Role::weight);
  for (const std::string& name : options.ignore) asking.set_role("`ignore`", name, Role::ignored);
  for (const std::string& name : options.keep) asking.set_keep(name);
  for (const auto& [name, family] : options.family) asking.set_family(name, family);
  return asking.take();
}

}  // namespace medley::data
