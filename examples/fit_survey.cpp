// SPDX-License-Identifier: Apache-2.0
// Medley from C++: fits three profiles to a table and prints the first rows' shares.
//
//   fit_survey data/house-votes-1984.csv party
//
// The second argument, if any, is a column to leave out.
#include <algorithm>
#include <iostream>
#include <medley/medley.hpp>

int main(int argc, char** argv) try {
  if (argc < 2) throw std::runtime_error("usage: fit_survey TABLE.csv [COLUMN_TO_IGNORE]");
  medley::ReadOptions reading;
  if (argc > 2) reading.ignore = {argv[2]};
  const medley::Dataset data = medley::read({medley::parse_source(argv[1])}, reading);

  medley::FitOptions options;
  options.components = 3;
  const medley::Model model = medley::fit(data, options);
  std::cout << medley::describe(model.summary()) << medley::inspect(model, {});

  const medley::Memberships shares = medley::transform(model, data);
  for (std::size_t row = 0; row < std::min<std::size_t>(5, shares.rows()); ++row) {
    std::cout << data.id_of(row);
    for (std::size_t k = 0; k < shares.components; ++k) std::cout << ' ' << shares.row(row)[k];
    std::cout << '\n';
  }
  return 0;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
