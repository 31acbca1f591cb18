// SPDX-License-Identifier: Apache-2.0
// Putting arrays into a TensorFile and taking them out again, checked.
#include <utility>

#include "core/safetensors.hpp"
#include "medley/error.hpp"

namespace medley::core {
namespace {

[[noreturn]] void refuse(const TensorFile& file, std::string what) {
  throw InputError(Problem{file.origin, std::move(what),
                           "written by another version, or not a Medley model; fit it again"});
}

template <typename T>
void put_values(TensorFile& file, const std::string& name, std::vector<T> values,
                std::vector<std::uint64_t> shape) {
  if (shape.empty()) shape = {values.size()};
  file.tensors[name] = Tensor{std::move(shape), std::move(values)};
}

template <typename T>
const std::vector<T>& take_values(const TensorFile& file, const std::string& name,
                                  std::size_t count, const char* type) {
  const auto found = file.tensors.find(name);
  if (found == file.tensors.end()) refuse(file, "lacks the array \"" + name + "\"");
  const auto* values = std::get_if<std::vector<T>>(&found->second.values);
  if (values == nullptr) refuse(file, "the array \"" + name + "\" is not of type " + type);
  if (count != TensorFile::npos && values->size() != count) {
    refuse(file, "the array \"" + name + "\" has " + std::to_string(values->size()) +
                     " values, not " + std::to_string(count));
  }
  return *values;
}

}  // namespace

void TensorFile::put(const std::string& name, std::vector<double> values,
                     std::vector<std::uint64_t> shape) {
  put_values(*this, name, std::move(values), std::move(shape));
}

void TensorFile::put(const std::string& name, std::vector<float> values,
                     std::vector<std::uint64_t> shape) {
  put_values(*this, name, std::move(values), std::move(shape));
}

void TensorFile::put(const std::string& name, std::vector<std::int64_t> values,
                     std::vector<std::uint64_t> shape) {
  put_values(*this, name, std::move(values), std::move(shape));
}

void TensorFile::put_strings(const std::string& name, const std::vector<std::string>& strings) {
  std::vector<std::uint8_t> bytes;
  std::vector<std::int64_t> offsets = {0};
  for (const std::string& text : strings) {
    bytes.insert(bytes.end(), text.begin(), text.end());
    offsets.push_back(static_cast<std::int64_t>(bytes.size()));
  }
  put_values(*this, name + ".bytes", std::move(bytes), {});
  put_values(*this, name + ".offsets", std::move(offsets), {});
}

bool TensorFile::has(const std::string& name) const {
  return tensors.contains(name) || tensors.contains(name + ".offsets");
}

const std::vector<double>& TensorFile::doubles(const std::string& name, std::size_t count) const {
  return take_values<double>(*this, name, count, "F64");
}

const std::vector<float>& TensorFile::floats(const std::string& name, std::size_t count) const {
  return take_values<float>(*this, name, count, "F32");
}

const std::vector<std::int64_t>& TensorFile::integers(const std::string& name,
                                                      std::size_t count) const {
  return take_values<std::int64_t>(*this, name, count, "I64");
}

std::vector<std::string> TensorFile::strings(const std::string& name) const {
  const std::string bytes_name = name + ".bytes";  // no temporary: newer g++ warn
  const auto& bytes = take_values<std::uint8_t>(*this, bytes_name, npos, "U8");
  const auto& offsets = integers(name + ".offsets");
  const auto size = static_cast<std::int64_t>(bytes.size());
  bool sound = !offsets.empty() && offsets.front() == 0 && offsets.back() == size;
  for (std::size_t i = 1; sound && i < offsets.size(); ++i) sound = offsets[i - 1] <= offsets[i];
  if (!sound) refuse(*this, "the strings \"" + name + "\" have offsets out of order");
  std::vector<std::string> out;
  out.reserve(offsets.size() - 1);
  for (std::size_t i = 1; i < offsets.size(); ++i) {
    out.emplace_back(bytes.begin() + offsets[i - 1], bytes.begin() + offsets[i]);
  }
  return out;
}

const std::string& TensorFile::meta(const std::string& key) const {
  const auto found = metadata.find(key);
  if (found == metadata.end()) refuse(*this, "lacks the entry \"" + key + "\"");
  return found->second;
}

}  // namespace medley::core
