// SPDX-License-Identifier: Apache-2.0
#include "model/model_file.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <variant>

#include "core/json_count.hpp"
#include "data/encode.hpp"
#include "families/registry.hpp"
#include "medley/error.hpp"
#include "medley/options.hpp"
#include "memberships/registry.hpp"
#include "model/draws_file.hpp"
#include "model/family_catalogue.hpp"
#include "model/option_table.hpp"
#include "model/parameters.hpp"
#include "model/resolve.hpp"

namespace medley {
namespace model {
namespace {

constexpr const char* kFormatVersion = "2";
// A file with more components than this counts as damaged.
constexpr std::size_t kMostComponents = 1'000'000;

[[noreturn]] void refuse_model(const core::TensorFile& file, const std::string& what) {
  throw InputError({file.origin, what, "the file is damaged, or not a model of this program"});
}

void check_finite(const core::TensorFile& file, const std::vector<double>& values,
                  const std::string& what) {
  if (!std::ranges::all_of(values, [](double v) { return std::isfinite(v); }))
    refuse_model(file, what + " holds a value that is not a number");
}

// Counts and shares.
void check_not_negative(const core::TensorFile& file, const std::vector<double>& values,
                        const std::string& what) {
  check_finite(file, values, what);
  if (!std::ranges::all_of(values, [](double v) { return v >= 0; }))
    refuse_model(file, what + " holds a value below 0");
}

nlohmann::json to_json(const Value& value) {
  return std::visit(
      [](const auto& v) -> nlohmann::json {
        if constexpr (std::is_same_v<std::decay_t<decltype(v)>, std::monostate>) {
          return {};
        } else {
          return v;
        }
      },
      value);
}

// A value of the kind of `like`.
Value value_from(const nlohmann::json& j, const Value& like) {
  return std::visit(
      [&j](const auto& v) -> Value {
        using Kind = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<Kind, std::monostate>) {
          return {};
        } else if constexpr (std::is_same_v<Kind, std::uint64_t>) {
          return std::uint64_t{core::count_of(j)};
        } else if constexpr (std::is_same_v<Kind, std::vector<std::size_t>>) {
          return core::counts_of(j);
        } else {
          return j.get<Kind>();
        }
      },
      like);
}

// Splits "label.weight" into "label" and "weight"; a key outside an object gives "" and the key.
std::pair<std::string, std::string> object_and_name(const std::string& key) {
  const std::size_t dot = key.find('.');
  if (dot == std::string::npos) return {"", key};
  return {key.substr(0, dot), key.substr(dot + 1)};
}

nlohmann::json to_json(const FitOptions& o) {
  nlohmann::json out = nlohmann::json::object();
  for (const FitOption& option : fit_option_table()) {
    for (const Place& place : option.places) {
      if (!is_written(place, o)) continue;
      const auto [object, name] = object_and_name(place.key);
      const Value value = place.get(o);
      const bool none = std::holds_alternative<std::monostate>(value);
      (object.empty() ? out : out[object])[name] = to_json(none ? place.unset : value);
    }
  }
  return out;
}

// Objects may be missing; what belongs in an object that is there, and what all versions have
// written, may not.
FitOptions options_from(const nlohmann::json& j) {
  FitOptions o;
  for (const FitOption& option : fit_option_table()) {
    for (const Place& place : option.places) {
      const auto [object, name] = object_and_name(place.key);
      if (place.written == Written::never || (!object.empty() && !j.contains(object))) continue;
      const nlohmann::json& from = object.empty() ? j : j.at(object);
      const bool required = place.written == Written::always || !object.empty();
      if (!required && !from.contains(name)) continue;
      const Value kind = place.get(o);
      const bool none = std::holds_alternative<std::monostate>(kind);
      const Value value = value_from(from.at(name), none ? place.unset : kind);
      place.set(o, value == place.unset ? Value{} : value);
    }
  }
  if (!o.estimate) o.estimate = Estimate::map;
  return o;
}

nlohmann::json to_json(const FitSummary& s) {
  std::vector<int> endings;
  nlohmann::json tried = nlohmann::json::array();
  for (const RestartTrace& restart : s.restarts) {
    endings.push_back(static_cast<int>(restart.termination));
    nlohmann::json& of_restart = tried.emplace_back(nlohmann::json::array());
    for (const TriedStart& start : restart.tried)
      of_restart.push_back({start.name, start.iterations, start.bound});
  }
  nlohmann::json out = {{"termination", static_cast<int>(s.termination)},
                        {"iterations", s.iterations},
                        {"best_restart", s.best_restart},
                        {"endings", endings},
                        {"penalised_bound", s.penalised_bound},
                        {"bound", s.bound},
                        {"exact", s.exact},
                        {"rows", s.rows},
                        {"empty_rows", s.empty_rows},
                        {"observations", s.observations},
                        {"warnings", s.warnings},
                        {"why_inference", s.why_inference},
                        {"steps", s.steps}};
  if (s.training_bound) out["training_bound"] = *s.training_bound;
  if (std::ranges::any_of(s.restarts, [](const RestartTrace& r) { return !r.tried.empty(); }))
    out["tried"] = tried;
  if (s.scored_rows > 0) {
    out["scored_rows"] = s.scored_rows;
    out["bound_error"] = s.bound_error;
    out["bound_note"] = "bound: scaled from a sample of " + std::to_string(s.scored_rows) + " rows";
  }
  if (s.leave_one_out) {
    out["leave_one_out"] = true;
    out["penalised_bound_note"] =
        "penalised_bound and traces: leave-one-out log-likelihood, not a bound";
  }
  if (!s.smoothing.empty()) out["smoothing"] = s.smoothing;
  if (s.weights.used()) {
    out["weights"] = {{"column", s.weights.column},
                      {"counts", s.weights.counts},
                      {"stands_for", s.weights.stands_for},
                      {"cells", s.weights.cells}};
  }
  if (s.earlier.updates > 0) {
    out["earlier"] = {{"updates", s.earlier.updates},
                      {"rows", s.earlier.rows},
                      {"observations", s.earlier.observations}};
  }
  if (s.log_likelihood) {
    out["log_likelihood"] = *s.log_likelihood;
    out["log_likelihood_error"] = s.log_likelihood_error;
  }
  return out;
}

Termination termination_from(std::size_t code) {
  return static_cast<Termination>(std::min<std::size_t>(code, 4));
}

FitSummary summary_from(const nlohmann::json& j, const core::TensorFile& file) {
  FitSummary s;
  s.termination = termination_from(core::count_of(j.at("termination")));
  s.iterations = core::count_of(j.at("iterations"));
  s.best_restart = core::count_of(j.at("best_restart"));
  j.at("penalised_bound").get_to(s.penalised_bound);
  const nlohmann::json& bound = j.at("bound");  // null: no row was scored
  s.bound = bound.is_null() ? std::numeric_limits<double>::quiet_NaN() : bound.get<double>();
  j.at("exact").get_to(s.exact);
  s.rows = core::count_of(j.at("rows"));
  s.empty_rows = core::count_of(j.at("empty_rows"));
  j.at("observations").get_to(s.observations);
  j.at("warnings").get_to(s.warnings);
  // Files of earlier versions do not have it.
  s.why_inference = j.value("why_inference", "");
  if (j.contains("log_likelihood")) s.log_likelihood = j.at("log_likelihood").get<double>();
  s.log_likelihood_error = j.value("log_likelihood_error", 0.0);
  if (j.contains("steps")) s.steps = core::count_of(j.at("steps"));
  s.leave_one_out = j.value("leave_one_out", false);
  if (j.contains("smoothing")) j.at("smoothing").get_to(s.smoothing);
  if (j.contains("scored_rows")) s.scored_rows = core::count_of(j.at("scored_rows"));
  s.bound_error = j.value("bound_error", 0.0);
  if (j.contains("weights")) {
    const nlohmann::json& weights = j.at("weights");
    weights.at("column").get_to(s.weights.column);
    weights.at("counts").get_to(s.weights.counts);
    weights.at("stands_for").get_to(s.weights.stands_for);
    weights.at("cells").get_to(s.weights.cells);
  }
  if (j.contains("earlier")) {
    const nlohmann::json& earlier = j.at("earlier");
    s.earlier.updates = core::count_of(earlier.at("updates"));
    earlier.at("rows").get_to(s.earlier.rows);
    earlier.at("observations").get_to(s.earlier.observations);
  }
  for (const std::size_t ending : core::counts_of(j.at("endings"))) {
    const std::string name = "trace." + std::to_string(s.restarts.size());
    check_finite(file, file.doubles(name), name);
    s.restarts.push_back({file.doubles(name), termination_from(ending)});
  }
  if (j.contains("training_bound")) s.training_bound = j.at("training_bound").get<double>();
  if (j.contains("tried")) {
    const auto& tried = j.at("tried");
    for (std::size_t r = 0; r < std::min(tried.size(), s.restarts.size()); ++r) {
      for (const auto& start : tried.at(r))
        s.restarts[r].tried.push_back({start.at(0).get<std::string>(), core::count_of(start.at(1)),
                                       start.at(2).get<double>()});
    }
  }
  return s;
}

std::unique_ptr<families::Family> load_family(const core::TensorFile& file, const Block& shape,
                                              const std::string& name, std::size_t components) {
  // Checked before the family allocates its tables: the file must really hold that many numbers.
  const auto& table = file.doubles(name);
  check_finite(file, table, name);
  if (table.size() / components < shape.features.size())
    refuse_model(file, name + " is too small for its columns");
  auto family = families::find(shape.family)->make(shape, components);
  const std::size_t expected = family->parameters().size() / family->padded() * components;
  const std::vector<double> values =
      family->floors() != nullptr ? family->floors()->completed(table, components) : table;
  family->set_parameters(
      padded(values.size() == expected ? values : file.doubles(name, expected), components));
  if (const std::string flaw = family->entry().invalid_reason(*family); !flaw.empty())
    refuse_model(file, name + ": " + flaw);
  return family;
}

// The strengths of the posteriors of the tables; empty for points.
std::vector<double> load_strengths(const core::TensorFile& file, const std::string& name,
                                   const families::Family& family) {
  constexpr double kLeast = 1e-30, kMost = 1e30;
  if (!file.tensors.contains(name)) return {};
  const auto& strengths =
      file.doubles(name, family.strengths_size() / family.padded() * family.components());
  if (!std::ranges::all_of(strengths, [](double v) { return v >= kLeast && v <= kMost; }))
    refuse_model(file, name + " holds a value that is not above 0, or too large");
  return padded(strengths, family.components());
}

void put_table(core::TensorFile& file, const std::string& name, const families::Family& family,
               std::span<const double> values) {
  std::vector<double> table = unpadded(values, family.components());
  const std::uint64_t rows = table.size() / family.components();
  file.put(name, std::move(table), {rows, family.components()});
}

ModelBlock load_block(const core::TensorFile& file, Block shape, std::size_t at,
                      std::size_t components) {
  const std::string name = "block." + std::to_string(at) + ".";
  ModelBlock block;
  block.total = file.doubles(name + "total", shape.slots());
  check_not_negative(file, block.total, name + "total");
  block.family = load_family(file, shape, name + "table", components);
  block.strengths = load_strengths(file, name + "strengths", *block.family);
  block.marginal = load_family(file, shape, name + "marginal", 1);
  block.shape = std::move(shape);
  return block;
}

std::unique_ptr<memberships::Membership> load_membership(const core::TensorFile& file,
                                                         const FitOptions& options,
                                                         std::size_t components) {
  const auto* entry = memberships::find(options.membership);
  if (entry == nullptr) refuse_model(file, "unknown membership \"" + options.membership + "\"");
  // Checked before anything is allocated: the file must really hold that many numbers.
  const auto& prior = file.doubles("prior");
  if (options.rates.dimension > prior.size() / components)
    refuse_model(file, "its locations are too short");
  auto membership = entry->make(components, options.rates);
  membership->set_parameters(file.doubles("prior", membership->parameters().size()));
  if (const std::string flaw = membership->invalid_reason(); !flaw.empty())
    refuse_model(file, flaw);
  std::vector<double> share(components), state(membership->state_size());
  membership->start(0, state);
  membership->shares(state, share);
  if (!(std::abs(std::accumulate(share.begin(), share.end(), 0.0) - 1.0) <= 1e-6))  // nor NaN
    refuse_model(file, std::string(entry->parameter) + " does not sum to 1");
  return membership;
}

// Null if the model has no label.
std::unique_ptr<heads::Softmax> load_head(const core::TensorFile& file, const Parts& parts) {
  const LabelOptions& label = parts.options.label;
  if (label.head != LabelHead::softmax) return nullptr;
  const ColumnSpec* column = parts.schema.label();
  if (column == nullptr || column->levels.size() < 2)
    refuse_model(file, "its label has no classes");
  const auto& eta = file.doubles("eta", column->levels.size() * parts.components());
  check_finite(file, eta, "eta");
  const double weight = label.weight.value_or(0);
  if (!(weight > 0) || !(label.smoothing >= 0) || !std::isfinite(weight) ||
      !std::isfinite(label.smoothing))
    refuse_model(file, "the options of its label make no sense");
  auto head = std::make_unique<heads::Softmax>(
      parts.components(), column->levels.size(),
      label.bound == LabelBound::paper ? heads::Bound::paper : heads::Bound::lse, weight,
      label.smoothing);
  head->set_eta(eta);
  return head;
}

void check_smoothing(const core::TensorFile& file, const Parts& parts) {
  const std::vector<double>& fitted = parts.summary.smoothing;
  check_not_negative(file, fitted, "smoothing");
  if (!fitted.empty() && fitted.size() != parts.blocks.size())
    refuse_model(file, "there must be one smoothing per block");
}

// Reading no sources with the schema gives the shapes of the blocks.
std::vector<Block> load_shapes(const core::TensorFile& file, const Schema& schema) try {
  return data::encode({}, schema, {}, family_catalogue()).blocks;
} catch (const InputError& e) {
  refuse_model(file, e.problems().front().text());
}

}  // namespace

core::TensorFile to_tensors(const Parts& parts) {
  core::TensorFile file;
  file.metadata["format"] = "medley model";
  file.metadata["format_version"] = kFormatVersion;
  file.metadata["library_version"] = version();
  file.metadata["schema"] = schema_to_json(parts.schema);
  file.metadata["options"] = to_json(parts.options).dump();
  file.metadata["summary"] = to_json(parts.summary).dump();
  const auto prior = parts.membership->parameters();
  file.put("prior", std::vector<double>(prior.begin(), prior.end()));
  file.put("sizes", parts.sizes);
  if (parts.head) {
    const auto eta = parts.head->eta();
    file.put("eta", std::vector<double>(eta.begin(), eta.end()),
             {parts.head->classes(), parts.head->components()});
  }
  file.put_strings("names", parts.names);
  for (std::size_t r = 0; r < parts.summary.restarts.size(); ++r) {
    file.put("trace." + std::to_string(r), parts.summary.restarts[r].bound);
  }
  for (std::size_t b = 0; b < parts.blocks.size(); ++b) {
    const ModelBlock& block = parts.blocks[b];
    const std::string name = "block." + std::to_string(b) + ".";
    put_table(file, name + "table", *block.family, block.family->parameters());
    if (!block.strengths.empty())
      put_table(file, name + "strengths", *block.family, block.strengths);
    put_table(file, name + "marginal", *block.marginal, block.marginal->parameters());
    file.put(name + "total", block.total);
  }
  if (parts.draws) put_draws(file, *parts.draws);
  return file;
}

std::shared_ptr<Parts> from_tensors(const core::TensorFile& file) try {
  if (file.meta("format") != "medley model")
    refuse_model(file, "is not a model (" + file.meta("format") + ")");
  if (file.meta("format_version") != kFormatVersion) {
    throw InputError(
        {file.origin,
         "has model format " + file.meta("format_version") + ", this program reads " +
             kFormatVersion,
         "use the version of medley that wrote it (" + file.meta("library_version") + ")"});
  }
  auto parts = std::make_shared<Parts>();
  parts->schema = schema_from_json(file.meta("schema"), file.origin);
  parts->options = options_from(nlohmann::json::parse(file.meta("options")));
  parts->summary = summary_from(nlohmann::json::parse(file.meta("summary")), file);
  parts->sizes = file.doubles("sizes");
  check_not_negative(file, parts->sizes, "sizes");
  const std::size_t components = parts->components();
  if (components == 0 || components > kMostComponents || components != parts->options.components) {
    refuse_model(file, "the number of components makes no sense");
  }
  parts->names = file.strings("names");
  if (parts->names.size() != components) refuse_model(file, "there must be one name per component");
  parts->membership = load_membership(file, parts->options, components);
  if (find_inference(parts->options.inference, parts->membership->entry()) == nullptr)
    refuse_model(file, "unknown inference");
  parts->head = load_head(file, *parts);
  for (Block& shape : load_shapes(file, parts->schema)) {
    parts->blocks.push_back(load_block(file, std::move(shape), parts->blocks.size(), components));
  }
  if (parts->blocks.empty()) refuse_model(file, "holds no block");
  check_smoothing(file, *parts);
  parts->draws = load_draws(file, *parts);
  return parts;
} catch (const nlohmann::json::exception& e) {
  refuse_model(file, std::string("its description cannot be read: ") + e.what());
} catch (const std::out_of_range&) {
  refuse_model(file, "its description holds a number that is no count where there must be one");
}

}  // namespace model

