// SPDX-License-Identifier: Apache-2.0
#include "medley/data.hpp"

#include <algorithm>

#include "bind.hpp"
#include "long_call.hpp"
#include "medley/io.hpp"
#include "medley/predict.hpp"
#include "medley/report.hpp"
#include "sources.hpp"

namespace medley::python {
namespace {

Data shared(Dataset data) {
  return {std::make_shared<const Dataset>(std::move(data))};
}

std::vector<Source> files(const std::vector<std::pair<std::string, std::string>>& named) {
  std::vector<Source> out;
  for (const auto& [name, path] : named) out.push_back({name, path});
  return out;
}

/// The codes of a kept column; negative: missing, or a class that is not known.
nb::object kept(const Dataset& data, const std::string& name) {
  const KeptColumn* column = data.kept_column(name);
  if (column == nullptr) return nb::none();
  std::vector<std::int64_t> codes(column->code.begin(), column->code.end());
  return nb::make_tuple(array(std::move(codes)), nb::cast(column->levels));
}

const char* in_words(Encoding encoding) {
  switch (encoding) {
    case Encoding::levels:
      return "levels";
    case Encoding::tokens:
      return "tokens";
    case Encoding::real:
      break;
  }
  return "real";
}

nb::dict block_dict(const Block& block) {
  nb::dict out;
  out["name"] = block.name;
  out["family"] = block.family;
  out["encoding"] = in_words(block.encoding);
  out["features"] = block.features.size();
  out["slots"] = block.slots();
  out["cells"] = block.cells();
  out["missing"] = block.missing;
  out["unseen"] = block.unseen;
  return out;
}

/// Counts of a block of words by word, and by row.
std::pair<Vector, Vector> count_sums(const Dataset& data, std::size_t b) {
  const Block& block = data.blocks.at(b);
  std::vector<double> words(block.slots()), rows(data.rows);
  for (std::size_t i = 0; i < data.rows; ++i) {
    for (std::uint64_t c = block.row_start[i]; c < block.row_start[i + 1]; ++c) {
      words[block.slot[c]] += block.weight_of(c);
      rows[i] += block.weight_of(c);
    }
  }
  return {array(std::move(words)), array(std::move(rows))};
}

void bind_schema(nb::module_& module) {
  nb::class_<Schema>(module, "Schema")
      .def_static("from_toml", &schema_from_toml, nb::arg("text"), nb::arg("file"))
      .def("to_toml", [](const Schema& schema) { return to_toml(schema); })
      .def_ro("missing_as_category", &Schema::missing_as_category)
      .def_prop_ro("label",
                   [](const Schema& schema) -> std::optional<std::string> {
                     const ColumnSpec* label = schema.label();
                     return label == nullptr ? std::nullopt : std::optional(label->name);
                   })
      .def("columns", [](const Schema& schema) {
        constexpr const char* kRoles[] = {"feature", "label", "id", "weight", "ignored"};
        constexpr const char* kCells[] = {"value", "text", "tags", "set"};
        constexpr const char* kKinds[] = {"table", "tokens", "triplets", "column"};
        nb::list out;
        for (const SourceSpec& source : schema.sources) {
          for (const ColumnSpec& column : source.columns) {
            nb::dict spec;
            spec["source"] = source.name;
            spec["kind"] = kKinds[static_cast<int>(source.kind)];
            spec["name"] = column.name;
            spec["role"] = kRoles[static_cast<int>(column.role)];
            spec["family"] = column.family;
            spec["cells"] = kCells[static_cast<int>(column.cells)];
            spec["levels"] = column.levels;
            spec["note"] = column.note;
            spec["tied"] = column.tied;
            spec["items"] = source.items.size();
            out.append(spec);
          }
        }
        return out;
      });
}

}  // namespace

void bind_dataset(nb::module_& module) {
  bind_schema(module);
  nb::class_<Data>(module, "Dataset")
      .def_prop_ro("rows", [](const Data& d) { return d.set->rows; })
      .def_prop_ro("ids", [](const Data& d) { return d.set->ids; })
      .def_prop_ro("has_ids", [](const Data& d) { return !d.set->ids.empty(); })
      .def_prop_ro("schema", [](const Data& d) { return d.set->schema; })
      .def_prop_ro("warnings", [](const Data& d) { return d.set->warnings; })
      .def_prop_ro("notes", [](const Data& d) { return d.set->notes; })
      .def_prop_ro(
          "weights", [](const Data& d) { return array(d.set->row_weight); }, nb::rv_policy::move)
      .def_prop_ro("unknown",
                   [](const Data& d) {
                     nb::list out;
                     for (const Unknown& u : d.set->unknown)
                       out.append(nb::make_tuple(u.block, u.name, u.count));
                     return out;
                   })
      .def_prop_ro("extra", [](const Data& d) { return d.set->extra; })
      .def_prop_ro("blocks",
                   [](const Data& d) {
                     nb::list out;
                     for (const Block& block : d.set->blocks) out.append(block_dict(block));
                     return out;
                   })
      .def_prop_ro("kept_names",
                   [](const Data& d) {
                     std::vector<std::string> out;
                     for (const KeptColumn& column : d.set->kept) out.push_back(column.name);
                     return out;
                   })
      .def("kept", [](const Data& d, const std::string& name) { return kept(*d.set, name); })
      .def("count_sums", [](const Data& d, std::size_t block) { return count_sums(*d.set, block); })
      .def("observed",
           [](const Data& d) {
             std::vector<double> out(d.set->rows);
             for (std::size_t i = 0; i < out.size(); ++i) out[i] = d.set->observed(i);
             return array(std::move(out));
           })
      .def("describe", [](const Data& d) { return describe(*d.set); })
      .def("describe_unknown", [](const Data& d) { return describe_unknown(*d.set); })
      .def("write_csv",
           [](const Data& d, const std::vector<std::pair<std::string, std::string>>& to) {
             return long_call([set = d.set, to](const Hooks& hooks) {
               return write_data(*set, files(to), hooks);
             });
           })
      .def("write_stream", [](const Data& d, const std::string& path) {
        long_call([set = d.set, path](const Hooks& hooks) {
          write_stream(*set, path, hooks);
          return true;
        });
      });
  module.def("dataset", [](Sources& sources, const ReadOptions& options) {
    return shared(long_call([all = std::move(sources.all), options](const Hooks& hooks) mutable {
      return dataset(std::move(all), options, hooks);
    }));
  });
  module.def("infer_schema", [](Sources& sources, const ReadOptions& options) {
    return long_call([all = std::move(sources.all), options](const Hooks& hooks) mutable {
      return infer_schema(std::move(all), options, hooks);
    });
  });
  module.def("read", [](const std::vector<std::pair<std::string, std::string>>& named,
                        const ReadOptions& options) {
    return shared(long_call(
        [from = files(named), options](const Hooks& hooks) { return read(from, options, hooks); }));
  });
  module.def("infer_schema_of_files",
             [](const std::vector<std::pair<std::string, std::string>>& named,
                const ReadOptions& options) {
               return long_call([from = files(named), options](const Hooks& hooks) {
                 return infer_schema(from, options, hooks);
               });
             });
  module.def("parse_source", [](const std::string& argument) {
    const Source source = parse_source(argument);
    return std::pair(source.name, source.path);
  });
  module.def("treated", [](const Data& d, const std::string& binarise, std::size_t min_row,
                           std::size_t min_column, std::size_t sample_rows, std::uint64_t seed,
                           bool ones_as_tokens) {
    const Treatment treatment{binarise, min_row, min_column, sample_rows, seed, ones_as_tokens};
    return shared(long_call(
        [set = d.set, treatment](const Hooks& hooks) { return treated(*set, treatment, hooks); }));
  });
  module.def("hide_cells", [](const Data& d, double share, std::uint64_t seed) {
    HiddenCells found = long_call(
        [set = d.set, share, seed](const Hooks&) { return hide_cells(*set, share, seed); });
    return std::pair(shared(std::move(found.rest)), shared(std::move(found.hidden)));
  });
}

}  // namespace medley::python
