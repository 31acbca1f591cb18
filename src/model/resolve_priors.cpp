// SPDX-License-Identifier: Apache-2.0
// Priors of memberships: alpha of proportions, rates and locations of those that count.
#include <charconv>
#include <cmath>

#include "core/text.hpp"
#include "model/resolver.hpp"

namespace medley::model {
namespace {

// Of gamma and correlated membership: dimensions of the locations, and how sure
// scales are of being near 1 where there is no smoothing to go by.
constexpr std::size_t kUsualDimension = 100;
constexpr double kLeastScalePrior = 1;

}  // namespace

void Resolver::choose_alpha() {
  FitOptions& o = out_.options;
  if (out_.membership == nullptr) return;
  if (!out_.membership->dirichlet) {
    if (!o.alpha.empty()) {
      object("`alpha`", o.membership + " membership has no alpha; its prior is always fitted",
             "leave out `alpha`");
    }
    return;
  }
  const bool as_preset = o.membership == preset_->membership;
  if (o.alpha.empty()) o.alpha = as_preset ? preset_->alpha : "fitted";
  out_.alpha_start = 1.0 / static_cast<double>(std::max<std::size_t>(1, o.components));
  if (o.alpha == "fitted") {
    out_.alpha = AlphaMode::fitted;
  } else if (o.alpha == "symmetric") {
    out_.alpha = AlphaMode::symmetric;
  } else if (!parse_fixed(o.alpha)) {
    object(core::setting("alpha", o.alpha), "is not understood",
           "fitted, symmetric, or fixed:VALUE such as fixed:0.1 or fixed:50/K");
  }
}

bool Resolver::parse_fixed(std::string_view text) {
  if (!text.starts_with("fixed:")) return false;
  text.remove_prefix(6);
  const bool over_k = text.ends_with("/K");
  if (over_k) text.remove_suffix(2);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !(value > 0) ||
      !std::isfinite(value))
    return false;
  out_.alpha = AlphaMode::fixed;
  out_.alpha_start =
      over_k ? value / static_cast<double>(std::max<std::size_t>(1, out_.options.components))
             : value;
  return true;
}

void Resolver::choose_rates() {
  RateOptions& rates = out_.options.rates;
  const auto* membership = out_.membership;
  if (membership == nullptr) return;
  if (!membership->counts) {
    rates = {};
    return;
  }
  if (out_.classes > 0)
    object(core::setting("membership", out_.options.membership), "is not offered with a label",
           "use mixed or single, or `head=\"none\"`");
  const auto k = static_cast<double>(std::max<std::size_t>(1, out_.options.components));
  std::size_t slots = 0;
  for (const Block& block : data_.blocks) slots += block.slots();
  if (!rates.a0) rates.a0 = 1 / k;
  if (!rates.b0) rates.b0 = 1 / k;
  if (!rates.c0)
    rates.c0 =
        std::max(kLeastScalePrior, out_.options.smoothing.value_or(0) * static_cast<double>(slots));
  if (membership->located) {
    choose_locations(rates);
  } else if (rates.dimension || rates.sigma2) {
    object("`dimension`, `sigma2`", out_.options.membership + " membership has no locations",
           "use `membership=\"correlated\"`, or leave them out");
  }
  for (const auto& value : {rates.a0, rates.b0, rates.c0, rates.sigma2}) {
    if (value && !(*value > 0 && std::isfinite(*value)))
      object("`a0`, `b0`, `c0`, `sigma2`", "must be numbers above 0", "leave them out");
  }
}

void Resolver::choose_locations(RateOptions& rates) {
  const std::size_t components = std::max<std::size_t>(1, out_.options.components);
  if (rates.dimension.value_or(0) == 0) rates.dimension = std::min(kUsualDimension, components);
  if (*rates.dimension > components)
    object(core::setting("dimension", *rates.dimension),
           "locations need no more dimensions than there are components",
           "at most " + std::to_string(components));
  if (!rates.sigma2) rates.sigma2 = 1 / static_cast<double>(*rates.dimension);
}

}  // namespace medley::model
