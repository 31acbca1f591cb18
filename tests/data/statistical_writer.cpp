// SPDX-License-Identifier: Apache-2.0
#include "data/statistical_writer.hpp"

#include <readstat.h>

#include <memory>
#include <stdexcept>

namespace medley::testing {
namespace {

void expect_ok(readstat_error_t error) {
  if (error != READSTAT_OK) throw std::runtime_error(readstat_error_message(error));
}

readstat_type_t type_of(Storage storage) {
  switch (storage) {
    case Storage::byte:
      return READSTAT_TYPE_INT8;
    case Storage::integer:
      return READSTAT_TYPE_INT32;
    case Storage::single:
      return READSTAT_TYPE_FLOAT;
    case Storage::text:
      return READSTAT_TYPE_STRING;
    default:
      return READSTAT_TYPE_DOUBLE;
  }
}

class Writer {
 public:
  explicit Writer(const StatisticalFile& file)
      : file_(file), writer_(readstat_writer_init(), &readstat_writer_free) {}

  std::string run() {
    readstat_set_data_writer(writer_.get(), [](const void* data, size_t size, void* to) {
      static_cast<std::string*>(to)->append(static_cast<const char*>(data), size);
      return static_cast<ssize_t>(size);
    });
    readstat_writer_set_file_timestamp(writer_.get(), 500'000'000);
    for (const StatisticalVariable& variable : file_.variables) add(variable);
    if (file_.packed) readstat_writer_set_compression(writer_.get(), READSTAT_COMPRESS_BINARY);
    if (file_.version != 0)
      readstat_writer_set_file_format_version(writer_.get(), static_cast<uint8_t>(file_.version));
    expect_ok(begin());
    for (const auto& row : file_.rows) {
      expect_ok(readstat_begin_row(writer_.get()));
      for (std::size_t i = 0; i < row.size(); ++i) insert(row[i], i);
      expect_ok(readstat_end_row(writer_.get()));
    }
    expect_ok(readstat_end_writing(writer_.get()));
    return bytes_;
  }

 private:
  void add(const StatisticalVariable& wanted) {
    const readstat_type_t type = type_of(wanted.storage);
    readstat_variable_t* variable =
        readstat_add_variable(writer_.get(), wanted.name.c_str(), type, wanted.width);
    if (!wanted.format.empty()) readstat_variable_set_format(variable, wanted.format.c_str());
    if (!wanted.labels.empty()) add_labels(wanted, variable, type);
    for (const auto& [low, high] : wanted.missing)
      expect_ok(readstat_variable_add_missing_double_range(variable, low, high));
    for (const std::string& text : wanted.missing_texts)
      expect_ok(readstat_variable_add_missing_string_value(variable, text.c_str()));
    if (wanted.name == file_.weight) readstat_writer_set_fweight_variable(writer_.get(), variable);
    variables_.push_back(variable);
  }

  void add_labels(const StatisticalVariable& wanted, readstat_variable_t* variable,
                  readstat_type_t type) {
    const readstat_type_t kind = file_.format == Format::dta ? READSTAT_TYPE_INT32 : type;
    readstat_label_set_t* set =
        readstat_add_label_set(writer_.get(), kind, ("of_" + wanted.name).c_str());
    for (const auto& [code, label] : wanted.labels) {
      if (const auto* text = std::get_if<std::string>(&code)) {
        readstat_label_string_value(set, text->c_str(), label.c_str());
      } else if (const auto* tag = std::get_if<Tag>(&code)) {
        readstat_label_tagged_value(set, tag->letter, label.c_str());
      } else if (kind == READSTAT_TYPE_INT32) {
        readstat_label_int32_value(set, static_cast<int32_t>(std::get<double>(code)),
                                   label.c_str());
      } else {
        readstat_label_double_value(set, std::get<double>(code), label.c_str());
      }
    }
    readstat_variable_set_label_set(variable, set);
  }

  readstat_error_t begin() {
    const long rows = static_cast<long>(file_.rows.size());
    switch (file_.format) {
      case Format::por:
        return readstat_begin_writing_por(writer_.get(), &bytes_, rows);
      case Format::dta:
        return readstat_begin_writing_dta(writer_.get(), &bytes_, rows);
      case Format::sas7bdat:
        return readstat_begin_writing_sas7bdat(writer_.get(), &bytes_, rows);
      case Format::xpt:
        return readstat_begin_writing_xport(writer_.get(), &bytes_, rows);
      default:
        return readstat_begin_writing_sav(writer_.get(), &bytes_, rows);
    }
  }

  void insert(const StatisticalCell& cell, std::size_t i) {
    readstat_writer_t* writer = writer_.get();
    const readstat_variable_t* variable = variables_[i];
    if (const auto* text = std::get_if<std::string>(&cell)) {
      expect_ok(readstat_insert_string_value(writer, variable, text->c_str()));
    } else if (const auto* tag = std::get_if<Tag>(&cell)) {
      expect_ok(readstat_insert_tagged_missing_value(writer, variable, tag->letter));
    } else if (std::holds_alternative<SystemMissing>(cell)) {
      expect_ok(readstat_insert_missing_value(writer, variable));
    } else {
      expect_ok(insert_number(std::get<double>(cell), variable, file_.variables[i].storage));
    }
  }

  readstat_error_t insert_number(double value, const readstat_variable_t* variable,
                                 Storage storage) {
    readstat_writer_t* writer = writer_.get();
    if (storage == Storage::byte)
      return readstat_insert_int8_value(writer, variable, static_cast<int8_t>(value));
    if (storage == Storage::integer)
      return readstat_insert_int32_value(writer, variable, static_cast<int32_t>(value));
    if (storage == Storage::single)
      return readstat_insert_float_value(writer, variable, static_cast<float>(value));
    return readstat_insert_double_value(writer, variable, value);
  }

  const StatisticalFile& file_;
  std::unique_ptr<readstat_writer_t, decltype(&readstat_writer_free)> writer_;
  std::vector<readstat_variable_t*> variables_;
  std::string bytes_;
};

}  // namespace

std::string written(const StatisticalFile& file) {
  return Writer(file).run();
}

}  // namespace medley::testing
