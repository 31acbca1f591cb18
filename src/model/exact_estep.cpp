// SPDX-License-Identifier: Apache-2.0
#include "model/exact_estep.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <span>

#include "core/parallel.hpp"
#include "kernels/lanes.hpp"
#include "kernels/lattice.hpp"

namespace medley::model {
namespace {

using kernels::kLanes;
using Messages = std::vector<double>;  // groups of lanes x states x kLanes

std::size_t groups_of(std::size_t nodes) {
  return (nodes + kLanes - 1) / kLanes;
}

// R_m for rows of one size, the same in every lane, and once more without lanes.
struct Root {
  std::vector<double> value;  // states
  Messages lanes;             // states x kLanes
};

// B(alpha + n) / B(alpha) over the last layer; times E[theta_j | n] if a component j is given.
Root make_root(const math::CountLattice& lattice, std::size_t size, std::span<const double> alpha,
               std::optional<std::size_t> component) {
  const std::size_t components = alpha.size();
  const double alpha_sum = std::accumulate(alpha.begin(), alpha.end(), 0.0);
  std::vector<std::vector<double>> rising;
  for (const double a : alpha) rising.push_back(math::log_rising(a, size));
  const double total = math::log_rising(alpha_sum, size).back();
  const auto counts = lattice.counts(size);
  Root root;
  root.value.resize(lattice.size(size));
  root.lanes.resize(root.value.size() * kLanes);
  for (std::size_t n = 0; n < root.value.size(); ++n) {
    const std::uint16_t* at = &counts[n * components];
    double log = -total;
    for (std::size_t k = 0; k < components; ++k) log += rising[k][at[k]];
    root.value[n] = std::exp(log);
    if (component) {
      root.value[n] *= (alpha[*component] + static_cast<double>(at[*component])) /
                       (alpha_sum + static_cast<double>(size));
    }
    std::fill_n(&root.lanes[n * kLanes], kLanes, root.value[n]);
  }
  return root;
}

// The contribution of one chunk.
struct ChunkResult {
  double log_likelihood = 0;
  std::vector<double> flow;    // edges x K: the beginnings' levels in order, then the ends'
  std::vector<double> having;  // K x (m + 1): weighted rows with n_k = t
};

}  // namespace

// The working memory of one thread, and the passes over one chunk.
class ExactChunkSolver {
 public:
  explicit ExactChunkSolver(const math::CountLattice& lattice)
      : lattice_(lattice), components_(lattice.components()) {}

  void begin(const ExactChunk& chunk, const CellTable& table) {
    chunk_ = &chunk;
    table_ = &table;
    states_ = lattice_.size(chunk.meeting);
    beginnings();
  }

  // p(x) of every row of the chunk, with scaled likelihoods.
  std::vector<double> probabilities(const Root& root) {
    root_ = &root;
    ends();
    std::vector<double> p;
    for (std::size_t i = 0; i < chunk_->row.size(); ++i)
      p.push_back(kernels::dot(front(i), back(i), states_));
    return p;
  }

  // Sends the rows' weights over p(x) backwards along all edges.
  void collect(std::span<const double> weight_over_p, ChunkResult& result) {
    adjoint_front_.assign(front_.size(), 0.0);
    adjoint_back_.assign(back_.size(), 0.0);
    for (std::size_t i = 0; i < weight_over_p.size(); ++i) {
      kernels::add_scaled(weight_over_p[i], back(i), states_,
                          &adjoint_front_[chunk_->begins[i] * states_]);
      kernels::add_scaled(weight_over_p[i], front(i), states_,
                          &adjoint_back_[chunk_->ends_at[i] * states_]);
    }
    result.flow.clear();
    collect_beginnings(result.flow);
    collect_ends(result.flow);
    count_components(result.having);
  }

 private:
  [[nodiscard]] const double* front(std::size_t i) const {
    return &front_[chunk_->begins[i] * states_];
  }
  [[nodiscard]] const double* back(std::size_t i) const {
    return &back_[chunk_->ends_at[i] * states_];
  }
  [[nodiscard]] kernels::LatticeEdges edges(std::size_t layer) const {
    return {lattice_.next(layer).data(), lattice_.size(layer), components_};
  }

