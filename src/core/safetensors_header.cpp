// SPDX-License-Identifier: Apache-2.0
#include "core/safetensors.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "medley/error.hpp"

namespace medley::core {
namespace {

constexpr std::array<std::string_view, 5> kTypeNames = {"F64", "I64", "F32", "U8", "U32"};
constexpr std::string_view kMetadataKey = "__metadata__";

/// A name shortened for messages, without control characters.
std::string shown(std::string_view name) {
  constexpr std::size_t kLongest = 60;
  std::string out = "\"";
  for (const char c : name.substr(0, kLongest)) {
    const auto byte = static_cast<unsigned char>(c);
    out += byte < 0x20 || byte == 0x7f ? '?' : c;
  }
  return out + (name.size() > kLongest ? "...\"" : "\"");
}

/// Follows the parser's events and accepts only the grammar of a safetensors header, so that the
/// grammar, not the text, bounds nesting and size. Every event returns whether to continue; the
/// first refusal is kept in `problem`.
class HeaderEvents : public nlohmann::json_sax<nlohmann::json> {
 public:
  TensorHeader header;
  std::string problem;

  bool null() override { return misplaced("null"); }
  bool boolean(bool) override { return misplaced("true or false"); }
  bool number_float(number_float_t, const string_t& text) override {
    return misplaced("the number " + shown(text));
  }
  bool binary(binary_t&) override { return misplaced("binary data"); }

  bool number_integer(number_integer_t value) override {
    return misplaced("the negative number " + std::to_string(value));
  }

  bool number_unsigned(number_unsigned_t value) override {
    if (place_ != Place::array) return misplaced("a number");
    if (array_.size() == kMaxTensorRank) {
      return refuse("tensor " + shown(name_) + " has more than " + std::to_string(kMaxTensorRank) +
                    " dimensions");
    }
    array_.push_back(value);
    return true;
  }

  bool string(string_t& value) override {
    if (place_ == Place::metadata) {
      header.metadata[key_] = std::move(value);
      return true;
    }
    if (place_ != Place::tensor || key_ != "dtype") return misplaced("a string");
    const auto* found = std::find(kTypeNames.begin(), kTypeNames.end(), value);
    if (found == kTypeNames.end()) {
      return refuse("tensor " + shown(name_) + " is of the type " + shown(value) +
                    "; F64, I64, F32, U8 and U32 are known");
    }
    tensor_.type = static_cast<ElementType>(found - kTypeNames.begin());
    return true;
  }

  bool start_object(std::size_t) override {
    if (place_ == Place::start) {
      place_ = Place::file;
    } else if (place_ == Place::file) {
      place_ = name_ == kMetadataKey ? Place::metadata : Place::tensor;
      tensor_ = {};
      seen_.clear();
    } else {
      return misplaced("an object");
    }
    return true;
  }

  bool key(string_t& key) override {
    if (place_ == Place::file) {
      if (header.places.contains(key) || (key == kMetadataKey && metadata_seen_)) return twice(key);
      metadata_seen_ = metadata_seen_ || key == kMetadataKey;
      name_ = std::move(key);
      return true;
    }
    if (place_ == Place::metadata && header.metadata.contains(key)) return twice(key);
    if (place_ == Place::tensor) {
      if (key != "dtype" && key != "shape" && key != "data_offsets") {
        return refuse("tensor " + shown(name_) + " has an unknown field " + shown(key));
      }
      if (std::find(seen_.begin(), seen_.end(), key) != seen_.end()) return twice(key);
      seen_.push_back(key);
    }
    key_ = std::move(key);
    return true;
  }

  bool end_object() override {
    if (place_ == Place::tensor) {
      if (seen_.size() != 3) {
        return refuse("tensor " + shown(name_) + " lacks its dtype, shape or data_offsets");
      }
      header.places.emplace(name_, std::move(tensor_));
    }
    place_ = place_ == Place::file ? Place::end : Place::file;
    return true;
  }

  bool start_array(std::size_t) override {
    if (place_ != Place::tensor || key_ == "dtype") return misplaced("an array");
    place_ = Place::array;
    array_.clear();
    return true;
  }

  bool end_array() override {
    place_ = Place::tensor;
    if (key_ == "shape") {
      tensor_.shape = array_;
      return true;
    }
    if (array_.size() != 2) {
      return refuse("the data_offsets of tensor " + shown(name_) + " are not two numbers");
    }
    tensor_.begin = array_[0];
    tensor_.end = array_[1];
    return true;
  }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception&) override {
    return refuse("its header is not JSON text, at byte " + std::to_string(position));
  }

 private:
  enum class Place { start, file, metadata, tensor, array, end };

  bool refuse(std::string text) {
    if (problem.empty()) problem = std::move(text);
    return false;
  }
  bool twice(std::string_view key) {
    return refuse("its header has the key " + shown(key) + " twice");
  }
  bool misplaced(const std::string& what) {
    return refuse("its header has " + what + " where none belongs" +
                  (name_.empty() ? "" : ", under " + shown(name_)));
  }

