// SPDX-License-Identifier: Apache-2.0
#include "engines/checkpoint.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>
#include <variant>

#include "medley/error.hpp"
#include "model/option_table.hpp"

namespace medley::engines {
namespace {

constexpr const char* kSumKey = "sum";

// FNV-1a over 8-byte words: fast, and not meant to resist forgery.
class Hash {
 public:
  void add(std::uint64_t word) { value_ = (value_ ^ word) * 0x100000001B3ULL ^ (value_ >> 31U); }
  void add(std::string_view text) {
    add(text.size());
    for (const char c : text) add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
  }
  void add(double value) { add(std::bit_cast<std::uint64_t>(value)); }
  void add_stored(const model::Value& value) {
    add(std::uint64_t{value.index()});
    std::visit([this](const auto& v) { add_value(v); }, value);
  }
  [[nodiscard]] std::string hex() const {
    std::string out(16, '0');
    for (std::size_t i = 0; i < 16; ++i)
      out[15 - i] = "0123456789abcdef"[(value_ >> (4 * i)) & 15U];
    return out;
  }

 private:
  void add_value(std::monostate /*none*/) {}
  void add_value(bool value) { add(std::uint64_t{value ? 1U : 0U}); }
  void add_value(std::uint64_t value) { add(value); }
  void add_value(double value) { add(value); }
  void add_value(const std::string& value) { add(std::string_view(value)); }
  void add_value(const std::vector<std::size_t>& list) {
    add(std::uint64_t{list.size()});
    for (const std::size_t n : list) add(std::uint64_t{n});
  }

