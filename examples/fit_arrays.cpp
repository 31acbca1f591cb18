// SPDX-License-Identifier: Apache-2.0
// Medley from arrays in memory: fits a model to columns that a program holds, saves it, loads it
// again, and gives the shares of a new row.
//
//   fit_arrays MODEL_TO_WRITE.medley
#include <cmath>
#include <cstdint>
#include <iostream>
#include <medley/medley.hpp>
#include <stdexcept>
#include <vector>

namespace {

// Two kinds of visitors: some come for the pictures and stay long, others come for the café.
medley::MemoryTable visitors(std::size_t rows) {
  medley::TextColumn reason{{"pictures", "café", "rain"}, {}};
  medley::TextColumn ticket{{"none", "day", "year"}, {}};
  ticket.ordered = ticket.fixed = true;  // in this order, and all three, whoever comes
  medley::NumberColumn hours;
  for (std::size_t i = 0; i < rows; ++i) {
    const bool art = i % 3 != 0;
    reason.code.push_back(i % 7 == 6 ? medley::kAbsent : i % 11 == 5 ? 2 : art ? 0 : 1);
    ticket.code.push_back(art ? (i % 2 == 0 ? 1 : 2) : 0);
    hours.value.push_back(i % 5 == 4 ? NAN : (art ? 2.0 : 0.5) + 0.1 * static_cast<double>(i % 4));
  }
  medley::MemoryTable table;
  table.rows = rows;
  table.columns = {{"reason", reason}, {"ticket", ticket}, {"hours", hours}};
  return table;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) throw std::runtime_error("usage: fit_arrays MODEL_TO_WRITE.medley");
  const medley::Dataset data = medley::dataset({{"", visitors(300)}});
  std::cout << medley::describe(data);

  medley::FitOptions options;
  options.components = 2;
  medley::fit(data, options).save(argv[1]);

  const medley::Model model = medley::Model::load(argv[1]);
  const medley::TableView tickets = model.table(0);
  std::cout << "P(first level of " << model.blocks()[0]->features[0].name << " | profile 1) is "
            << tickets(0, 0) << '\n';

  // New rows are read by the model's schema; codes may count otherwise, texts decide.
  medley::MemoryTable visitor;
  visitor.rows = 1;
  visitor.columns = {{"ticket", medley::TextColumn{{"year"}, {0}}},
                     {"hours", medley::NumberColumn{{2.2}}}};
  medley::ReadOptions reading;
  reading.schema = model.schema();
  const medley::Memberships shares =
      medley::transform(model, medley::dataset({{"", visitor}}, reading));
  std::cout << "the new row: " << shares.row(0)[0] << " and " << shares.row(0)[1] << '\n';
  return 0;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
