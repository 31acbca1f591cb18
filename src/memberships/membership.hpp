// SPDX-License-Identifier: Apache-2.0
// Membership: how a row's profile weights are distributed and inferred. It owns the row's state,
// how the state becomes the weights e of the kernel, how e * g becomes a new state, the prior's
// part of the bound and the prior's own update. It knows no family and no engine.
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

/// A member of the registry. Its flags say what it can do and what its rows are like; which
/// inferences are offered for it follows from them (model/inference.hpp).
struct MembershipEntry {
  const char* name;
  const char* summary;
  const char* parameter;  ///< name of its parameter in files: "alpha", "pi", "scale"
  /// With all priors filled in.
  std::unique_ptr<Membership> (*create)(std::size_t components, const RateOptions& rates);
  /// Rows are proportions drawn from a Dirichlet distribution, whose parameters are the alpha_k.
  bool dirichlet = false;
  /// A row belongs to one component: its observations reach the kernel summed, and what is inferred
  /// of it is exact.
  bool sole = false;
  /// Rows can be inferred from the average of their observations too (Pooling::average).
  bool averages = false;
  /// Rows are amounts rather than proportions: how many observations a row has is modelled too.
  bool counts = false;
  /// A row with nothing observed says something too: that it holds so little.
  bool empty_rows_informative = false;
  /// What a fit begins with for a while, because starting with this one goes wrong; may be null.
  const MembershipEntry* precursor = nullptr;
  /// Components and rows have locations in a space.
  bool located = false;
  /// How many components there are is found, not given.
  bool infers_k = false;
  [[nodiscard]] std::unique_ptr<Membership> make(std::size_t components,
                                                 const RateOptions& rates = {}) const;
};

/// How many K-vectors of working memory a row needs.
inline constexpr std::size_t kScratch = 7;

/// The observations of one row as the kernel wants them.
template <class T>
struct Cells {
  const T* rows = nullptr;    ///< scaled likelihood rows, count x padded K
  const T* weight = nullptr;  ///< count
  std::size_t count = 0;
  std::size_t padded = 0;
  double total = 0;                ///< sum of the weights
  T* norm = nullptr;               ///< count, working memory
  T* scratch = nullptr;            ///< kScratch x padded K, working memory
  const double* offset = nullptr;  ///< K, added to the log weights (a label's say); null: none
  /// Working memory for sweeps over active components (kernels/digamma_sweeps.hpp); null: without.
  T* room = nullptr;
  std::uint32_t* columns = nullptr;
};

/// exp of the offset (K), scaled by the largest: what multiplies the weights e. 1 where there is
/// nothing to add, so that an offset of zero changes no bit.
template <class T>
void offset_factors(const double* offset, std::size_t components, T* out) {
  const double top = *std::max_element(offset, offset + components);
  for (std::size_t k = 0; k < components; ++k) out[k] = static_cast<T>(std::exp(offset[k] - top));
}

/// When a row's fixed point is close enough: max |change of state| < tolerance * max(1, m).
struct Limits {
  double tolerance = 1e-6;
  std::size_t max_sweeps = 20;
  bool every_component = false;  ///< no sweeps over the active components alone
};

/// Where a row's state is repeatedly prior + counts, the counts by weights exp(digamma(state) +
/// offset): memberships/digamma_fixed_point.hpp.
struct DigammaFixedPoint {
  std::span<const double> prior;   ///< K
  std::span<const double> offset;  ///< K; empty: 0
};

/// What the M-step of the prior needs, summed over rows.
struct PriorStatistics {
  double rows = 0;  ///< weighted rows with something observed
  /// statistics_size() numbers. mixed: sum of E log theta, single: sum of responsibilities.
  std::vector<double> sum;
  /// Instead of the sums, where theta has been integrated out (mixed only).
  math::CountsOfCounts counts = {};
  /// Where theta has been integrated out and rows have expected counts a_ik (mixed only): `sum` is
  /// that of alpha_k (digamma(a_ik + alpha_k) - digamma(alpha_k)), this that of
  /// digamma(m_i + alpha_0) - digamma(alpha_0), and their ratio is the next alpha_k.
  std::optional<double> per_alpha = {};
  /// What the membership keeps of every row, where sums do not do; row after row.
  std::vector<double> records = {};
  double scale = 1;  ///< the records stand for so many times their number of rows
  double rho = 1;    ///< weight of the records against what is known already; 1: all of it
  std::size_t threads = 1;
};

/// What a new row's membership theta is on average.
struct PriorMoments {
  std::vector<double> mean;     ///< K: E[theta_k]
  std::vector<double> product;  ///< K x K: E[theta_k theta_l]
};

/// A normaliser below this cannot be trusted in float (nor can its inverse as a coefficient).
inline constexpr double kLeastNorm = 1e-25;

