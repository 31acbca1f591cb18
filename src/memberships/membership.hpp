// SPDX-License-Identifier: Apache-2.0
// Membership: how a row's component weights are distributed and inferred. It owns the row's state,
// the map from the state to the weights e of the kernel and from e * g to a new state, the prior's
// part of the bound, and the update of the prior. It depends on no family and no engine.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/rng.hpp"
#include "math/dirichlet.hpp"
#include "medley/options.hpp"

namespace medley::memberships {

class Membership;

/// How a row's observations reach the kernel.
enum class Pooling {
  none,     ///< each observation has its own responsibilities
  average,  ///< one pseudo-observation: the average log-likelihood, with the row's size m as weight
  sum       ///< one pseudo-observation: the summed log-likelihood, with weight 1
};

/// An entry of the registry. Its flags say what it can do and what its rows are like; they
/// determine which inferences support it (model/inference.hpp).
struct MembershipEntry {
  const char* name;
  const char* summary;
  const char* parameter;  ///< name of its parameter in files: "alpha", "pi", "scale"
  /// Creates it; all priors in `rates` are set.
  std::unique_ptr<Membership> (*create)(std::size_t components, const RateOptions& rates);
  /// Rows are proportions drawn from a Dirichlet distribution, whose parameters are the alpha_k.
  bool dirichlet = false;
  /// A row belongs to one component: the kernel gets the sum of its observations, and inference is
  /// exact.
  bool sole = false;
  /// Rows can also be inferred from the average of their observations (Pooling::average).
  bool averages = false;
  /// Rows are amounts rather than proportions: the model includes the number of observations.
  bool counts = false;
  /// A row with nothing observed is informative too: it holds so little.
  bool empty_rows_informative = false;
  /// The membership with which a fit starts, because starting with this one fails; may be null.
  const MembershipEntry* precursor = nullptr;
  /// Components and rows have locations in a space.
  bool located = false;
  /// The fit finds the number of components.
  bool infers_k = false;
  [[nodiscard]] std::unique_ptr<Membership> make(std::size_t components,
                                                 const RateOptions& rates = {}) const;
};

/// Number of K-vectors of working memory that a row needs.
inline constexpr std::size_t kScratch = 7;

/// The observations of one row, laid out for the kernel.
template <class T>
struct Cells {
  const T* rows = nullptr;    ///< scaled likelihood rows, count x padded K
  const T* weight = nullptr;  ///< count
  std::size_t count = 0;
  std::size_t padded = 0;
  double total = 0;                ///< sum of the weights
  T* norm = nullptr;               ///< count, working memory
  T* scratch = nullptr;            ///< kScratch x padded K, working memory
  const double* offset = nullptr;  ///< K, added to the log weights (for a label); null: 0
  /// Working memory for sweeps over active components (kernels/digamma_sweeps.hpp); null: no such
  /// sweeps.
  T* room = nullptr;
  std::uint32_t* columns = nullptr;
};

/// exp of the offset (K), scaled by the largest: the factor of the weights e. Exactly 1 if there is
/// no offset, so that an offset of zero changes no bit.
template <class T>
void offset_factors(const double* offset, std::size_t components, T* out) {
  const double top = *std::max_element(offset, offset + components);
  for (std::size_t k = 0; k < components; ++k) out[k] = static_cast<T>(std::exp(offset[k] - top));
}

/// When a row's fixed point has converged: max |change of state| < tolerance * max(1, m).
struct Limits {
  double tolerance = 1e-6;
  std::size_t max_sweeps = 20;
  bool every_component = false;  ///< no sweeps over only the active components
};

/// For memberships whose state is repeatedly prior + counts, with counts by weights
/// exp(digamma(state) + offset): memberships/digamma_fixed_point.hpp.
struct DigammaFixedPoint {
  std::span<const double> prior;   ///< K
  std::span<const double> offset;  ///< K; empty: 0
};

/// The sums over rows that the M-step of the prior needs.
struct PriorStatistics {
  double rows = 0;  ///< weighted rows with something observed
  /// statistics_size() numbers. mixed: sum of E log theta, single: sum of responsibilities.
  std::vector<double> sum;
  /// Replaces the sums if theta has been integrated out (mixed only).
  math::CountsOfCounts counts = {};
  /// If theta has been integrated out and rows have expected counts a_ik (mixed only), `sum` is the
  /// sum of alpha_k (digamma(a_ik + alpha_k) - digamma(alpha_k)), this is the sum of
  /// digamma(m_i + alpha_0) - digamma(alpha_0), and their ratio is the next alpha_k.
  std::optional<double> per_alpha = {};
  /// Numbers that the membership keeps of every row, where sums are not enough; row after row.
  std::vector<double> records = {};
  double scale = 1;  ///< number of rows that each record stands for
  double rho = 1;    ///< weight of the records against earlier knowledge; 1: records only
  std::size_t threads = 1;
};

/// Moments of a new row's membership theta under the prior.
struct PriorMoments {
  std::vector<double> mean;     ///< K: E[theta_k]
  std::vector<double> product;  ///< K x K: E[theta_k theta_l]
};

/// In float, a smaller normaliser is too inaccurate (and so is its inverse as a coefficient).
inline constexpr double kLeastNorm = 1e-25;

/// Locations of rows and components in a space where cosines measure similarity: a facet of the
/// memberships that have them.
class Located {
 public:
  [[nodiscard]] virtual std::vector<double> location(std::span<const double> state) const = 0;
  /// Components in similar directions occur together.
  [[nodiscard]] virtual std::vector<double> component_location(std::size_t k) const = 0;
  /// Called before the first iteration with rows inferred by the precursor: rows x K of expected
  /// counts.
  virtual void begin_with(std::span<const double> counts) = 0;
  /// After a fit that used point estimates of rows: sets what such a fit cannot determine, given
  /// rows inferred afresh. Returns the relative change; repeat with rows inferred anew until it is
  /// small. 0: there is nothing to set.
  virtual double settle(const PriorStatistics& from) = 0;