  void beginnings() {
    const auto& levels = chunk_->beginnings;
    up_.resize(std::max(up_.size(), levels.size()));
    for (std::size_t level = 0; level < levels.size(); ++level) {
      const std::size_t states = lattice_.size(level + 1);
      up_[level].assign(groups_of(levels[level].nodes()) * states * kLanes, 0.0);
      for (std::size_t g = 0; g < groups_of(levels[level].nodes()); ++g) {
        take_likelihoods(levels[level], g);
        kernels::lattice_push(edges(level), l_.data(), above_beginning(level, g),
                              &up_[level][g * states * kLanes]);
      }
    }
    unpack(levels, up_, {1.0}, front_);
  }

  void ends() {
    const auto& levels = chunk_->ends;
    down_.resize(std::max(down_.size(), levels.size()));
    for (std::size_t level = 0; level < levels.size(); ++level) {
      const std::size_t layer = chunk_->size - 1 - level, states = lattice_.size(layer);
      down_[level].resize(groups_of(levels[level].nodes()) * states * kLanes);
      for (std::size_t g = 0; g < groups_of(levels[level].nodes()); ++g) {
        take_likelihoods(levels[level], g);
        kernels::lattice_pull(edges(layer), l_.data(), above_end(level, g),
                              &down_[level][g * states * kLanes]);
      }
    }
    unpack(levels, down_, root_->value, back_);
  }

  void collect_beginnings(std::vector<double>& flow) {
    const auto& levels = chunk_->beginnings;
    std::vector<std::vector<double>> flows(levels.size());
    pack(adjoint_front_, levels);
    for (std::size_t level = levels.size(); level-- > 0;) {
      const std::size_t states = lattice_.size(level + 1), before = lattice_.size(level);
      above_.assign(level == 0 ? 0 : groups_of(levels[level - 1].nodes()) * before * kLanes, 0.0);
      for (std::size_t g = 0; g < groups_of(levels[level].nodes()); ++g) {
        take_likelihoods(levels[level], g);
        const double* here = &adjoint_[g * states * kLanes];
        begin_flow();
        kernels::lattice_flow(edges(level), above_beginning(level, g), here, flow_.data());
        keep_flow(levels[level], g, flows[level]);
        if (level == 0) continue;
        spread_.resize(before * kLanes);
        kernels::lattice_pull(edges(level), l_.data(), here, spread_.data());
        add_to_parents(levels[level], g, before, above_);
      }
      adjoint_.swap(above_);
    }
    for (const auto& part : flows) flow.insert(flow.end(), part.begin(), part.end());
  }

  void collect_ends(std::vector<double>& flow) {
    const auto& levels = chunk_->ends;
    std::vector<std::vector<double>> flows(levels.size());
    pack(adjoint_back_, levels);
    for (std::size_t level = levels.size(); level-- > 0;) {
      const std::size_t layer = chunk_->size - 1 - level;
      const std::size_t states = lattice_.size(layer), after = lattice_.size(layer + 1);
      const std::size_t parents = level == 0 ? 1 : levels[level - 1].nodes();
      above_.assign(groups_of(parents) * after * kLanes, 0.0);
      for (std::size_t g = 0; g < groups_of(levels[level].nodes()); ++g) {
        take_likelihoods(levels[level], g);
        const double* here = &adjoint_[g * states * kLanes];
        begin_flow();
        kernels::lattice_flow(edges(layer), here, above_end(level, g), flow_.data());
        keep_flow(levels[level], g, flows[level]);
        spread_.assign(after * kLanes, 0.0);
        kernels::lattice_push(edges(layer), l_.data(), here, spread_.data());
        add_to_parents(levels[level], g, after, above_);
      }
      adjoint_.swap(above_);
    }
    if (!levels.empty()) {  // what arrived at the root, in its one lane
      adjoint_back_.resize(root_->value.size());
      for (std::size_t n = 0; n < adjoint_back_.size(); ++n)
        adjoint_back_[n] = adjoint_[n * kLanes];
    }
    for (const auto& part : flows) flow.insert(flow.end(), part.begin(), part.end());
  }

