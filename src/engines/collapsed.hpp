// SPDX-License-Identifier: Apache-2.0
// Collapsed variational inference, order zero (CVB0): memberships and tables are integrated out,
// and every cell has responsibilities phi of its own, updated one cell after the other against the
// expected counts of all others (kernels/collapsed.hpp has the equation). On long rows it finds
// better tables than the mean-field bound does, in less time.
//
// An iteration is a sweep over all cells in the order of diagonal_cells.hpp: rows and slots always
// meet counts that are up to date; of the totals of a vocabulary, what the other P - 1 groups have
// changed in this sub-round is not known yet. After every tenth sweep alpha and the smoothing
// follow the counts, by Minka's fixed points; the counts, which move along with every cell, are
// then summed afresh. Cells go beyond where they would settle (over-relaxation), which takes half
// the sweeps; if moves do not become smaller, by less.
//
// There is no bound. What iterate() returns is the leave-one-out log-likelihood of the cells,
//
//   sum_o w_o log p(o | all other cells),
//
// each at the counts that its update met. It is over when a sweep moves less than kEnough of the
// cells, sum_o w_o sum_k |change of phi_ok| / (2 step) < kEnough sum_o w_o.
//
// A cell takes the responsibilities of all others for counts, as if they were certain, and comes
// out more decided than it should. So a few warm sweeps (kernels/collapsed.hpp), the priors held,
// are the last: tables then predict better (docs/decisions/0024-over-relaxed-and-warm.md).
//
// Expected counts make alpha too large. So when the fit is over it is set to what the likelihood of
// the rows says (engines/drawn_alpha.hpp), the tables follow it for a few sweeps, and once more,
// before the warm sweeps (docs/decisions/0028-drawn-alpha.md).
//
// At the end the tables are their posterior means given the counts, (c + eta) / (n + eta_g), which
// is what every other engine leaves behind. Memory: O(cells K).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "engines/collapsed_cells.hpp"
#include "engines/engine.hpp"

namespace medley::engines {

class Collapsed final : public Engine {
 public:
  /// `seed`: of the counts that alpha is fitted to at the end.
  Collapsed(const EmData& data, EmModel model, std::uint64_t seed = 1);

  void start_states(const std::vector<double>& shares) override;
  double iterate() override;
  void finish_fit() override;
  void flush() override;
  [[nodiscard]] std::optional<bool> arrived(double tolerance) const override;

  /// From how many numbers on responsibilities are kept in half precision; before the first
  /// iterate.
  void set_half_from(std::size_t numbers) { half_from_ = numbers; }

  /// The share of all cells that the last sweep moved from one component to another, divided by
  /// its step: what one with a step of 1 would have moved.
  [[nodiscard]] double moved() const { return moved_; }
  /// Of the next sweep (kernels/collapsed.hpp).
  [[nodiscard]] double step() const { return step_; }

  // Expected counts: rows x padded K, slots x padded K (all blocks), and of a cell, in the order of
  // cells(), its responsibilities.
  [[nodiscard]] const std::vector<float>& row_counts() const { return row_count_; }
  [[nodiscard]] const std::vector<float>& slot_counts() const { return slot_count_; }
  [[nodiscard]] std::vector<float> responsibilities() const { return phi_.all(); }
  [[nodiscard]] const DiagonalCells& cells() const { return cells_; }

  void save(core::TensorFile& file, const std::string& prefix) const override;
  void restore(const core::TensorFile& file, const std::string& prefix) override;

 private:
  void forget() override {
    phi_.clear();
    sweep_ = {};
    settled_ = 0;
  }
  void begin();
  void deal_cells();
  void allocate();
  [[nodiscard]] kernels::CollapsedCells of_run(const DiagonalCells::Run& run, std::size_t cell);
  void set_priors();
  void sum_rows();
  void sum_slots();
  void sum_totals();
  void open_totals(std::size_t row_group);
  void close_totals();
  double update_piece(std::size_t row_group, std::size_t slot_group, bool warm, double& log_sum);
  double sweep(bool warm);
  void watch_step();
  void improve_priors();
  void improve_alpha();
  void correct_alpha();
  void counts_to_statistics();
  void save_sweep(core::TensorFile& file, const std::string& prefix) const;
  void restore_sweep(const core::TensorFile& file, const std::string& prefix);

  // How far a sweep has come; P row groups.
  struct Sweep {
    bool begun = false;
    std::size_t diagonal = 0;                         // of P
    double moved = 0, logs = 0;                       // of the diagonals before
    std::array<char, DiagonalCells::kGroups> done{};  // pieces of this one
    std::array<double, DiagonalCells::kGroups> piece_moved{}, piece_log{};
  };

  DiagonalCells cells_;
  std::uint64_t seed_;
  std::vector<double> shares_;  // rows x K to begin with; empty: all alike
  std::vector<double> size_;    // rows: m_i
  double all_cells_ = 0;        // weighted
  PhiStore phi_;                // empty before the first iteration
  std::size_t half_from_ = PhiStore::kHalfFrom;
  std::vector<float> row_count_;   // rows x padded K
  std::vector<float> slot_count_;  // slots x padded K
  // The probability that a row, or a slot, holds anything of a component, when last summed:
  std::vector<float> row_present_, slot_present_;
  std::vector<float> slot_prior_;   // slots
  std::vector<double> prior_sum_;   // features: its sum
  std::vector<double> total_;       // features x padded K: n_gk + eta_g
  std::vector<float> own_total_;    // the same, of features that belong to one slot group
  std::vector<float> group_total_;  // P x shared features x padded K: as a row group knows them
  std::vector<std::vector<float*>> total_of_;  // P: per feature, where that row group has it
  std::vector<std::vector<float>> scratch_;    // P: working memory
  Sweep sweep_;
  std::size_t sweeps_ = 0;
  std::size_t settled_ = 0;  // steps of finish_fit() that are done
  double moved_ = 1;
  double step_ = 1;
  double least_moved_ = 1;       // of all sweeps so far
  std::size_t since_least_ = 0;  // sweeps
};

}  // namespace medley::engines
