// SPDX-License-Identifier: Apache-2.0
// Rows on the page: aggregates of all rows, an evenly spread sample, and single rows in detail.
#include "report/page_rows.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>

#include "core/task.hpp"
#include "data/select_rows.hpp"
#include "data/slot_index.hpp"
#include "medley/error.hpp"
#include "medley/report.hpp"
#include "medley/uncertainty.hpp"
#include "model/model_on_data.hpp"
#include "report/page_parts.hpp"
#include "report/row_map.hpp"
#include "report/traits.hpp"

namespace medley::report {

// Aggregates of all rows, and the rows themselves. Above the limit the rows are a sample, evenly
// spread over the rows ordered by largest profile and its share (a stratified sample), plus the
// rows that lists refer to: the most typical of each profile, the most mixed, the worst fitted.

namespace {

constexpr std::size_t kTypical = 5;   // of every profile
constexpr std::size_t kExtreme = 10;  // most mixed, worst fitted
constexpr std::size_t kBins = 20;     // of the share of the largest profile
constexpr std::size_t kDetailed = 2000;

using Places = std::vector<std::size_t>;

class RowsPart {
 public:
  RowsPart(const Model& model, const ScoredData& scored, const ReportOptions& options)
      : model_(model),
        data_(scored.data),
        shares_(scored.shares),
        scores_(scored.scores.row),
        options_(options),
        components_(model.components()) {}

  PageJson json(Pack& pack) {
    PageJson out = {{"all", data_.rows}, {"shown", false}};
    add_aggregates(out);
    if (!options_.rows || data_.rows == 0) return out;
    out["shown"] = true;
    choose();
    add_rows(out, pack);
    add_lists(out);
    add_columns(out, pack);
    add_map(out, pack);
    add_details(out, pack);
    return out;
  }

 private:
  [[nodiscard]] bool tells(std::size_t row) const { return scores_[row].observations > 0; }
  [[nodiscard]] double fit_of(std::size_t row) const {
    const RowScore& score = scores_[row];
    return tells(row) ? (score.log_likelihood - score.baseline) / score.observations : 0;
  }

  /// The first `most` rows with something observed, ordered by `before`.
  template <class Before>
  [[nodiscard]] Places first_by(std::size_t most, Before&& before) const {
    Places rows;
    for (std::size_t row = 0; row < data_.rows; ++row) {
      core::stop_if_asked();
      if (tells(row)) rows.push_back(row);
    }
    const auto end = rows.begin() + static_cast<std::ptrdiff_t>(std::min(most, rows.size()));
    std::partial_sort(rows.begin(), end, rows.end(), before);
    rows.erase(end, rows.end());
    return rows;
  }

  void add_aggregates(PageJson& out) const {
    std::vector<double> mean(components_), top(components_), purity(kBins);
    double weights = 0, entropy = 0;
    std::size_t empty = 0;
    for (std::size_t row = 0; row < data_.rows; ++row) {
      core::stop_if_asked();
      const double weight = data_.weight_of(row);
      if (!tells(row)) {
        ++empty;
        continue;
      }
      weights += weight;
      entropy += weight * scores_[row].entropy;
      for (std::size_t k = 0; k < components_; ++k) mean[k] += weight * shares_.row(row)[k];
      top[scores_[row].top] += 1;
      purity[std::min(kBins - 1,
                      nearest_integer_of<std::size_t>(scores_[row].top_share * kBins))] += 1;
    }
    for (double& value : mean) value /= weights > 0 ? weights : 1;
    out["empty"] = empty;
    out["mean_share"] = finite(mean);
    out["top_of_rows"] = finite(top);
    out["purity"] = finite(purity);
    out["profiles_per_row"] = finite(weights > 0 ? std::exp(entropy / weights) : 1);
    out["note"] = shares_.note;
  }

  void choose() {
    for (std::size_t k = 0; k < components_; ++k)
      typical_.push_back(first_by(kTypical, [&](std::size_t a, std::size_t b) {
        const double x = shares_.row(a)[k], y = shares_.row(b)[k];
        return x != y ? x > y : a < b;
      }));
    mixed_ = first_by(kExtreme, [&](std::size_t a, std::size_t b) {
      const double x = scores_[a].entropy, y = scores_[b].entropy;
      return x != y ? x > y : a < b;
    });
    worst_ = first_by(kExtreme, [&](std::size_t a, std::size_t b) {
      const double x = fit_of(a), y = fit_of(b);
      return x != y ? x < y : a < b;
    });
    std::set<std::size_t> listed(mixed_.begin(), mixed_.end());
    listed.insert(worst_.begin(), worst_.end());
    for (const Places& rows : typical_) listed.insert(rows.begin(), rows.end());
    listed_.assign(listed.begin(), listed.end());
    Places order(data_.rows);
    for (std::size_t row = 0; row < data_.rows; ++row) order[row] = row;
    if (data_.rows > options_.most_rows) {
      std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
        const RowScore &x = scores_[a], &y = scores_[b];
        if (x.top != y.top) return x.top < y.top;
        return x.top_share != y.top_share ? x.top_share > y.top_share : a < b;
      });
      for (const std::size_t i : spread_rows(data_.rows, options_.most_rows))
        sample_.push_back(order[i]);
      std::ranges::sort(sample_);
    } else {
      sample_ = order;
    }
    std::ranges::set_union(sample_, listed_, std::back_inserter(rows_));
  }