  // p(n | x) = R_m[n] dG/dR_m[n], summed over rows, by the count of each component.
  void count_components(std::vector<double>& having) const {
    const std::size_t width = chunk_->size + 1;
    having.assign(components_ * width, 0.0);
    const auto counts = lattice_.counts(chunk_->size);
    for (std::size_t n = 0; n < root_->value.size(); ++n) {
      const double p = root_->value[n] * adjoint_back_[n];
      for (std::size_t k = 0; k < components_; ++k)
        having[k * width + counts[n * components_ + k]] += p;
    }
  }

  // l_[k][lane] of a group of nodes; 0 in lanes without a node.
  void take_likelihoods(const TreeLevel& level, std::size_t group) {
    l_.assign(components_ * kLanes, 0.0);
    for (std::size_t lane = 0; lane < lanes_of(level, group); ++lane) {
      const double* row = table_->of(level.code[group * kLanes + lane]);
      for (std::size_t k = 0; k < components_; ++k) l_[k * kLanes + lane] = row[k];
    }
  }
  [[nodiscard]] static std::size_t lanes_of(const TreeLevel& level, std::size_t group) {
    return std::min(kLanes, level.nodes() - group * kLanes);
  }

  // The messages of the parents of a group's nodes, one per lane.
  const double* above_beginning(std::size_t level, std::size_t group) {
    static constexpr double kOnes[kLanes] = {1, 1, 1, 1, 1, 1, 1, 1};
    if (level == 0) return kOnes;
    return gather(chunk_->beginnings[level], group, up_[level - 1], lattice_.size(level));
  }
  const double* above_end(std::size_t level, std::size_t group) {
    if (level == 0) return root_->lanes.data();
    return gather(chunk_->ends[level], group, down_[level - 1],
                  lattice_.size(chunk_->size - level));
  }

  // If the parents are in the same lanes of one group, nothing needs copying.
  [[nodiscard]] static std::optional<std::size_t> aligned(const TreeLevel& level,
                                                          std::size_t group) {
    const std::uint32_t* parent = &level.parent[group * kLanes];
    if (parent[0] % kLanes != 0) return std::nullopt;
    for (std::size_t lane = 1; lane < lanes_of(level, group); ++lane) {
      if (parent[lane] != parent[0] + lane) return std::nullopt;
    }
    return parent[0] / kLanes;
  }

