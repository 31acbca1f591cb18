// SPDX-License-Identifier: Apache-2.0
#include "choose/split_profile.hpp"

#include <algorithm>
#include <vector>

#include "choose/purposes.hpp"
#include "core/rng.hpp"
#include "families/family.hpp"
#include "memberships/membership.hpp"
#include "model/model.hpp"

namespace medley::choose {
namespace {

constexpr double kApart = 0.5;  // standard deviation of the noise: odds differ by half or so

// K + 1 columns from K: the last is again that of component `from`.
std::unique_ptr<families::Family> with_copy(const model::ModelBlock& block, std::size_t from) {
  const families::Family& old = *block.family;
  auto out = old.entry().make(block.shape, old.components() + 1);
  const std::size_t rows = old.parameters().size() / old.padded();
  std::vector<double> values(out->parameters().size(), 0.0);
  for (std::size_t row = 0; row < rows; ++row) {
    const double* p = &old.parameters()[row * old.padded()];
    double* q = &values[row * out->padded()];
    std::copy_n(p, old.components(), q);
    q[old.components()] = p[from];
  }
  out->set_parameters(values);
  return out;
}

// Components `a` and `b`, so far the same, in opposite directions.
void push_apart(families::FreeParameters& of, std::size_t components, std::size_t a, std::size_t b,
                core::Rng& rng) {
  const std::size_t size = of.free_size();
  std::vector<double> free(components * size);
  of.free_parameters(free);
  for (std::size_t i = 0; i < size; ++i) {
    const double step = kApart * rng.normal();
    free[a * size + i] += step;
    free[b * size + i] -= step;
  }
  of.set_free_parameters(free);
}

}  // namespace

std::optional<Model> split_largest(const Model& model, std::uint64_t seed) {
  const model::Parts& parts = model.parts();
  const std::size_t components = parts.components();
  if (parts.membership->parameters().size() != components || parts.head) return std::nullopt;
  const auto largest =
      static_cast<std::size_t>(std::ranges::max_element(parts.sizes) - parts.sizes.begin());
  auto out = std::make_shared<model::Parts>();
  out->schema = parts.schema;
  out->options = parts.options;
  out->options.components = components + 1;
  out->names.resize(components + 1);
  out->sizes = parts.sizes;
  out->sizes[largest] /= 2;
  out->sizes.push_back(out->sizes[largest]);
  core::Rng rng(seed, purpose(Purpose::split), components);
  for (const model::ModelBlock& block : parts.blocks) {
    auto family = with_copy(block, largest);
    if (family->free() == nullptr) return std::nullopt;
    push_apart(*family->free(), family->components(), largest, components, rng);
    model::ModelBlock& next = out->blocks.emplace_back();
    next.shape = block.shape;
    next.family = std::move(family);
  }
  out->membership = parts.membership->entry().make(components + 1, parts.options.rates);
  std::vector<double> prior(parts.membership->parameters().begin(),
                            parts.membership->parameters().end());
  prior[largest] /= 2;
  prior.push_back(prior[largest]);
  out->membership->set_parameters(prior);
  return Model(std::move(out));
}

}  // namespace medley::choose
