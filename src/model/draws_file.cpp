// SPDX-License-Identifier: Apache-2.0
#include "model/draws_file.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <nlohmann/json.hpp>

#include "core/json_count.hpp"
#include "families/registry.hpp"
#include "medley/error.hpp"
#include "memberships/registry.hpp"
#include "model/parameters.hpp"

namespace medley::model {
namespace {

constexpr const char* kSummary = "draws";

[[noreturn]] void refuse_draws(const core::TensorFile& file, const std::string& what) {
  throw InputError(
      {file.origin, "its draws: " + what, "the file is damaged, or not a model of this program"});
}

std::string trace_name(std::size_t i) {
  return "draws.trace." + std::to_string(i);
}

std::string block_name(std::size_t b) {
  return "draws.block." + std::to_string(b);
}

// Reads successive pieces of a tensor that holds all draws in turn.
class DrawsReader {
 public:
  DrawsReader(const core::TensorFile& file, const std::string& name)
      : file_(file), name_(name), values_(file.doubles(name)) {
    if (!std::ranges::all_of(values_, [](double v) { return std::isfinite(v); }))
      refuse_draws(file, name + " holds a value that is not a number");
  }

  std::vector<double> take(std::size_t count) {
    if (count > values_.size() - at_) refuse_draws(file_, name_ + " is too short");
    const auto first = values_.begin() + static_cast<std::ptrdiff_t>(at_);
    at_ += count;
    return {first, first + static_cast<std::ptrdiff_t>(count)};
  }

  void end() const {
    if (at_ != values_.size()) refuse_draws(file_, name_ + " is too long");
  }

 private:
  const core::TensorFile& file_;
  std::string name_;
  const std::vector<double>& values_;
  std::size_t at_ = 0;
};

void load_traces(const core::TensorFile& file, std::size_t chains, Draws& draws) {
  const std::vector<std::string> names = file.strings("draws.names");
  if (!names.empty() && draws.sweeps > file.doubles(trace_name(0)).size())
    refuse_draws(file, "the number of sweeps makes no sense");
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto& values = file.doubles(trace_name(i), chains * draws.sweeps);
    Trace trace{names[i], std::vector<std::vector<double>>(chains), !is_of_all_rows(names[i])};
    for (std::size_t c = 0; c < chains; ++c) {
      const auto first = values.begin() + static_cast<std::ptrdiff_t>(c * draws.sweeps);
      trace.chain[c].assign(first, first + static_cast<std::ptrdiff_t>(draws.sweeps));
    }
    draws.trace.push_back(std::move(trace));
  }
}

// The numbers of components of the draws; the file must hold the sum of all.
std::vector<std::size_t> load_sizes(const core::TensorFile& file) {
  const auto& given = file.integers("draws.components");
  const std::size_t all = file.doubles("draws.prior").size();
  std::vector<std::size_t> out;
  std::size_t sum = 0;
  for (const std::int64_t size : given) {
    if (size < 1 || static_cast<std::uint64_t>(size) > all - sum)
      refuse_draws(file, "the numbers of components make no sense");
    sum += out.emplace_back(static_cast<std::size_t>(size));
  }
  if (out.empty() || sum != all) refuse_draws(file, "the numbers of components make no sense");
  return out;
}

void check_onto(const core::TensorFile& file, const Draw& draw) {
  const std::size_t profiles = draw.onto.size() / draw.components();
  for (std::size_t j = 0; j < draw.components(); ++j) {
    const auto first = draw.onto.begin() + static_cast<std::ptrdiff_t>(j * profiles);
    const auto last = first + static_cast<std::ptrdiff_t>(profiles);
    if (std::any_of(first, last, [](double part) { return !(part >= 0); }) ||
        !(std::abs(std::accumulate(first, last, 0.0) - 1) <= 1e-6))
      refuse_draws(file, "draws.onto is not made of parts of a whole");
  }
}

// Checks that the families and the membership accept the numbers.
void check_parameters(const core::TensorFile& file, const Parts& parts, const Draw& draw) {
  const auto membership = parts.membership->entry().make(draw.components(), parts.options.rates);
  if (membership->parameters().size() != draw.components())
    refuse_draws(file, "its membership cannot be sampled");
  membership->set_parameters(draw.prior);
  if (const std::string flaw = membership->invalid_reason(); !flaw.empty())
    refuse_draws(file, flaw);
  std::vector<double> state(membership->state_size()), share(draw.components());
  membership->start(0, state);
  membership->shares(state, share);
  if (!(std::abs(std::accumulate(share.begin(), share.end(), 0.0) - 1) <= 1e-6))  // nor NaN
    refuse_draws(file, "draws.prior does not sum to 1");
  for (std::size_t b = 0; b < parts.blocks.size(); ++b) {
    const auto family =
        parts.blocks[b].family->entry().make(parts.blocks[b].shape, draw.components());
    family->set_parameters(padded(draw.table[b], draw.components()));
    if (const std::string flaw = family->entry().invalid_reason(*family); !flaw.empty())
      refuse_draws(file, flaw);
  }
}

}  // namespace

