// SPDX-License-Identifier: Apache-2.0
// A program of somebody else's that uses an installed medley: it must compile, link and run.
#include <iostream>
#include <medley/dataset.hpp>
#include <medley/error.hpp>

int main() {
  const medley::InputError error(medley::Problem{"votes.csv:2", "a cell too many", "remove it"});
  const medley::Dataset empty;
  std::cout << error.what() << '\n';
  return error.total() == 1 && empty.rows == 0 ? 0 : 1;
}
