// SPDX-License-Identifier: Apache-2.0
// The deviance information criterion with conditional focus: with P_o = sum_k theta_ik f(x_o |
// beta_k), the probability of an observation given its person's membership and the tables,
//
//   D = -2 sum_o log P_o,   p_D = mean of D - D(plug-in),   DIC = mean of D + p_D
//
// The plug-in is the posterior mean of every P_o, which does not depend on how components are
// numbered; means of theta and beta from draws whose labels were switched would give nonsense.
// p_D counts memberships too, so that it is not comparable with a DIC of the marginal likelihood.
#pragma once

#include <span>

namespace medley::samplers {

struct Dic {
  double mean_deviance = 0;  ///< D-bar
  double plug_in = 0;        ///< D at the posterior mean of P
  [[nodiscard]] double effective() const { return mean_deviance - plug_in; }  ///< p_D
  [[nodiscard]] double dic() const { return mean_deviance + effective(); }
};

/// `log_likelihood`: sum_o log P_o of every draw; `plug_in`: sum_o log of the mean of P_o.
[[nodiscard]] Dic conditional_dic(std::span<const double> log_likelihood, double plug_in);

}  // namespace medley::samplers
