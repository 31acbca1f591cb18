// SPDX-License-Identifier: Apache-2.0
// What the files of the module share: handles that keep data alive while a call works on it in
// another thread, and numbers as numpy arrays.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "medley/data.hpp"
#include "medley/io.hpp"
#include "medley/model.hpp"

namespace medley::python {

namespace nb = nanobind;

/// A data set, shared with the calls that use it.
struct Data {
  std::shared_ptr<const Dataset> set;
};

/// Rows of a stream file, shared likewise.
struct Stream {
  std::shared_ptr<const RowSource> rows;
};

/// Numbers as an array that owns them; nothing is copied.
template <class Number, std::size_t Dimensions>
nb::ndarray<nb::numpy, Number, nb::ndim<Dimensions>> array(
    std::vector<Number> numbers, const std::array<std::size_t, Dimensions>& shape) {
  auto* kept = new std::vector<Number>(std::move(numbers));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<Number>*>(p); });
  return nb::ndarray<nb::numpy, Number, nb::ndim<Dimensions>>(kept->data(), Dimensions,
                                                              shape.data(), owner);
}
template <class Number>
nb::ndarray<nb::numpy, Number, nb::ndim<1>> array(std::vector<Number> numbers) {
  const std::size_t size = numbers.size();
  return array<Number, 1>(std::move(numbers), {size});
}
using Vector = nb::ndarray<nb::numpy, double, nb::ndim<1>>;
using Whole = nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>>;
using Matrix = nb::ndarray<nb::numpy, double, nb::ndim<2>>;

void bind_errors(nb::module_& module);
void bind_long_calls(nb::module_& module);
void bind_options(nb::module_& module);
void bind_sources(nb::module_& module);
void bind_dataset(nb::module_& module);
void bind_stream(nb::module_& module);
void bind_model(nb::module_& module);
void bind_catalogue(nb::module_& module);
void bind_fit(nb::module_& module);
void bind_predict(nb::module_& module);
void bind_classify(nb::module_& module);
void bind_evaluate(nb::module_& module);
void bind_cross_validate(nb::module_& module);
void bind_select(nb::module_& module);
void bind_quality(nb::module_& module);
void bind_similar(nb::module_& module);
void bind_simulate(nb::module_& module);
void bind_uncertainty(nb::module_& module);
void bind_report(nb::module_& module);

}  // namespace medley::python
