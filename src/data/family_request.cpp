// SPDX-License-Identifier: Apache-2.0
#include "data/family_request.hpp"

#include <optional>
#include <string_view>

#include "core/text.hpp"
#include "data/number.hpp"

namespace medley::data {

FamilyRequest family_request(const std::string& text) {
  FamilyRequest request;
  const std::size_t colon = text.find(':');
  request.family = text.substr(0, colon);
  if (colon == std::string::npos) return request;
  const std::string_view setting = std::string_view(text).substr(colon + 1);
  const std::size_t equals = setting.find('=');
  if (setting.substr(0, equals) != "shift" || equals == std::string_view::npos) {
    request.problem = "what follows the family must be shift=NUMBER, not " + core::quoted(setting);
    return request;
  }
  const std::string_view value = setting.substr(equals + 1);
  const std::optional<double> number = number_in(value);
  if (!number) request.problem = "the shift must be a number, not " + core::quoted(value);
  request.shift = number.value_or(0);
  return request;
}

}  // namespace medley::data