Model Model::load(const std::string& path) {
  return Model(model::from_tensors(core::load_tensors(path)));
}

void Model::save(const std::string& path) const {
  core::save_tensors(model::to_tensors(*parts_), path);
}

std::string Model::to_bytes() const {
  return core::serialise_tensors(model::to_tensors(*parts_));
}

Model Model::from_bytes(std::string_view bytes) {
  return Model(model::from_tensors(core::parse_tensors(bytes, "the bytes of a model")));
}

// nlohmann::json finds these through argument-dependent lookup; a value that is not listed reads as
// the first.
NLOHMANN_JSON_SERIALIZE_ENUM(Role, {{Role::feature, "feature"},
                                    {Role::label, "label"},
                                    {Role::id, "id"},
                                    {Role::weight, "weight"},
                                    {Role::ignored, "ignored"}})
NLOHMANN_JSON_SERIALIZE_ENUM(Encoding, {{Encoding::levels, "levels"},
                                        {Encoding::tokens, "tokens"},  // not a family
                                        {Encoding::real, "real"}})
NLOHMANN_JSON_SERIALIZE_ENUM(SourceKind, {{SourceKind::table, "table"},
                                          {SourceKind::tokens, "tokens"},  // not a family
                                          {SourceKind::triplets, "triplets"},
                                          {SourceKind::column, "column"}})