 protected:
  ~Located() = default;
};

class Membership {
 public:
  virtual ~Membership() = default;
  Membership(const Membership&) = delete;
  Membership& operator=(const Membership&) = delete;

  /// Numbers in a row's state; K unless the membership sets another size.
  [[nodiscard]] std::size_t state_size() const { return sizes_.state; }
  /// The documented start of a row of size m: all components equal.
  virtual void start(double m, std::span<double> state) const = 0;
  /// The start of a row of size m whose observations are divided in the given proportions (K).
  virtual void start(double m, std::span<const double> shares, std::span<double> state) const = 0;
  /// Repeats the kernel's pass until the state converges. Returns false if a normaliser
  /// underflowed: the state is then meaningless, and the row must be redone by iterate_log.
  virtual bool iterate(const Cells<float>& cells, const Limits& limits,
                       std::span<double> state) const = 0;
  virtual bool iterate(const Cells<double>& cells, const Limits& limits,
                       std::span<double> state) const = 0;
  /// The fixed point that iterate() repeats without a label, if it has this form.
  [[nodiscard]] virtual std::optional<DigammaFixedPoint> fixed_point() const {
    return std::nullopt;
  }
  /// The same in log space, slow and safe: cells.rows holds log-likelihoods.
  virtual void iterate_log(const Cells<double>& cells, const Limits& limits,
                           std::span<double> state) const = 0;
  /// Writes the log of the kernel's weights at this state: observation o's part of the row's bound
  /// is w_o log sum_k exp(log_weights_k + L_ok). Returns the rest of the bound.
  virtual double log_weights(std::span<const double> state, std::span<double> out) const = 0;
  /// E[zbar], the expected fraction of the row's observations assigned to each component; sums
  /// to 1. For an empty row the prior's mean.
  virtual void held(std::span<const double> state, std::span<double> out) const = 0;
  /// Expected membership of the row; sums to 1.
  virtual void shares(std::span<const double> state, std::span<double> out) const = 0;
  /// A membership drawn from the row's posterior at this state; sums to 1.
  virtual void draw(std::span<const double> state, core::Rng& rng, std::span<double> out) const = 0;
  /// The part of the bound of a row that depends only on its size m; scores leave it out.
  [[nodiscard]] double constant(double m) const;
  [[nodiscard]] std::size_t statistics_size() const { return sizes_.statistics; }
  [[nodiscard]] PriorStatistics empty_statistics() const;
  /// Adds one row to the prior's statistics; log_weights are those of the state.
  virtual void collect(std::span<const double> state, std::span<const double> log_weights,
                       double weight, PriorStatistics& into) const = 0;
  /// Sets the prior to its maximum given the statistics; never lowers the bound.
  virtual void maximise(const PriorStatistics& from, AlphaMode mode) = 0;
  /// Log prior of the membership's own parameters, or minus their divergence from it; EM adds it to
  /// the bound.
  [[nodiscard]] virtual double log_prior() const { return 0; }
  /// Sets the prior as near as possible to that of another membership with as many components.
  virtual void copy_prior_from(const Membership& from) = 0;
  /// Optional. Reconstructs the statistics of `rows` rows whose M-step gives the present prior.
  /// Returns false if it is not supported.
  [[nodiscard]] virtual bool recall(double rows, PriorStatistics& out) const;
  [[nodiscard]] virtual PriorMoments prior_moments() const = 0;
  /// log p(all observations of a row come from component k), for each k, up to a constant; m > 0 is
  /// their total weight. m = 0: log of the mean membership.
  virtual void one_component_log_prior(double m, std::span<double> out) const = 0;
  /// Draws the shares of a new row from the prior; they sum to 1.
  virtual void draw(core::Rng& rng, std::span<double> shares) const;

  [[nodiscard]] const MembershipEntry& entry() const { return entry_; }
  [[nodiscard]] std::size_t components() const { return components_; }
  /// K x width, component by component.
  [[nodiscard]] std::span<const double> parameters() const { return parameters_; }
  virtual void set_parameters(std::span<const double> values);
  /// The parameters as output shows them: K numbers.
  [[nodiscard]] virtual std::vector<double> shown() const { return parameters_; }
  /// The defect of parameters from a file; empty if there is none.
  [[nodiscard]] virtual std::string invalid_reason() const;
  /// Null unless it has locations.
  [[nodiscard]] virtual const Located* located() const { return nullptr; }
  [[nodiscard]] Located* located() { return const_cast<Located*>(std::as_const(*this).located()); }
  /// Component k becomes old component order[k].
  void permute(std::span<const std::size_t> order);

 protected:
  /// Sizes of the arrays: parameters, which begin at 1/K; a row's state; statistics.
  struct Sizes {
    std::size_t parameters, state, statistics;
  };
  /// K of each.
  Membership(const MembershipEntry& entry, std::size_t components);
  Membership(const MembershipEntry& entry, std::size_t components, const Sizes& sizes);
  std::vector<double> parameters_;

 private:
  const MembershipEntry& entry_;
  std::size_t components_;
  Sizes sizes_;
};

}  // namespace medley::memberships
