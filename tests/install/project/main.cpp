// SPDX-License-Identifier: Apache-2.0
// A program of somebody else's that uses an installed medley: it must compile, link and run. It
// reads a table, fits and saves a model, so that everything the library is built on has to be found
// by the linker.
#include <cmath>
#include <fstream>
#include <iostream>
#include <medley/medley.hpp>

namespace {

// Two camps of 30 people who agree on everything within a camp, and one who skipped a question.
void write_table(const char* path) {
  std::ofstream file(path);
  file << "a,b,c\n";
  for (int person = 0; person < 30; ++person) file << "yes,yes,often\nno,no,never\n";
  file << "yes,,often\n";
}

bool fits_two_camps() {
  write_table("camps.csv");
  const medley::Dataset data = medley::read({medley::parse_source("camps.csv")}, {});
  medley::FitOptions options;
  options.components = 2;
  medley::fit(data, options).save("camps.medley");
  const medley::Model model = medley::Model::load("camps.medley");
  const medley::Memberships shares = medley::transform(model, data);
  std::cout << medley::inspect(model, {});
  const double same = std::abs(shares.row(0)[0] - shares.row(2)[0]);
  const double other = std::abs(shares.row(0)[0] - shares.row(1)[0]);
  return data.rows == 61 && same < 1e-9 && other > 0.9;
}

bool names_what_is_wrong() {
  try {
    const medley::Dataset data = medley::read({medley::parse_source("absent.csv")}, {});
  } catch (const medley::InputError& error) {
    std::cout << error.what() << '\n';
    return error.total() == 1;
  }
  return false;
}

}  // namespace

int main() {
  return fits_two_camps() && names_what_is_wrong() ? 0 : 1;
}
