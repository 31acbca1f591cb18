// SPDX-License-Identifier: Apache-2.0
// Everything: read data, fit a model, use it, inspect it.
//
//   auto data = medley::read({medley::parse_source("survey.csv")}, {});
//   auto model = medley::fit(data, {.components = 3});
//   auto shares = medley::transform(model, data);
#pragma once

#include "medley/data.hpp"
#include "medley/error.hpp"
#include "medley/evaluate.hpp"
#include "medley/fit.hpp"
#include "medley/io.hpp"
#include "medley/model.hpp"
#include "medley/options.hpp"
#include "medley/predict.hpp"
#include "medley/report.hpp"
#include "medley/select.hpp"
#include "medley/simulate.hpp"
#include "medley/uncertainty.hpp"
