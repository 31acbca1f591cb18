// SPDX-License-Identifier: Apache-2.0
#include "medley/io.hpp"

#include "bind.hpp"
#include "long_call.hpp"
#include "sources.hpp"

namespace medley::python {

void bind_stream(nb::module_& module) {
  nb::class_<Stream>(module, "Stream")
      .def_prop_ro("rows", [](const Stream& s) { return s.rows->rows(); })
      .def_prop_ro(
          "shape",
          [](const Stream& s) { return Data{std::make_shared<const Dataset>(s.rows->shape())}; })
      .def("batch",
           [](const Stream& s, std::size_t begin, std::size_t end) {
             return Data{std::make_shared<const Dataset>(long_call(
                 [rows = s.rows, begin, end](const Hooks&) { return rows->batch(begin, end); }))};
           })
      .def("sample", [](const Stream& s, std::size_t count, std::uint64_t seed) {
        return Data{std::make_shared<const Dataset>(
            long_call([rows = s.rows, count, seed](const Hooks& hooks) {
              return sample_rows(*rows, count, seed, hooks);
            }))};
      });
  module.def("is_stream", &is_stream);
  module.def("open_stream", [](const std::string& path, const ReadOptions& options) {
    return Stream{std::shared_ptr<const RowSource>(open_stream(path, options))};
  });
  module.def("convert_to_stream", [](const std::vector<std::pair<std::string, std::string>>& named,
                                     const ReadOptions& options, const std::string& path) {
    std::vector<Source> from;
    for (const auto& [name, file] : named) from.push_back({name, file});
    const StreamedData found = long_call([from, options, path](const Hooks& hooks) {
      return convert_to_stream(from, options, path, hooks);
    });
    return std::tuple(found.rows, found.cells, found.warnings);
  });
  nb::class_<StreamWriter>(module, "StreamWriter")
      .def(nb::init<const std::string&>())
      .def("append",
           [](StreamWriter& writer, const Data& data) {
             nb::gil_scoped_release release;
             writer.append(*data.set);
           })
      .def("finish",
           [](StreamWriter& writer, const Schema& schema) {
             nb::gil_scoped_release release;
             writer.finish(schema);
           })
      .def_prop_ro("rows", &StreamWriter::rows);
  nb::class_<SchemaBuilder>(module, "SchemaBuilder")
      .def(nb::init<ReadOptions>())
      .def("add",
           [](SchemaBuilder& builder, const Sources& sources) {
             nb::gil_scoped_release release;
             builder.add(sources.all);
           })
      .def("merge", &SchemaBuilder::merge)
      .def_prop_ro("rows", &SchemaBuilder::rows)
      .def("finish", &SchemaBuilder::finish);
}

}  // namespace medley::python
