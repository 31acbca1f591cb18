// SPDX-License-Identifier: Apache-2.0
#include "engines/engine.hpp"

#include <algorithm>
#include <utility>

#include "core/parallel.hpp"
#include "core/task.hpp"
#include "engines/contest.hpp"
#include "families/registry.hpp"
#include "kernels/lanes.hpp"

namespace medley::engines {
namespace {

// Rows per chunk.
constexpr std::size_t kEngineRowChunk = 64;
// Slots are dealt out in about this many pieces; every slot is summed on its own.
constexpr std::size_t kSlotPieces = 256;

}  // namespace

EmData prepare(const Dataset& data, std::size_t threads, core::Reducer& across) {
  EmData result;
  result.data = &data;
  result.threads = core::thread_count(threads);
  for (const Block& block : data.blocks) result.columns.push_back(data::transpose(block));
  if (const KeptColumn* label = data.label()) result.label = label->code;
  result.across = &across;
  const core::Share rows = core::share_of(across, data.rows);
  result.first_row = rows.before;
  result.all_rows = rows.all;
  return result;
}

EmModel make_model(const EmData& data, const memberships::MembershipEntry& membership,
                   const model::Inference& inference, std::size_t components,
                   const RateOptions& rates) {
  EmModel model;
  for (std::size_t b = 0; b < data.data->blocks.size(); ++b) {
    const Block& block = data.data->blocks[b];
    model.families.push_back(families::find(block.family)->make(block, components));
    model.families.back()->use_threads(data.threads);
    if (auto* floors = model.families.back()->floors())
      floors->use_variance_floor(data.variance_floor);
    model.families.back()->observe(block, data.columns[b], data.data->row_weight, *data.across);
  }
  model.membership = membership.make(components, rates);
  model.inference = &inference;
  return model;
}

void save_parameters(const EmModel& model, core::TensorFile& file, const std::string& prefix) {
  const auto prior = model.membership->parameters();
  file.put(prefix + "membership", std::vector<double>(prior.begin(), prior.end()));
  for (std::size_t b = 0; b < model.families.size(); ++b) {
    const auto tables = model.families[b]->parameters();
    file.put(prefix + "block." + std::to_string(b),
             std::vector<double>(tables.begin(), tables.end()));
    const auto strengths = model.families[b]->strengths();
    if (!strengths.empty())
      file.put(prefix + "strengths." + std::to_string(b),
               std::vector<double>(strengths.begin(), strengths.end()));
  }
  if (!model.each.empty()) file.put(prefix + "smoothing", model.each);
  if (model.head) {
    const auto eta = model.head->eta();
    file.put(prefix + "eta", std::vector<double>(eta.begin(), eta.end()));
  }
}

void restore_parameters(const core::TensorFile& file, const std::string& prefix, EmModel& model) {
  model.membership->set_parameters(
      file.doubles(prefix + "membership", model.membership->parameters().size()));
  for (std::size_t b = 0; b < model.families.size(); ++b) {
    families::Family& family = *model.families[b];
    family.set_parameters(
        file.doubles(prefix + "block." + std::to_string(b), family.parameters().size()));
    const std::string strengths = prefix + "strengths." + std::to_string(b);
    if (file.tensors.contains(strengths))
      family.set_strengths(file.doubles(strengths, family.strengths_size()));
  }
  if (file.tensors.contains(prefix + "smoothing"))
    model.each = file.doubles(prefix + "smoothing", model.families.size());
  if (model.head) model.head->set_eta(file.doubles(prefix + "eta", model.head->eta().size()));
}

double EmModel::log_prior() const {
  double sum = membership->log_prior() + (head ? head->log_prior() : 0.0);
  for (std::size_t b = 0; b < families.size(); ++b) sum += families[b]->log_prior(smoothing_of(b));
  return sum;
}

bool expects_mixing(const EmModel& model, std::size_t longest_row) {
  return model.alpha != AlphaMode::fixed && model.membership->components() > 1 && longest_row > 1;
}

families::Smoothing EmModel::smoothing_of(std::size_t block) const {
  families::Smoothing out = smoothing;
  if (!each.empty()) out.each = each[block];
  return out;
}

void EmModel::fit_smoothing() {
  each.assign(families.size(), smoothing.each);
}

void EmModel::improve_smoothing(const Statistics& statistics) {
  for (std::size_t b = 0; b < each.size(); ++b) {
    if (const auto* tables = families[b]->dirichlet())
      each[b] = tables->better_smoothing(statistics.table(b), smoothing_of(b));
  }
}

bool EmModel::awaits_posterior() const {
  return smoothing.posterior &&
         std::ranges::any_of(families, [](const auto& f) { return f->strengths().empty(); });
}

std::vector<const families::Family*> EmModel::family_pointers() const {
  std::vector<const families::Family*> result;
  for (const auto& family : families) result.push_back(family.get());
  return result;
}

void collect_statistics(const Block& block, const data::Columns& columns,
                        const families::Responsibilities& from, std::size_t threads,
                        const families::Family& family, std::span<double> statistics) {
  const std::size_t slots = block.slots();
  const std::size_t piece = (slots + kSlotPieces - 1) / kSlotPieces;
  core::parallel_for(piece == 0 ? 0 : (slots + piece - 1) / piece, threads,
                     [&](std::size_t chunk, std::size_t) {
                       family.collect(columns, block, from, chunk * piece,
                                      std::min(slots, (chunk + 1) * piece), statistics);
                     });
}

void collect_tables(const std::vector<Block>& blocks, const std::vector<data::Columns>& columns,
                    const std::vector<families::Responsibilities>& from, const EmData& data,
                    const EmModel& model, Statistics& into) {
  for (std::size_t b = 0; b < blocks.size(); ++b)
    collect_statistics(blocks[b], columns[b], from[b], data.threads, *model.families[b],
                       into.table(b));
  data.across->sum(into.tables());
}

void maximise_families(const Statistics& statistics, EmModel& model) {
  const core::Unstoppable short_work;
  // The points that a start gives say nothing of it.
  if (model.smoothing.posterior) model.improve_smoothing(statistics);
  for (std::size_t b = 0; b < model.families.size(); ++b)
    model.families[b]->maximise(statistics.table(b), model.smoothing_of(b));
}

void maximise_prior(const Statistics& statistics, std::size_t threads, EmModel& model) {
  const core::Unstoppable short_work;
  memberships::PriorStatistics prior = statistics.prior();
  prior.threads = threads;
  model.membership->maximise(prior, model.alpha);
}

void maximise_tables(const Statistics& statistics, EmModel& model) {
  maximise_families(statistics, model);
  if (model.head) model.head->maximise(statistics.head());
}

Engine::Engine(const EmData& data, EmModel model)
    : data_(data),
      model_(std::move(model)),
      components_(model_.membership->components()),
      padded_(kernels::padded(components_)) {}

void Engine::start_from(const std::vector<double>& memberships) {
  const Dataset& data = *data_.data;
  std::vector<std::vector<double>> coefficients;
  std::vector<families::Responsibilities> from;
  for (const Block& block : data.blocks) {
    auto& weight = coefficients.emplace_back(block.cells());
    for (std::size_t row = 0; row < data.rows; ++row) {
      core::stop_if_asked();
      for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c)
        weight[c] = data.weight_of(row) * static_cast<double>(block.weight_of(c));
    }
    from.push_back({memberships.data(), weight.data(), false});
  }
  // A posterior of the few rows that a start looks at would be too sure of what they lack. And what
  // they lack must not be impossible: EM never leaves a probability of 0.
  constexpr double kLeast = 0.01;
  const families::Smoothing own = model_.smoothing;
  model_.smoothing.posterior = false;
  if (!(own.each > 0) && !(own.population > 0)) model_.smoothing.each = kLeast;
  workspace().set_prior(model_.membership->empty_statistics());
  collect_tables(data.blocks, data_.columns, from, data_, model_, workspace());
  maximise_families(workspace(), model_);
  model_.smoothing = own;
  forget();
}

void Engine::start_states(const std::vector<double>&) {}

std::vector<Candidate> Engine::candidates() {
  return {};
}

Statistics& Engine::workspace() {
  if (!workspace_.fits(model_)) workspace_ = Statistics(model_);
  return workspace_;
}

std::vector<double> Engine::component_log_likelihoods() {
  const Dataset& data = *data_.data;
  for (auto& family : model_.families) family->prepare(true);
  std::vector<double> result(data.rows * components_);
  const std::size_t chunks = (data.rows + kEngineRowChunk - 1) / kEngineRowChunk;
  core::parallel_for(chunks, data_.threads, [&](std::size_t chunk, std::size_t) {
    std::vector<double> total(padded_);
    for (std::size_t row = chunk * kEngineRowChunk;
         row < std::min(data.rows, (chunk + 1) * kEngineRowChunk); ++row) {
      std::fill(total.begin(), total.end(), 0.0);
      for (std::size_t b = 0; b < data.blocks.size(); ++b) {
        model_.families[b]->add_log_rows(data.blocks[b], row, total.data());
      }
      std::copy_n(total.begin(), components_,
                  result.begin() + static_cast<std::ptrdiff_t>(row * components_));
    }
  });
  return result;
}

}  // namespace medley::engines
