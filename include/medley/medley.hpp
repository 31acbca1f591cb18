// SPDX-License-Identifier: Apache-2.0
// Everything: read data, fit a model, use it, look at it.
//
//   auto data = medley::read({medley::parse_source("survey.csv")}, {});
//   auto model = medley::fit(data, {.components = 3});
//   auto shares = medley::transform(model, data);
#pragma once

#include "medley/catalogue.hpp"
#include "medley/choose.hpp"
#include "medley/classify.hpp"
#include "medley/compare.hpp"
#include "medley/correlations.hpp"
#include "medley/dataset.hpp"
#include "medley/diagnose.hpp"
#include "medley/error.hpp"
#include "medley/evaluate.hpp"
#include "medley/fit.hpp"
#include "medley/hooks.hpp"
#include "medley/import.hpp"
#include "medley/inner_validation.hpp"
#include "medley/inspect.hpp"
#include "medley/integer_of.hpp"
#include "medley/memory.hpp"
#include "medley/model.hpp"
#include "medley/options.hpp"
#include "medley/predict.hpp"
#include "medley/quality.hpp"
#include "medley/read.hpp"
#include "medley/report.hpp"
#include "medley/schema.hpp"
#include "medley/select.hpp"
#include "medley/selftest.hpp"
#include "medley/similar.hpp"
#include "medley/simulate.hpp"
#include "medley/stream.hpp"
#include "medley/uncertainty.hpp"
#include "medley/update.hpp"
#include "medley/version.hpp"
#include "medley/whole_file.hpp"