/// Locations of rows and components in a space where cosines tell which are alike: a facet of the
/// memberships that have them.
class Located {
 public:
  [[nodiscard]] virtual std::vector<double> location(std::span<const double> state) const = 0;
  /// Components in the same direction occur together.
  [[nodiscard]] virtual std::vector<double> component_location(std::size_t k) const = 0;
  /// Is shown rows, inferred by its precursor, before its first iteration: rows x K of expected
  /// counts.
  virtual void begin_with(std::span<const double> counts) = 0;
  /// After a fit that took rows for points: sets what that cannot tell, given rows inferred afresh.
  /// Returns how far it was off, as a share: to be repeated, with rows inferred anew, until that is
  /// little. 0: there is nothing to set.
  virtual double settle(const PriorStatistics& from) = 0;

 protected:
  ~Located() = default;
};

class Membership {
 public:
  virtual ~Membership() = default;
  Membership(const Membership&) = delete;
  Membership& operator=(const Membership&) = delete;

  /// Numbers in a row's state; K unless a membership says otherwise.
  [[nodiscard]] std::size_t state_size() const { return sizes_.state; }
  /// The documented start of a row of size m: every component alike.
  virtual void start(double m, std::span<double> state) const = 0;
  /// A row of size m that holds its observations in the given proportions (K).
  virtual void start(double m, std::span<const double> shares, std::span<double> state) const = 0;
  /// Repeats the kernel's pass until the state settles. False if a normaliser underflowed: the
  /// state is then meaningless and the row must be redone by iterate_log.
  virtual bool iterate(const Cells<float>& cells, const Limits& limits,
                       std::span<double> state) const = 0;
  virtual bool iterate(const Cells<double>& cells, const Limits& limits,
                       std::span<double> state) const = 0;
  /// What iterate() repeats without a label, if it is that fixed point.
  [[nodiscard]] virtual std::optional<DigammaFixedPoint> fixed_point() const {
    return std::nullopt;
  }
  /// The same in log space, slow and safe: cells.rows holds log-likelihoods.
  virtual void iterate_log(const Cells<double>& cells, const Limits& limits,
                           std::span<double> state) const = 0;
  /// log of the kernel's weights at this state: observation o's part of the row's bound is
  /// w_o log sum_k exp(log_weights_k + L_ok). Returns the rest of the bound.
  virtual double log_weights(std::span<const double> state, std::span<double> out) const = 0;
  /// E[zbar], what part of the row's observations each component holds at this state; sums to 1.
  /// The prior's mean for an empty row.
  virtual void held(std::span<const double> state, std::span<double> out) const = 0;
  /// Expected membership of the row; sums to 1.
  virtual void shares(std::span<const double> state, std::span<double> out) const = 0;
  /// A membership drawn from what is known of the row at this state. Sums to 1.
  virtual void draw(std::span<const double> state, core::Rng& rng, std::span<double> out) const = 0;
  /// What the bound of a row of size m holds that depends on m alone; it is left out of scores.
  [[nodiscard]] double constant(double m) const;
  [[nodiscard]] std::size_t statistics_size() const { return sizes_.statistics; }
  [[nodiscard]] PriorStatistics empty_statistics() const;
  /// Adds one row to the prior's statistics; log_weights are those of the state.
  virtual void collect(std::span<const double> state, std::span<const double> log_weights,
                       double weight, PriorStatistics& into) const = 0;
  /// Sets the prior to its maximum given the statistics; never lowers the bound.
  virtual void maximise(const PriorStatistics& from, AlphaMode mode) = 0;
  /// Log prior (or minus the divergence from it) of the membership's own parameters, which EM adds
  /// to the bound.
  [[nodiscard]] virtual double log_prior() const { return 0; }
  /// Takes over from another kind of membership with as many components, as well as it can.
  virtual void copy_prior_from(const Membership& from) = 0;
  /// The inverse of maximise, an optional ability: the statistics of so many rows that the present
  /// prior is the maximum of. False: not offered.
  [[nodiscard]] virtual bool recall(double rows, PriorStatistics& out) const;
  [[nodiscard]] virtual PriorMoments prior_moments() const = 0;
  /// log p(all observations of a row come from component k), m > 0 their weight in total, up to
  /// what all components have in common: K numbers. m = 0: log of the mean membership.
  virtual void one_component_log_prior(double m, std::span<double> out) const = 0;
  /// The shares of a new row drawn from the prior; they sum to 1.
  virtual void draw(core::Rng& rng, std::span<double> shares) const;

  [[nodiscard]] const MembershipEntry& entry() const { return entry_; }
  [[nodiscard]] std::size_t components() const { return components_; }
  /// K x width, component by component.
  [[nodiscard]] std::span<const double> parameters() const { return parameters_; }
  virtual void set_parameters(std::span<const double> values);
  /// The parameters as people are shown them: K numbers.
  [[nodiscard]] virtual std::vector<double> shown() const { return parameters_; }
  /// What is wrong with parameters that came from a file; empty if nothing.
  [[nodiscard]] virtual std::string invalid_reason() const;
  /// Null unless it has locations.
  [[nodiscard]] virtual const Located* located() const { return nullptr; }
  [[nodiscard]] Located* located() { return const_cast<Located*>(std::as_const(*this).located()); }
  /// Component k becomes old component order[k].
  void permute(std::span<const std::size_t> order);

 protected:
  /// Numbers in all: parameters, which begin at 1/K; a row's state; statistics.
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