void put_draws(core::TensorFile& file, const Draws& draws) {
  std::vector<std::int64_t> chain, sweep, components;
  std::vector<double> prior, onto;
  std::vector<std::vector<double>> table(draws.draw.front().table.size());
  const auto append = [](const std::vector<double>& values, std::vector<double>& to) {
    to.insert(to.end(), values.begin(), values.end());
  };
  for (const Draw& draw : draws.draw) {
    chain.push_back(static_cast<std::int64_t>(draw.chain));
    sweep.push_back(static_cast<std::int64_t>(draw.sweep));
    components.push_back(static_cast<std::int64_t>(draw.components()));
    append(draw.prior, prior);
    append(draw.onto, onto);
    for (std::size_t b = 0; b < table.size(); ++b) append(draw.table[b], table[b]);
  }
  file.put("draws.chain", std::move(chain));
  file.put("draws.sweep", std::move(sweep));
  file.put("draws.components", std::move(components));
  file.put("draws.prior", std::move(prior));
  file.put("draws.onto", std::move(onto));
  for (std::size_t b = 0; b < table.size(); ++b) file.put(block_name(b), std::move(table[b]));
  std::vector<std::string> names;
  for (std::size_t i = 0; i < draws.trace.size(); ++i) {
    names.push_back(draws.trace[i].name);
    std::vector<double> values;
    for (const std::vector<double>& one : draws.trace[i].chain) append(one, values);
    file.put(trace_name(i), std::move(values), {draws.trace[i].chain.size(), draws.sweeps});
  }
  file.put_strings("draws.names", names);
  nlohmann::json summary = {{"burn_in", draws.burn_in},
                            {"sweeps", draws.sweeps},
                            {"chains", draws.draw.back().chain + 1}};
  if (draws.deviance)
    summary["deviance"] = {{"mean", draws.deviance->mean}, {"plug_in", draws.deviance->plug_in}};
  file.metadata[kSummary] = summary.dump();
}

std::shared_ptr<const Draws> load_draws(const core::TensorFile& file, const Parts& parts) {
  if (!file.metadata.contains(kSummary)) return nullptr;
  const auto summary = nlohmann::json::parse(file.meta(kSummary));
  auto out = std::make_shared<Draws>();
  out->burn_in = core::count_of(summary.at("burn_in"));
  out->sweeps = core::count_of(summary.at("sweeps"));
  const std::size_t chains = core::count_of(summary.at("chains"));
  if (summary.contains("deviance")) {
    const auto& deviance = summary.at("deviance");
    out->deviance = Deviance{deviance.at("mean"), deviance.at("plug_in")};
  }
  const std::vector<std::size_t> sizes = load_sizes(file);
  const auto& chain = file.integers("draws.chain", sizes.size());
  const auto& sweep = file.integers("draws.sweep", sizes.size());
  DrawsReader prior(file, "draws.prior"), onto(file, "draws.onto");
  std::vector<DrawsReader> table;
  std::vector<std::size_t> rows_in_file;
  for (std::size_t b = 0; b < parts.blocks.size(); ++b) {
    table.emplace_back(file, block_name(b));
    const families::Family& family = *parts.blocks[b].family;
    const std::size_t all = file.doubles("draws.prior").size();  // components, of all draws
    const families::VarianceFloors* floors = family.floors();
    const bool earlier =
        floors != nullptr && file.doubles(block_name(b)).size() == floors->earlier_rows() * all;
    rows_in_file.push_back(earlier ? floors->earlier_rows()
                                   : family.parameters().size() / family.padded());
  }
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    // Chain by chain, none left out.
    const std::int64_t before = d == 0 ? 0 : chain[d - 1];
    if (chain[d] != before && chain[d] != before + 1)
      refuse_draws(file, "the numbers of chains make no sense");
    if (sweep[d] < 0 || static_cast<std::uint64_t>(sweep[d]) >= out->sweeps)
      refuse_draws(file, "the numbers of sweeps make no sense");
    Draw draw{static_cast<std::size_t>(chain[d]),
              static_cast<std::size_t>(sweep[d]),
              prior.take(sizes[d]),
              {},
              onto.take(sizes[d] * parts.components())};
    check_onto(file, draw);
    for (std::size_t b = 0; b < table.size(); ++b) {
      const auto* floors = std::as_const(*parts.blocks[b].family).floors();
      std::vector<double> values = table[b].take(rows_in_file[b] * sizes[d]);
      draw.table.push_back(floors != nullptr ? floors->completed(std::move(values), sizes[d])
                                             : std::move(values));
    }
    check_parameters(file, parts, draw);
    out->draw.push_back(std::move(draw));
  }
  prior.end();
  onto.end();
  for (const DrawsReader& one : table) one.end();
  if (chains != out->draw.back().chain + 1)
    refuse_draws(file, "the number of chains makes no sense");
  load_traces(file, chains, *out);
  return out;
}

}  // namespace medley::model