  const double* gather(const TreeLevel& level, std::size_t group, const Messages& from,
                       std::size_t states) {
    if (const auto same = aligned(level, group)) return &from[*same * states * kLanes];
    gathered_.resize(states * kLanes);
    std::array<const double*, kLanes> source{};
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::size_t node =
          level.parent[group * kLanes + std::min(lane, lanes_of(level, group) - 1)];
      source[lane] = &from[node / kLanes * states * kLanes + node % kLanes];
    }
    double* to = gathered_.data();
    for (std::size_t at = 0; at < states * kLanes; at += kLanes, to += kLanes) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) to[lane] = source[lane][at];
    }
    return gathered_.data();
  }

  void add_to_parents(const TreeLevel& level, std::size_t group, std::size_t states,
                      Messages& above) const {
    if (const auto same = aligned(level, group)) {
      kernels::add_scaled(1.0, spread_.data(), states * kLanes, &above[*same * states * kLanes]);
      return;
    }
    std::array<double*, kLanes> to{};
    const std::size_t lanes = lanes_of(level, group);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const std::size_t node = level.parent[group * kLanes + lane];
      to[lane] = &above[node / kLanes * states * kLanes + node % kLanes];
    }
    const double* from = spread_.data();
    for (std::size_t at = 0; at < states * kLanes; at += kLanes, from += kLanes) {
      for (std::size_t lane = 0; lane < lanes; ++lane) to[lane][at] += from[lane];
    }
  }

  void begin_flow() { flow_.assign(components_ * kLanes, 0.0); }
  void keep_flow(const TreeLevel& level, std::size_t group, std::vector<double>& into) const {
    for (std::size_t lane = 0; lane < lanes_of(level, group); ++lane) {
      for (std::size_t k = 0; k < components_; ++k)
        into.push_back(flow_[k * kLanes + lane] * l_[k * kLanes + lane]);
    }
  }

  // The meeting layer by node: nodes x states. Without levels, the root alone.
  void unpack(const std::vector<TreeLevel>& levels, const std::vector<Messages>& messages,
              const std::vector<double>& root, std::vector<double>& out) const {
    if (levels.empty()) {
      out = root;
      return;
    }
    const std::size_t nodes = levels.back().nodes();
    const Messages& last = messages[levels.size() - 1];
    out.resize(nodes * states_);
    for (std::size_t node = 0; node < nodes; ++node) {
      const double* from = &last[node / kLanes * states_ * kLanes + node % kLanes];
      double* to = &out[node * states_];
      for (std::size_t n = 0; n < states_; ++n) to[n] = from[n * kLanes];
    }
  }
  // The reverse, into adjoint_.
  void pack(const std::vector<double>& by_node, const std::vector<TreeLevel>& levels) {
    if (levels.empty()) return;
    const std::size_t nodes = levels.back().nodes();
    adjoint_.assign(groups_of(nodes) * states_ * kLanes, 0.0);
    for (std::size_t node = 0; node < nodes; ++node) {
      double* to = &adjoint_[node / kLanes * states_ * kLanes + node % kLanes];
      const double* from = &by_node[node * states_];
      for (std::size_t n = 0; n < states_; ++n) to[n * kLanes] = from[n];
    }
  }

  const math::CountLattice& lattice_;
  std::size_t components_;
  const CellTable* table_ = nullptr;
  const ExactChunk* chunk_ = nullptr;
  const Root* root_ = nullptr;
  std::size_t states_ = 0;            // of the meeting layer
  std::vector<Messages> up_, down_;   // per level: S of the beginnings, R of the ends
  std::vector<double> front_, back_;  // S and R at the meeting layer: nodes x states
  std::vector<double> adjoint_front_, adjoint_back_;  // dG/dS and dG/dR there; then dG/dR_m
  std::vector<double> l_, flow_;                      // K x kLanes
  Messages gathered_, spread_;
  Messages adjoint_, above_;  // of the level at hand and of the one above it
};

namespace {

// Roots of every size of row in the plan.
std::map<std::size_t, Root> roots(const ExactPlan& plan, const math::CountLattice& lattice,
                                  std::span<const double> alpha,
                                  std::optional<std::size_t> component) {
  std::map<std::size_t, Root> out;
  for (const ExactChunk& chunk : plan.chunks) {
    if (!out.contains(chunk.size))
      out.emplace(chunk.size, make_root(lattice, chunk.size, alpha, component));
  }
  return out;
}

// The logarithm of the factor removed from a row's likelihoods.
double log_scale_of(const Dataset& data, const data::DistinctCells& cells, const CellTable& table,
                    std::size_t row) {
  double sum = 0;
  for (std::size_t b = 0; b < data.blocks.size(); ++b) {
    const Block& block = data.blocks[b];
    for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c)
      sum += static_cast<double>(block.weight_of(c)) * table.log_scale[cells.code[b][c]];
  }
  return sum;
}

void merge(const ExactChunk& chunk, const ChunkResult& result, std::size_t components,
           ExactStatistics& into) {
  into.log_likelihood += result.log_likelihood;
  const std::size_t padded = kernels::padded(components);
  const double* flow = result.flow.data();
  for (const auto* levels : {&chunk.beginnings, &chunk.ends}) {
    for (const TreeLevel& level : *levels) {
      for (const std::uint32_t code : level.code) {
        for (std::size_t k = 0; k < components; ++k) into.cells[code * padded + k] += *flow++;
      }
    }
  }
  for (std::size_t k = 0; k < components; ++k) {
    double more = 0;  // weighted rows with n_k > t
    for (std::size_t t = chunk.size; t-- > 0;) {
      more += result.having[k * (chunk.size + 1) + t + 1];
      into.counts.component[k][t] += more;
    }
  }
}

}  // namespace

ExactEStep::ExactEStep(const ExactPlan& plan, const Dataset& data, std::size_t threads)
    : plan_(plan),
      data_(data),
      lattice_(plan.components, plan.depth),
      solvers_(core::thread_count(threads)) {}

