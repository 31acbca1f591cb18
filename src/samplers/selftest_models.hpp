// SPDX-License-Identifier: Apache-2.0
// The Dirichlet-process mixture (samplers/dp_model.hpp) before a test of its sampler: drawn forward
// as it is told, concentration a, labels row by row,
//
//   p(row n+1 in cluster k) = n_k / (n + a),   p(a new one) = a / (n + a)
//
// tables, cells. Its sampler is DpChain for labels and concentration, and dp_finite for the tables,
// which DpChain has integrated out.
#pragma once

#include <memory>

#include "samplers/dp_chain.hpp"
#include "samplers/dp_model.hpp"
#include "samplers/gom_chain.hpp"
#include "samplers/gom_model.hpp"
#include "samplers/selftest_stage.hpp"

namespace medley::samplers {

class DpJoint : public Joint {
 public:
  /// `options`: their priors of tables are replaced by those of the stage, which must outlive this.
  DpJoint(const Stage& stage, DpOptions options);

  void draw_forward(core::Rng& rng) override;
  void draw_cells(core::Rng& rng) override;
  void begin(std::uint64_t seed, bool here) override;
  void sweep(bool tune) override;
  [[nodiscard]] std::vector<Followed> followed() const override;
  [[nodiscard]] std::vector<double> values() const override;

 protected:
  const Stage& stage_;
  DpOptions options_;
  double concentration_ = 1;
  Labels labels_;          // 0 .. clusters-1, in order of first appearance
  std::size_t count_ = 0;  // components of the tables: of them the first have rows
  Tables tables_;
  Dataset cells_;
  std::unique_ptr<DpModel> model_;
  std::unique_ptr<DpChain> chain_;  // over the model, which is over the cells

 private:
  [[nodiscard]] Components components() const;
};

// The grade-of-membership model (samplers/gom_model.hpp) before a test of its sampler: drawn
// forward as it is told, alpha, tables, memberships theta, components z, cells; its sampler is
// GomChain. Memberships are integrated out there, so that the unknowns are alpha, tables and z.

class GomJoint : public Joint {
 public:
  /// `options`: their priors of tables are replaced by those of the stage, which must outlive this.
  GomJoint(const Stage& stage, GomOptions options);

  void draw_forward(core::Rng& rng) override;
  void draw_cells(core::Rng& rng) override;
  void begin(std::uint64_t seed, bool here) override;
  void sweep(bool tune) override;
  [[nodiscard]] std::vector<Followed> followed() const override;
  [[nodiscard]] std::vector<double> values() const override;

 protected:
  const Stage& stage_;
  GomOptions options_;
  GomState state_;
  Dataset cells_;
  std::unique_ptr<GomModel> model_;
  std::unique_ptr<GomChain> chain_;  // over the model, which is over the cells

 private:
  void draw_alpha(core::Rng& rng);
  void draw_components(core::Rng& rng);
};

}  // namespace medley::samplers