NLOHMANN_JSON_SERIALIZE_ENUM(CellText, {{CellText::value, "value"},
                                        {CellText::text, "text"},
                                        {CellText::tags, "tags"},
                                        {CellText::set, "set"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TextRules, fold_case, stem)

// Properties that few columns have are written only for these columns.
void to_json(nlohmann::json& json, const ColumnSpec& column) {
  json = {{"name", column.name},         {"role", column.role},     {"family", column.family},
          {"encoding", column.encoding}, {"levels", column.levels}, {"labels", column.labels},
          {"missing", column.missing},   {"shift", column.shift},   {"cells", column.cells},
          {"split", column.split},       {"text", column.text},     {"note", column.note}};
  if (!column.title.empty()) json["title"] = column.title;
  if (!column.set_aside.empty()) json["set_aside"] = column.set_aside;
  if (!column.date_part.empty()) json["date_part"] = column.date_part;
  if (!column.tied.empty()) json["tied"] = column.tied;
}

void from_json(const nlohmann::json& json, ColumnSpec& column) {
  json.at("name").get_to(column.name);
  json.at("role").get_to(column.role);
  json.at("family").get_to(column.family);
  json.at("encoding").get_to(column.encoding);
  json.at("levels").get_to(column.levels);
  json.at("labels").get_to(column.labels);
  json.at("missing").get_to(column.missing);
  json.at("shift").get_to(column.shift);
  json.at("cells").get_to(column.cells);
  json.at("split").get_to(column.split);
  json.at("text").get_to(column.text);
  json.at("note").get_to(column.note);
  column.title = json.value("title", "");  // not in files of earlier versions
  if (json.contains("set_aside")) json.at("set_aside").get_to(column.set_aside);
  if (json.contains("date_part")) json.at("date_part").get_to(column.date_part);
  if (json.contains("tied")) json.at("tied").get_to(column.tied);
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SourceSpec, name, kind, columns, items)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Schema, sources, na, missing_as_category, frequency_weights,
                                   standardise, block_weight, treatments)

namespace model {
namespace {

// Written only for unusual marks of numbers: "," or ",." (decimal, thousands).
void put_marks(nlohmann::json& to, const NumberMarks& marks) {
  if (marks == NumberMarks{}) return;
  std::string text(1, marks.decimal);
  if (marks.thousands != '\0') text += marks.thousands;
  to["marks"] = text;
}

NumberMarks marks_in(const nlohmann::json& from) {
  const std::string text = from.value("marks", ".");
  if (text == ".,") return kPointOnly;
  if (text == ",.") return kCommaOnly;
  return {text == "," ? ',' : '.', '\0'};
}

}  // namespace

std::string schema_to_json(const Schema& schema) {
  nlohmann::json json(schema);
  for (std::size_t s = 0; s < schema.sources.size(); ++s) {
    const SourceSpec& source = schema.sources[s];
    put_marks(json["sources"][s], source.marks);
    if (!source.item_levels.empty()) json["sources"][s]["item_levels"] = source.item_levels;
    for (std::size_t c = 0; c < source.columns.size(); ++c)
      put_marks(json["sources"][s]["columns"][c], source.columns[c].marks);
  }
  return json.dump();
}

Schema schema_from_json(const std::string& text, const std::string& origin) {
  try {
    const nlohmann::json json = nlohmann::json::parse(text);
    Schema schema = json.get<Schema>();
    for (std::size_t s = 0; s < schema.sources.size(); ++s) {
      SourceSpec& source = schema.sources[s];
      const nlohmann::json& from = json["sources"][s];
      source.marks = marks_in(from);
      if (from.contains("item_levels")) from.at("item_levels").get_to(source.item_levels);
      if (!source.item_levels.empty() && source.item_levels.size() != source.items.size())
        throw InputError({origin, "the schema in this file has levels of other items than it has",
                          "is it a model file of this program?"});
      for (std::size_t c = 0; c < source.columns.size(); ++c)
        source.columns[c].marks = marks_in(json["sources"][s]["columns"][c]);
    }
    return schema;
  } catch (const nlohmann::json::exception& e) {
    throw InputError({origin, std::string("the schema in this file cannot be read: ") + e.what(),
                      "is it a model file of this program?"});
  }
}

}  // namespace model
}  // namespace medley