ExactEStep::~ExactEStep() = default;

ExactChunkSolver& ExactEStep::solver_of(std::size_t worker) {
  if (!solvers_[worker]) solvers_[worker] = std::make_unique<ExactChunkSolver>(lattice_);
  return *solvers_[worker];
}

ExactStatistics ExactEStep::expectation(const EStepModel& model) {
  const CellTable table(model, plan_.cells);
  const auto root = roots(plan_, lattice_, model.membership->parameters(), std::nullopt);
  std::vector<ChunkResult> results(plan_.chunks.size());
  core::parallel_for(results.size(), solvers_.size(), [&](std::size_t c, std::size_t worker) {
    ExactChunkSolver& solver = solver_of(worker);
    const ExactChunk& chunk = plan_.chunks[c];
    solver.begin(chunk, table);
    std::vector<double> p = solver.probabilities(root.at(chunk.size));
    for (std::size_t i = 0; i < p.size(); ++i) {
      const double weight = data_.weight_of(chunk.row[i]);
      results[c].log_likelihood +=
          weight * (std::log(p[i]) + log_scale_of(data_, plan_.cells, table, chunk.row[i]));
      p[i] = weight / p[i];
    }
    solver.collect(p, results[c]);
  });
  ExactStatistics out;
  out.cells.assign(plan_.cells.data.rows * kernels::padded(plan_.components), 0.0);
  out.counts = {plan_.components, plan_.depth};
  for (std::size_t c = 0; c < results.size(); ++c) {
    const ExactChunk& chunk = plan_.chunks[c];
    merge(chunk, results[c], plan_.components, out);
    for (const std::uint32_t row : chunk.row) {
      for (std::size_t t = 0; t < chunk.size; ++t) out.counts.total[t] += data_.weight_of(row);
    }
  }
  return out;
}

void ExactEStep::probabilities(const EStepModel& model, const CellTable& table,
                               std::optional<std::size_t> component,
                               const std::function<void(std::uint32_t, double)>& use) {
  const auto root = roots(plan_, lattice_, model.membership->parameters(), component);
  core::parallel_for(plan_.chunks.size(), solvers_.size(), [&](std::size_t c, std::size_t worker) {
    const ExactChunk& chunk = plan_.chunks[c];
    ExactChunkSolver& solver = solver_of(worker);
    solver.begin(chunk, table);
    const std::vector<double> p = solver.probabilities(root.at(chunk.size));
    for (std::size_t i = 0; i < p.size(); ++i) use(chunk.row[i], p[i]);
  });
}

std::vector<double> ExactEStep::log_likelihoods(const EStepModel& model) {
  const CellTable table(model, plan_.cells);
  std::vector<double> out(data_.rows, 0.0);
  probabilities(model, table, std::nullopt, [&](std::uint32_t row, double p) {
    out[row] = std::log(p) + log_scale_of(data_, plan_.cells, table, row);
  });
  return out;
}

ScoredRows ExactEStep::score(const EStepModel& model) {
  const std::size_t components = plan_.components;
  const CellTable table(model, plan_.cells);
  ScoredRows out{
      std::vector<double>(data_.rows, 0.0), std::vector<double>(data_.rows * components), {}};
  std::vector<double> empty(components);
  model.membership->start(0, empty);
  model.membership->shares(std::vector<double>(empty), empty);
  for (std::size_t row = 0; row < data_.rows; ++row)
    std::ranges::copy(empty, &out.share[row * components]);
  for (std::size_t k = 0; k < components; ++k) {  // p(x) E[theta_k | x]
    probabilities(model, table, k,
                  [&](std::uint32_t row, double p) { out.share[row * components + k] = p; });
  }
  for (const ExactChunk& chunk : plan_.chunks) {
    for (const std::uint32_t row : chunk.row) {
      double* share = &out.share[row * components];
      const double p = std::accumulate(share, share + components, 0.0);
      for (std::size_t k = 0; k < components; ++k) share[k] /= p;
      out.bound[row] = std::log(p) + log_scale_of(data_, plan_.cells, table, row);
    }
  }
  return out;
}

}  // namespace medley::model
