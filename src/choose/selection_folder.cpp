// SPDX-License-Identifier: Apache-2.0
#include "choose/selection_folder.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "choose/verdicts.hpp"
#include "core/files.hpp"
#include "core/json_count.hpp"
#include "core/text.hpp"
#include "medley/error.hpp"
#include "medley/io.hpp"

namespace medley::choose {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kState = "select.json";
constexpr const char* kFormat = "medley selection";
// Of 1000 candidates it has some 2 MB. Parsed, it takes fifty times its size.
constexpr std::size_t kLongestState = std::size_t{16} << 20U;

constexpr std::size_t kLongestRow = 1000;

// The shortest text that reads back as the same number; nothing for what is none.
std::string exactly(double value) {
  if (std::isnan(value)) return "";
  char text[32];
  const auto [end, error] = std::to_chars(text, text + sizeof text, value);
  return error == std::errc() ? std::string(text, end) : "";
}

void write_text(const std::string& path, const std::string& text) {
  core::write_atomically(path, [&](core::FileWriter& writer) { writer.write(text); });
}

[[noreturn]] void damaged(const std::string& path) {
  throw InputError({path, "is damaged", "choose another folder to begin anew"});
}

FitsDone fits_from(const Json& json) {
  FitsDone out;
  out.bound = json.at("penalised_bound").get<std::vector<double>>();
  out.similarity = json.at("similarity").get<std::vector<double>>();
  out.best = core::count_of(json.at("best"));
  out.converged = json.at("converged").get<bool>();
  if (out.bound.empty() || out.best >= out.bound.size() ||
      out.similarity.size() != out.bound.size())
    throw std::out_of_range("fits");
  return out;
}

SplitDone split_from(const Json& json) {
  return {json.at("tried").get<bool>(), json.at("penalised_bound").get<double>(),
          json.at("won").get<bool>(), json.at("converged").get<bool>()};
}

// JSON has no NaN: it is null there.
double number_from(const Json& json) {
  return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}

ChainsDone chains_from(const Json& json) {
  return {number_from(json.at("dic")), number_from(json.at("error")), json.at("mixed").get<bool>()};
}

SelectionClusters clusters_from(const Json& json) {
  SelectionClusters out;
  for (const auto& [k, share] : json.at("share").items())
    out.share[std::stoul(k)] = share.get<double>();
  out.mode = core::count_of(json.at("mode"));
  out.low = core::count_of(json.at("low"));
  out.high = core::count_of(json.at("high"));
  out.mixed = json.at("mixed").get<bool>();
  return out;
}

// The fields of a line between commas.
std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> out;
  for (;;) {
    const std::size_t comma = line.find(',');
    out.push_back(line.substr(0, comma));
    if (comma == std::string_view::npos) return out;
    line.remove_prefix(comma + 1);
  }
}