  std::uint64_t value_ = 0xCBF29CE484222325ULL;
};

// Of bytes: four sums side by side, which is as fast as memory is.
void add_bytes(std::span<const std::byte> bytes, Hash& hash) {
  constexpr std::size_t kLanes = 4, kStep = kLanes * sizeof(std::uint64_t);
  constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15ULL;
  std::array<std::uint64_t, kLanes> lane{1, 2, 3, 4}, word{};
  std::size_t at = 0;
  const auto mix = [&] {
    for (std::size_t i = 0; i < kLanes; ++i) {
      const std::uint64_t value = (lane[i] ^ word[i]) * kOdd;
      lane[i] = value ^ (value >> 32U);
    }
  };
  for (; at + kStep <= bytes.size(); at += kStep) {
    std::memcpy(word.data(), bytes.data() + at, kStep);
    mix();
  }
  word.fill(0);
  if (at < bytes.size()) std::memcpy(word.data(), bytes.data() + at, bytes.size() - at);
  mix();
  hash.add(std::uint64_t{bytes.size()});
  for (const std::uint64_t value : lane) hash.add(value);
}

// Of everything in the file but itself.
std::string check_sum(const core::TensorFile& file) {
  Hash hash;
  for (const auto& [key, value] : file.metadata) {
    if (key == kSumKey) continue;
    hash.add(std::string_view(key));
    hash.add(std::string_view(value));
  }
  for (const auto& [name, tensor] : file.tensors) {
    hash.add(std::string_view(name));
    hash.add(std::uint64_t{tensor.values.index()});
    for (const std::uint64_t size : tensor.shape) hash.add(size);
    std::visit([&](const auto& values) { add_bytes(std::as_bytes(std::span(values)), hash); },
               tensor.values);
  }
  return hash.hex();
}

std::string trace_name(std::size_t restart) {
  return "finished." + std::to_string(restart) + ".";
}

}  // namespace

std::string fingerprint(const Dataset& data, const FitOptions& options) {
  Hash hash;
  for (const model::FitOption& option : model::fit_option_table()) {
    for (const model::Place& place : option.places) {
      if (option.field.in_fingerprint) hash.add_stored(place.get(options));
    }
  }
  if (const KeptColumn* label = data.label()) {
    for (const std::int32_t code : label->code) hash.add(static_cast<double>(code));
  }
  hash.add(std::uint64_t{data.rows});
  for (const double w : data.row_weight) hash.add(w);
  for (const Block& block : data.blocks) {
    hash.add(block.family);
    for (const Feature& feature : block.features) hash.add(feature.shift);
    for (const std::uint32_t s : block.first_slot) hash.add(std::uint64_t{s});
    for (const std::uint64_t s : block.row_start) hash.add(s);
    for (const std::uint32_t s : block.slot) hash.add(std::uint64_t{s});
    for (const float w : block.weight) hash.add(static_cast<double>(w));
    for (const double v : block.value) hash.add(v);
  }
  return hash.hex();
}

void save_checkpoint(const std::string& path, const std::string& fingerprint,
                     core::TensorFile file) {
  file.metadata["format"] = "medley checkpoint";
  file.metadata["fingerprint"] = fingerprint;
  file.metadata[kSumKey] = check_sum(file);
  core::save_tensors(file, path);
}

core::TensorFile load_checkpoint(const std::string& path, const std::string& fingerprint) {
  core::TensorFile file = core::load_tensors(path);
  if (file.meta("format") != "medley checkpoint") {
    throw InputError({path, "is not a checkpoint", "leave out `resume` to begin anew"});
  }
  if (file.meta("fingerprint") != fingerprint) {
    throw InputError({path, "is a checkpoint of other data or other options",
                      "resume with the very same command, or leave out `resume` to begin anew"});
  }
  if (file.meta(kSumKey) != check_sum(file)) {
    throw InputError({path, "the checkpoint is damaged", "leave out `resume` to begin anew"});
  }
  return file;
}

namespace {

core::TensorFile file_of(Position position, const Finished& finished) {
  core::TensorFile file = finished.best_model;
  file.put("position", std::vector<std::int64_t>{static_cast<std::int64_t>(position.restart),
                                                 static_cast<std::int64_t>(position.stage),
                                                 static_cast<std::int64_t>(finished.runs.size()),
                                                 static_cast<std::int64_t>(finished.best)});
  for (std::size_t r = 0; r < finished.runs.size(); ++r) finished.runs[r].save(file, trace_name(r));
  return file;
}

}  // namespace

core::TensorFile checkpoint_of(Position position, const Engine& engine, const RunTrace& trace,
                               const Finished& finished, const core::TensorFile& more) {
  core::TensorFile file = file_of(position, finished);
  file.tensors.insert(more.tensors.begin(), more.tensors.end());
  engine.save(file, "run.");
  trace.save(file, "course.");
  return file;
}

core::TensorFile checkpoint_of(std::size_t restart, const Finished& finished) {
  return file_of({restart, Stage::fresh}, finished);
}

Checkpoint read_checkpoint(const std::string& path, const std::string& fingerprint) {
  Checkpoint result;
  result.file = load_checkpoint(path, fingerprint);
  const auto& position = result.file.integers("position", 4);
  if (std::ranges::any_of(position, [](std::int64_t v) { return v < 0; }) ||
      position[2] != position[0] || position[3] >= std::max<std::int64_t>(position[2], 1)) {
    throw InputError({path, "the checkpoint is damaged", "leave out `resume` to begin anew"});
  }
  result.position = {
      static_cast<std::size_t>(position[0]),
      static_cast<Stage>(std::min(position[1], static_cast<std::int64_t>(Stage::fresh)))};
  result.finished.best = static_cast<std::size_t>(position[3]);
  for (std::int64_t r = 0; r < position[2]; ++r) {
    result.finished.runs.emplace_back().restore(result.file,
                                                trace_name(static_cast<std::size_t>(r)));
  }
  for (const auto& [name, tensor] : result.file.tensors) {
    if (name.starts_with("best.")) result.finished.best_model.tensors[name] = tensor;
  }
  result.finished.best_model.origin = path;
  return result;
}

}  // namespace medley::engines
