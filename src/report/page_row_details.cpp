// SPDX-License-Identifier: Apache-2.0
// Rows in detail. What a cell says on its own about the profile it comes from: with s_k the size of
// profile k and l_k the likelihood of the cell,
//
//   r_k ~ s_k l_k        evidence = w sum_k r_k log(r_k / s_k)     nats
//
// how far the cell alone, w times observed, moves the opinion about the row away from the average
// row. The cells of a row with the most evidence are what drove its memberships.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>

#include "core/task.hpp"

#include "data/feature_of.hpp"
#include "data/select_rows.hpp"
#include "medley/uncertainty.hpp"
#include "model/model_on_data.hpp"
#include "report/labels.hpp"
#include "report/page_parts.hpp"

namespace medley::report {
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

  /// The cells of a row with the most evidence, most first.
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
  if (model.prior_name() == "alpha" && model.components() > 1 && some.rows > 0) {
    const MembershipIntervals intervals = membership_intervals(model, some, kLevel, threads);
    out["level"] = kLevel;
    out["low"] = pack.shares(intervals.low);
    out["high"] = pack.shares(intervals.high);
  }
  add_drivers(model, some, out, pack);
  return out;
}

}  // namespace medley::report
