// SPDX-License-Identifier: Apache-2.0
#include "report/page_pack.hpp"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "medley/error.hpp"

namespace medley::report {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are written as they lie");

void pad(std::string& text) {
  text.append((8 - text.size() % 8) % 8, '\0');
}

}  // namespace

using Json = nlohmann::ordered_json;

template <class T>
Json Pack::add(const std::vector<T>& values, const char* type) {
  pad(arrays_);
  Json out = {{"at", arrays_.size()}, {"n", values.size()}, {"type", type}};
  if (!values.empty())
    arrays_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  return out;
}

Json Pack::reals(std::span<const double> values) {
  std::vector<float> narrow;
  narrow.reserve(values.size());
  for (const double value : values)
    narrow.push_back(std::isfinite(value) ? static_cast<float>(value)
                                          : std::numeric_limits<float>::quiet_NaN());
  return add(narrow, "f4");
}

Json Pack::bytes(std::span<const std::uint8_t> values) {
  return add(std::vector<std::uint8_t>(values.begin(), values.end()), "u1");
}

Json Pack::wholes(std::span<const std::uint32_t> values) {
  return add(std::vector<std::uint32_t>(values.begin(), values.end()), "u4");
}

Json Pack::shares(std::span<const double> values) {
  constexpr double kWhole = 65535;
  std::vector<std::uint16_t> steps;
  steps.reserve(values.size());
  for (const double value : values)
    steps.push_back(static_cast<std::uint16_t>(std::lround(std::clamp(value, 0.0, 1.0) * kWhole)));
  return add(steps, "u2");
}

std::string Pack::joined(const Json& json) const {
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  const auto length = static_cast<std::uint32_t>(text.size());
  std::string out(reinterpret_cast<const char*>(&length), sizeof length);
  out += text;
  pad(out);
  return out + arrays_;
}

Json finite(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json finite(std::span<const double> values) {
  Json out = Json::array();
  for (const double value : values) out.push_back(finite(value));
  return out;
}

std::string compressed(std::string_view bytes) {
  constexpr int kGzip = 15 + 16;  // the largest window, in a gzip file
  z_stream stream = {};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzip, 9, Z_DEFAULT_STRATEGY) != Z_OK)
    throw RunError("the page could not be compressed");
  std::string out(deflateBound(&stream, static_cast<uLong>(bytes.size())) + 32, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int done = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (done != Z_STREAM_END) throw RunError("the page could not be compressed");
  return out;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t j = 0; j < 3; ++j)
      three =
          (three << 8U) | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    for (std::size_t j = 0; j < 4; ++j)
      out += i + j <= bytes.size() ? kDigits[(three >> (18 - 6 * j)) & 63U] : '=';
  }
  return out;
}

}  // namespace medley::report