  void add_rows(PageJson& out, Pack& pack) const {
    std::vector<double> share(components_ * rows_.size()), fit, observations, entropy;
    std::vector<std::uint8_t> sampled;
    PageJson ids = PageJson::array();
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const std::size_t row = rows_[i];
      for (std::size_t k = 0; k < components_; ++k)
        share[k * rows_.size() + i] = shares_.row(row)[k];
      fit.push_back(fit_of(row));
      observations.push_back(scores_[row].observations);
      entropy.push_back(scores_[row].entropy);
      sampled.push_back(std::ranges::binary_search(sample_, row) ? 1 : 0);
      ids.push_back(data_.id_of(row));
    }
    out["rows"] = rows_.size();
    out["sampled"] = sample_.size();
    out["in_sample"] = pack.bytes(sampled);
    out["id"] = std::move(ids);
    out["share"] = pack.shares(share);
    out["fit"] = pack.reals(fit);
    out["observations"] = pack.reals(observations);
    out["entropy"] = pack.reals(entropy);
  }

  /// The indices in rows_ of rows of the data.
  [[nodiscard]] PageJson places(const Places& rows) const {
    PageJson out = PageJson::array();
    for (const std::size_t row : rows)
      out.push_back(std::ranges::lower_bound(rows_, row) - rows_.begin());
    return out;
  }

  void add_lists(PageJson& out) const {
    out["typical"] = PageJson::array();
    for (const Places& rows : typical_) out["typical"].push_back(places(rows));
    out["mixed"] = places(mixed_);
    out["worst"] = places(worst_);
  }

  /// The columns that can group rows: a level of each row, 0 for none.
  void add_columns(PageJson& out, Pack& pack) const {
    out["columns"] = PageJson::array();
    for (const std::string& name : options_.by) {
      const KeptColumn* column = data_.kept_column(name);
      if (column == nullptr) continue;
      std::vector<std::uint32_t> code;
      for (const std::size_t row : rows_)
        code.push_back(static_cast<std::uint32_t>(std::max(-1, column->code[row]) + 1));
      out["columns"].push_back(
          {{"name", name},
           {"levels", column->labels.empty() ? column->levels : column->labels},
           {"code", pack.wholes(code)}});
    }
  }

  void add_map(PageJson& out, Pack& pack) const {
    const RowMap map = row_map(shares_.share, components_);
    std::vector<double> x, y;
    for (const std::size_t row : rows_) {
      x.push_back(map.x[row]);
      y.push_back(map.y[row]);
    }
    out["map"] = {{"x", pack.reals(x)},
                  {"y", pack.reals(y)},
                  {"pure_x", finite(map.pure_x)},
                  {"pure_y", finite(map.pure_y)},
                  {"shown", finite(map.shown)}};
  }

  void add_details(PageJson& out, Pack& pack) const {
    Places detailed = listed_;
    const std::size_t most = std::min(kDetailed, affordable_rows(data_, components_));
    for (const std::size_t i : spread_rows(rows_.size(), most)) detailed.push_back(rows_[i]);
    std::ranges::sort(detailed);
    const auto again = std::ranges::unique(detailed);
    detailed.erase(again.begin(), again.end());
    out["details"] = page_row_details(model_, data_, detailed, options_.threads, pack);
    out["details"]["rows"] = places(detailed);
  }

  const Model& model_;
  const Dataset& data_;
  const Memberships& shares_;
  const std::vector<RowScore>& scores_;
  const ReportOptions& options_;
  std::size_t components_;
  std::vector<Places> typical_;
  Places mixed_, worst_, listed_, sample_, rows_;  // of the data; the last three ascending
};

}  // namespace

PageJson page_rows(const Model& model, const ScoredData& scored, const ReportOptions& options,
                   Pack& pack) {
  return RowsPart(model, scored, options).json(pack);
}

// Rows in detail. The evidence of a single cell about the profile it comes from: with s_k the size
// of profile k and l_k the likelihood of the cell,
//
//   r_k ~ s_k l_k        evidence = w sum_k r_k log(r_k / s_k)     nats
//
// is how far the cell alone, w times observed, moves the belief about the row away from the average
// row. The cells of a row with the most evidence are those that determined its memberships.

namespace {

constexpr std::size_t kDrivers = 8;  // cells of a row
constexpr double kLevel = 0.9;       // of the intervals

struct Driver {
  std::string feature, cell;
  double times = 1, evidence = 0;
  std::size_t profile = 0;  // that it speaks for most: the largest r_k / s_k
  double share = 0;         // r_k of that profile
};

class Speaker {
 public:
  Speaker(const Model& model, const Dataset& rows)
      : on_data_(model, rows), rows_(rows), size_(model.sizes()) {}