template <class T>
bool parse(std::string_view text, T& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

namespace {

// Whether nothing but parts of a first select.json is there: a run was killed before it had one.
bool begun_only(const std::string& folder) {
  std::error_code ended;
  for (std::filesystem::directory_iterator entry(folder, ended), end; !ended && entry != end;
       entry.increment(ended)) {
    if (!entry->path().filename().string().starts_with(std::string(kState) + ".tmp-")) return false;
  }
  return !ended;
}

}  // namespace

SelectionFolder::SelectionFolder(std::string path, std::string fingerprint, bool resume)
    : path_(std::move(path)), fingerprint_(std::move(fingerprint)) {
  std::error_code ignored;
  const bool there = std::filesystem::exists(path_, ignored);
  if (there && !std::filesystem::is_directory(path_, ignored))
    throw InputError({path_, "is not a folder", "choose another name"});
  if (there && (begun_only(path_) || (resume && std::filesystem::exists(file(kState), ignored))))
    remove_abandoned_in(path_);
  const bool empty = there && std::filesystem::is_empty(path_, ignored);
  if (there && !empty && !resume)
    throw InputError({path_, "is there already, with files in it",
                      "continue it with `resume`, or choose another folder"});
  if (there && !empty) {
    take_up();
    return;
  }
  std::filesystem::create_directories(path_, ignored);
  if (!std::filesystem::is_directory(path_, ignored))
    throw InputError({path_, "the folder cannot be made", "choose another folder"});
  write();
}

void SelectionFolder::take_up() {
  const std::string state = file(kState);
  std::error_code ignored;
  if (!std::filesystem::exists(state, ignored))
    throw InputError(
        {path_, "holds no selection (there is no select.json in it)", "choose another folder"});
  const Json json = Json::parse(core::read_short_file(state, kLongestState), nullptr, false);
  if (json.is_discarded() || !json.is_object()) damaged(state);
  try {
    if (json.at("format").get<std::string>() != kFormat) damaged(state);
    if (json.at("fingerprint").get<std::string>() != fingerprint_)
      throw InputError({path_, "holds a selection of other data or other options",
                        "resume with the very same command (only `by` and `threads` may differ), "
                        "or choose another folder"});
    for (const auto& [key, one] : json.at("fits").items()) fits_[key] = fits_from(one);
    for (const auto& [key, one] : json.at("splits").items()) splits_[key] = split_from(one);
    for (const auto& [key, one] : json.at("chains").items()) chains_[key] = chains_from(one);
    if (json.contains("clusters")) clusters_ = clusters_from(json.at("clusters"));
    if (json.contains("result") && json.contains("by")) {
      result_ = selection_from_json(json.at("result"));
      if (result_->clusters) result_->clusters = clusters_;
      result_by_ = json.at("by").get<std::set<std::string>>();
    }
  } catch (const InputError&) {
    throw;
  } catch (const std::exception&) {
    damaged(state);
  }
}

void SelectionFolder::put(const std::string& key, FitsDone done) {
  result_.reset();
  fits_[key] = std::move(done);
  write();
}

void SelectionFolder::put(const std::string& key, SplitDone done) {
  result_.reset();
  splits_[key] = done;
  write();
}

void SelectionFolder::put(const std::string& key, ChainsDone done) {
  result_.reset();
  chains_[key] = done;
  write();
}

void SelectionFolder::put(SelectionClusters clusters) {
  result_.reset();
  clusters_ = std::move(clusters);
  write();
}

void SelectionFolder::put(const Selection& selection, const std::set<std::string>& by) {
  write_text(file("criteria.csv"), criteria_csv(selection));
  result_ = selection;
  result_by_ = by;
  write();
}

std::optional<Selection> SelectionFolder::result(const std::set<std::string>& by) const {
  if (!result_ || result_by_ != by) return std::nullopt;
  std::error_code ignored;
  const bool folds = by.contains("cv");
  const bool there = std::ranges::all_of(result_->candidates, [&](const SelectionCandidate& c) {
    const std::string key = std::filesystem::path(c.file).stem().string();
    return std::filesystem::exists(file(key + ".medley"), ignored) &&
           (!folds || std::filesystem::exists(file(key + "_held_out.csv"), ignored));
  });
  return there ? result_ : std::nullopt;
}

void SelectionFolder::write() const {
  Json json = {{"format", kFormat}, {"fingerprint", fingerprint_}};
  json["fits"] = json["splits"] = json["chains"] = Json::object();
  for (const auto& [key, one] : fits_)
    json["fits"][key] = {{"penalised_bound", one.bound},
                         {"similarity", one.similarity},
                         {"best", one.best},
                         {"converged", one.converged}};
  for (const auto& [key, one] : splits_)
    json["splits"][key] = {{"tried", one.tried},
                           {"penalised_bound", one.bound},
                           {"won", one.won},
                           {"converged", one.converged}};
  for (const auto& [key, one] : chains_)
    json["chains"][key] = {{"dic", one.dic}, {"error", one.error}, {"mixed", one.mixed}};
  if (clusters_) json["clusters"] = clusters_json(*clusters_);
  if (result_) {
    json["by"] = result_by_;
    json["result"] = selection_json(*result_);
  }
  write_text(file(kState), json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

std::optional<HeldOutRows> SelectionFolder::held_out(const std::string& key,
                                                     std::size_t rows) const {
  const std::string path = file(key + "_held_out.csv");
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return std::nullopt;
  const auto source = core::ByteSource::open(path);
  core::LineReader lines(*source);
  std::string_view line;
  HeldOutRows out;
  if (!lines.next(line)) damaged(path);
  while (lines.next(line)) {
    if (out.fold.size() == rows || line.size() > kLongestRow) damaged(path);
    const auto cells = cells_of(line);
    std::size_t number = 0, fold = 0;
    double value = 0;
    if (cells.size() != 4 || !parse(cells[0], number) || number != out.fold.size() + 1 ||
        !parse(cells[1], fold) || fold == 0 || !parse(cells[2], value))
      damaged(path);
    out.fold.push_back(fold - 1);
    out.log_likelihood.push_back(value);
    out.estimator = cells[3];
  }
  if (out.fold.size() != rows) damaged(path);
  return out;
}

void SelectionFolder::put(const std::string& key, const HeldOutRows& rows) const {
  std::string text = "row,fold,log_likelihood,estimator\n";
  for (std::size_t i = 0; i < rows.fold.size(); ++i)
    text += std::to_string(i + 1) + ',' + std::to_string(rows.fold[i] + 1) + ',' +
            exactly(rows.log_likelihood[i]) + ',' + rows.estimator + '\n';
  write_text(file(key + "_held_out.csv"), text);
}

std::string criteria_csv(const Selection& selection) {
  std::string out = "k,smoothing,criterion,estimator,value,error,behind,behind_error\n";
  for (const SelectionCandidate& c : selection.candidates) {
    const std::string smoothing = c.smoothing >= 0 ? exactly(c.smoothing) : "";
    for (const SelectionScore& s : c.scores) {
      out += std::to_string(c.components) + ',' + smoothing + ',' + s.criterion + ',' +
             s.estimator + ',' + exactly(s.value) + ',' + exactly(s.error) + ',';
      out += s.behind ? exactly(*s.behind) + ',' + exactly(s.behind_error) : ",";
      out += '\n';
    }
  }
  if (selection.clusters) {
    for (const auto& [k, share] : selection.clusters->share)
      out += std::to_string(k) + ",,dp,posterior," + exactly(share) + ",,,\n";
  }
  return out;
}

}  // namespace medley::choose

namespace medley {

namespace choose {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json score_json(const SelectionScore& s) {
  Json out = {{"criterion", s.criterion}};
  if (!s.basis.empty()) out["basis"] = s.basis;
  out["estimator"] = s.estimator;
  out["value"] = number(s.value);
  out["error"] = number(s.error);
  if (s.behind) {
    out["behind"] = number(*s.behind);
    out["behind_error"] = number(s.behind_error);
  }
  if (!s.usable) out["mixed"] = false;
  return out;
}

Json candidate_json(const SelectionCandidate& c) {
  Json out = {{"k", c.components}};
  if (c.smoothing >= 0) out["smoothing"] = c.smoothing;
  out["model"] = c.file;
  out["inference"] = c.inference;
  out["parameters"] = c.parameters;
  out["penalised_bound"] = number(c.penalised_bound);
  out["restarts"] = c.restarts;
  out["found_again"] = c.again;
  out["similarity"] = number(c.similarity);
  out["split_won"] = c.split_won;
  out["converged"] = c.converged;
  out["smallest_profile"] = number(c.smallest);
  out["scores"] = Json::array();
  for (const SelectionScore& s : c.scores) out["scores"].push_back(score_json(s));
  return out;
}

Json verdict_json(const SelectionVerdict& v, const Selection& selection) {
  const auto place = [&](std::size_t index) {
    const SelectionCandidate& c = selection.candidates[index];
    Json out = {{"k", c.components}};
    if (c.smoothing >= 0) out["smoothing"] = c.smoothing;
    return out;
  };
  Json out = {{"criterion", v.criterion}};
  if (!v.basis.empty()) out["basis"] = v.basis;
  out["best"] = place(v.best);
  if (has_modest(v.criterion)) out["one_standard_error"] = place(v.modest);
  out["rests_on_bound"] = v.bound;
  if (!v.usable) out["mixed"] = false;
  return out;
}

}  // namespace

Json clusters_json(const SelectionClusters& clusters) {
  Json share = Json::object();
  for (const auto& [k, value] : clusters.share) share[std::to_string(k)] = value;
  return {{"share", std::move(share)},
          {"mode", clusters.mode},
          {"low", clusters.low},
          {"high", clusters.high},
          {"mixed", clusters.mixed}};
}

namespace {

// JSON has no NaN: it is null there.
double read_number(const Json& json) {
  return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}

SelectionScore score_from(const Json& json) {
  SelectionScore out;
  out.criterion = json.at("criterion").get<std::string>();
  out.basis = json.value("basis", "");
  out.estimator = json.at("estimator").get<std::string>();
  out.value = read_number(json.at("value"));
  out.error = read_number(json.at("error"));
  if (json.contains("behind")) {
    out.behind = read_number(json.at("behind"));
    out.behind_error = read_number(json.at("behind_error"));
  }
  out.usable = json.value("mixed", true);
  return out;
}

SelectionCandidate candidate_from(const Json& json) {
  SelectionCandidate out;
  out.components = core::count_of(json.at("k"));
  out.smoothing = json.value("smoothing", out.smoothing);
  out.file = json.at("model").get<std::string>();
  out.inference = json.at("inference").get<std::string>();
  out.parameters = json.at("parameters").get<double>();
  out.penalised_bound = read_number(json.at("penalised_bound"));
  out.restarts = core::count_of(json.at("restarts"));
  out.again = core::count_of(json.at("found_again"));
  out.similarity = read_number(json.at("similarity"));
  out.split_won = json.at("split_won").get<bool>();
  out.converged = json.at("converged").get<bool>();
  out.smallest = read_number(json.at("smallest_profile"));
  for (const Json& score : json.at("scores")) out.scores.push_back(score_from(score));
  return out;
}

std::size_t place_from(const Json& json, const Selection& selection) {
  const std::size_t k = core::count_of(json.at("k"));
  const double smoothing = json.value("smoothing", -1.0);
  for (std::size_t c = 0; c < selection.candidates.size(); ++c) {
    if (selection.candidates[c].components == k && selection.candidates[c].smoothing == smoothing)
      return c;
  }
  throw std::out_of_range("a verdict for a K that is not there");
}

SelectionVerdict verdict_from(const Json& json, const Selection& selection) {
  SelectionVerdict out;
  out.criterion = json.at("criterion").get<std::string>();
  out.basis = json.value("basis", "");
  out.best = out.modest = place_from(json.at("best"), selection);
  if (json.contains("one_standard_error"))
    out.modest = place_from(json.at("one_standard_error"), selection);
  out.bound = json.at("rests_on_bound").get<bool>();
  out.usable = json.value("mixed", true);
  return out;
}

}  // namespace

Selection selection_from_json(const Json& json) {
  Selection out;
  out.rows = json.at("rows").get<double>();
  out.folds = core::count_of(json.at("folds"));
  for (const Json& one : json.at("candidates")) out.candidates.push_back(candidate_from(one));
  for (const Json& one : json.at("verdicts")) out.verdicts.push_back(verdict_from(one, out));
  if (json.contains("patterns")) {
    const Json& patterns = json.at("patterns");
    out.patterns = {core::count_of(patterns.at("count")), patterns.at("least_count").get<double>(),
                    patterns.at("observed").get<double>()};
  }
  if (json.contains("clusters")) out.clusters.emplace();
  json.at("warnings").get_to(out.warnings);
  out.advice = json.at("advice").get<std::string>();
  return out;
}

Json selection_json(const Selection& selection) {
  Json out = {{"rows", selection.rows}, {"folds", selection.folds}};
  out["candidates"] = out["verdicts"] = Json::array();
  for (const SelectionCandidate& c : selection.candidates)
    out["candidates"].push_back(candidate_json(c));
  for (const SelectionVerdict& v : selection.verdicts)
    out["verdicts"].push_back(verdict_json(v, selection));
  if (selection.patterns.count > 0)
    out["patterns"] = {{"count", selection.patterns.count},
                       {"least_count", selection.patterns.least_count},
                       {"observed", selection.patterns.observed}};
  if (selection.clusters) out["clusters"] = clusters_json(*selection.clusters);
  out["warnings"] = selection.warnings;
  out["advice"] = selection.advice;
  return out;
}

}  // namespace choose

std::string to_json(const Selection& selection) {
  return choose::selection_json(selection).dump(2, ' ', false,
                                                nlohmann::ordered_json::error_handler_t::replace) +
         "\n";
}

}  // namespace medley