  Place place_ = Place::start;
  bool metadata_seen_ = false;
  std::string name_;  ///< key at the top level
  std::string key_;   ///< key one level below
  TensorPlace tensor_;
  std::vector<std::string> seen_;
  std::vector<std::uint64_t> array_;
};

void check_size(const std::string& name, const TensorPlace& place, const std::string& origin) {
  std::uint64_t bytes = 0;
  if (!tensor_bytes(place.shape, place.type, bytes)) {
    refuse_tensor_file(origin, "the shape of tensor " + shown(name) + " is too large for any file");
  }
  if (place.end < place.begin || place.end - place.begin != bytes) {
    refuse_tensor_file(origin, "tensor " + shown(name) + " needs " + std::to_string(bytes) +
                                   " bytes, its data_offsets are " + std::to_string(place.begin) +
                                   " to " + std::to_string(place.end));
  }
}

/// Checks that the tensors, sorted by place, each begin where the previous one ended.
void check_tiling(const TensorHeader& header, std::uint64_t data_size, const std::string& origin) {
  using Entry = std::pair<const std::string, TensorPlace>;
  std::vector<const Entry*> sorted;
  for (const Entry& entry : header.places) sorted.push_back(&entry);
  std::sort(sorted.begin(), sorted.end(), [](const Entry* a, const Entry* b) {
    return std::pair(a->second.begin, a->second.end) < std::pair(b->second.begin, b->second.end);
  });
  std::uint64_t reached = 0;
  for (const Entry* entry : sorted) {
    if (entry->second.begin != reached) {
      refuse_tensor_file(
          origin, "tensor " + shown(entry->first) +
                      (entry->second.begin < reached ? " overlaps" : " leaves a hole after") +
                      " the one before it, at byte " + std::to_string(reached) + " of the data");
    }
    reached = entry->second.end;
  }
  if (reached > data_size) {
    refuse_tensor_file(origin, "its tensors take " + std::to_string(reached) +
                                   " bytes, the file has " + std::to_string(data_size) +
                                   " for them; was the file cut short?");
  }
  if (reached < data_size) {
    refuse_tensor_file(origin, std::to_string(data_size - reached) +
                                   " bytes follow the last tensor; was something appended?");
  }
}

std::string quoted(const std::string& text) {
  try {
    return nlohmann::json(text).dump();
  } catch (const nlohmann::json::type_error&) {
    throw InputError(Problem{"", shown(text) + " is not UTF-8 text and cannot go into a model file",
                             "convert the data to UTF-8, for example with iconv"});
  }
}

std::string numbers(const std::vector<std::uint64_t>& values) {
  std::string out = "[";
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) out += ',';
    out += std::to_string(values[i]);
  }
  return out + "]";
}

}  // namespace

std::size_t element_size(ElementType type) {
  constexpr std::array<std::size_t, 5> kSizes = {8, 8, 4, 1, 4};
  return kSizes[static_cast<std::size_t>(type)];
}

bool tensor_bytes(const std::vector<std::uint64_t>& shape, ElementType type, std::uint64_t& bytes) {
  bytes = element_size(type);
  for (const std::uint64_t dimension : shape) {
    if (__builtin_mul_overflow(bytes, dimension, &bytes)) return false;
  }
  return true;
}

std::vector<std::string> place_tensors(TensorHeader& header) {
  std::vector<std::string> order;
  for (const auto& entry : header.places) order.push_back(entry.first);
  std::sort(order.begin(), order.end(), [&](const std::string& a, const std::string& b) {
    const std::size_t width_a = element_size(header.places.at(a).type);
    const std::size_t width_b = element_size(header.places.at(b).type);
    return width_a != width_b ? width_a > width_b : a < b;
  });
  std::uint64_t offset = 0;
  for (const std::string& name : order) {
    TensorPlace& place = header.places.at(name);
    std::uint64_t bytes = 0;
    (void)tensor_bytes(place.shape, place.type, bytes);
    place.begin = offset;
    place.end = offset += bytes;
  }
  return order;
}

void refuse_tensor_file(const std::string& origin, std::string detail) {
  throw InputError(Problem{origin, "not a Medley model file", std::move(detail)});
}

TensorHeader parse_tensor_header(std::string_view text, std::uint64_t data_size,
                                 const std::string& origin) {
  HeaderEvents events;
  if (!nlohmann::json::sax_parse(text.begin(), text.end(), &events)) {
    refuse_tensor_file(origin, events.problem);
  }
  for (const auto& [name, place] : events.header.places) check_size(name, place, origin);
  check_tiling(events.header, data_size, origin);
  return std::move(events.header);
}

std::string format_tensor_header(const TensorHeader& header,
                                 const std::vector<std::string>& order) {
  std::string json = "{";
  if (!header.metadata.empty()) {
    json += "\"" + std::string(kMetadataKey) + "\":{";
    for (const auto& [key, value] : header.metadata) {
      if (json.back() != '{') json += ',';
      json += quoted(key) + ":" + quoted(value);
    }
    json += '}';
  }
  for (const std::string& name : order) {
    const TensorPlace& place = header.places.at(name);
    if (json.size() > 1) json += ',';
    json += quoted(name) + ":{\"dtype\":\"" +
            std::string(kTypeNames[static_cast<std::size_t>(place.type)]) +
            "\",\"shape\":" + numbers(place.shape) +
            ",\"data_offsets\":" + numbers({place.begin, place.end}) + "}";
  }
  json += '}';
  std::uint64_t length = json.size();
  length += (kTensorAlignment - (length + 8) % kTensorAlignment) % kTensorAlignment;
  if (length > kMaxTensorHeader) {
    throw RunError("the description of the model is " + std::to_string(length) +
                   " bytes long, more than a model file can hold (" +
                   std::to_string(kMaxTensorHeader) + ")");
  }
  json.resize(length, ' ');
  std::string out;
  for (unsigned shift = 0; shift < 64; shift += 8) {
    out += static_cast<char>(static_cast<unsigned char>(length >> shift));
  }
  return out + json;
}

}  // namespace medley::core