  /// The cells of a row with the most evidence, largest first.
  [[nodiscard]] std::vector<Driver> of(std::size_t row) {
    std::vector<Driver> out;
    for (std::size_t b = 0; b < rows_.blocks.size(); ++b) add_block(b, row, out);
    std::ranges::sort(out, [](const Driver& a, const Driver& b) {
      if (a.evidence != b.evidence) return a.evidence > b.evidence;
      return a.feature != b.feature ? a.feature < b.feature : a.cell < b.cell;
    });
    if (out.size() > kDrivers) out.resize(kDrivers);
    return out;
  }

 private:
  void add_block(std::size_t b, std::size_t row, std::vector<Driver>& out) {
    const Block& block = rows_.blocks[b];
    const families::Family& family = *on_data_.families()[b];
    const std::size_t begin = block.row_start[row], end = block.row_start[row + 1];
    likelihood_.resize((end - begin) * family.padded());
    family.likelihood_rows(block, row, likelihood_.data());
    for (std::size_t cell = begin; cell < end; ++cell) {
      Driver driver = told(likelihood_.data() + (cell - begin) * family.padded());
      const std::size_t f = data::feature_of(block, block.slot[cell]);
      driver.times = block.weight_of(cell);
      driver.evidence *= driver.times;
      driver.feature = block.features[f].name;
      driver.cell = block.encoding == Encoding::real
                        ? number(block.value[cell])
                        : label_of(block.features[f], block.slot[cell] - block.first_slot[f]);
      out.push_back(std::move(driver));
    }
  }

  [[nodiscard]] Driver told(const double* likelihood) const {
    Driver out;
    double sum = 0, best = -1;
    for (std::size_t k = 0; k < size_.size(); ++k) sum += size_[k] * likelihood[k];
    for (std::size_t k = 0; k < size_.size() && sum > 0; ++k) {
      const double r = size_[k] * likelihood[k] / sum;
      const double lift = likelihood[k] / sum;
      if (r > 0) out.evidence += r * std::log(lift);
      if (lift <= best) continue;
      best = lift;
      out.profile = k;
      out.share = r;
    }
    return out;
  }

  static std::string number(double value) {
    std::string text = std::to_string(std::round(value * 1e4) / 1e4);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    return text;
  }

  model::ModelOnData on_data_;
  const Dataset& rows_;
  const std::vector<double>& size_;
  std::vector<double> likelihood_;
};

/// Texts by number, each once.
class Texts {
 public:
  std::uint32_t number(const std::string& text) {
    const auto [found, fresh] = number_.emplace(text, static_cast<std::uint32_t>(list_.size()));
    if (fresh) list_.push_back(text);
    return found->second;
  }
  [[nodiscard]] const PageJson& list() const { return list_; }

 private:
  std::map<std::string, std::uint32_t> number_;
  PageJson list_ = PageJson::array();
};

void add_drivers(const Model& model, const Dataset& rows, PageJson& out, Pack& pack) {
  Speaker speaker(model, rows);
  Texts texts;
  std::vector<std::uint32_t> start = {0}, feature, cell, profile;
  std::vector<double> times, evidence, share;
  for (std::size_t row = 0; row < rows.rows; ++row) {
    core::stop_if_asked();
    for (const Driver& driver : speaker.of(row)) {
      feature.push_back(texts.number(driver.feature));
      cell.push_back(texts.number(driver.cell));
      profile.push_back(static_cast<std::uint32_t>(driver.profile));
      times.push_back(driver.times);
      evidence.push_back(driver.evidence);
      share.push_back(driver.share);
    }
    start.push_back(static_cast<std::uint32_t>(feature.size()));
  }
  out["texts"] = texts.list();
  out["driver_start"] = pack.wholes(start);
  out["feature"] = pack.wholes(feature);
  out["cell"] = pack.wholes(cell);
  out["profile"] = pack.wholes(profile);
  out["times"] = pack.reals(times);
  out["evidence"] = pack.reals(evidence);
  out["speaks"] = pack.shares(share);
}

}  // namespace

PageJson page_row_details(const Model& model, const Dataset& data,
                          const std::vector<std::size_t>& rows, std::size_t threads, Pack& pack) {
  PageJson out = PageJson::object();
  const Dataset some = data::select_rows(data, rows);
  if (model.parts().membership->entry().dirichlet && model.components() > 1 && some.rows > 0) {
    const MembershipIntervals intervals = membership_intervals(model, some, kLevel, threads);
    out["level"] = kLevel;
    out["low"] = pack.shares(intervals.low);
    out["high"] = pack.shares(intervals.high);
  }
  add_drivers(model, some, out, pack);
  return out;
}

}  // namespace medley::report
