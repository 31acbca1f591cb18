// SPDX-License-Identifier: Apache-2.0
// Mutated files, in process: every reader must end in a result or in an InputError or RunError that
// says what is wrong. Built with sanitizers, which end the program at the first wrong access; the
// file that did it is FOLDER/last.
//
//   mutate FOLDER [--count N] [--seconds S] [--seed N] [--only KIND,KIND]
//
// Prints a line per kind: files, of which so many were taken. Exit code 1 if anything else was
// thrown; the files that did it are kept in FOLDER.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/safetensors.hpp"
#include "engines/checkpoint.hpp"
#include "faults/mutation.hpp"
#include "medley/error.hpp"
#include "medley/evaluate.hpp"
#include "medley/fit.hpp"
#include "medley/io.hpp"
#include "medley/report.hpp"
#include "medley/select.hpp"
#include "medley/uncertainty.hpp"
#include "support/files.hpp"

namespace medley::faults {
namespace {

namespace fs = std::filesystem;

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void put(const std::string& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}

struct Kind {
  std::string name;
  std::vector<std::string> seeds;
  bool tensors = false;
  std::function<void(const std::string& path)> attempt;
};

FitOptions quick_fit(const std::string& model, const std::string& inference = "") {
  FitOptions o;
  o.components = model == "dp-mixture" ? 0 : 2;  // which finds it
  o.model = model;
  o.inference = inference;
  o.threads = 1;
  o.max_iterations = 3;
  o.restarts = 1;
  o.tries = 1;
  o.chains.chains = 2;
  o.chains.sweeps = 3;
  o.chains.burn_in = 2;
  o.chains.draws = 2;
  return o;
}

std::string gzipped(const std::string& text) {
  z_stream stream{};
  if (deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::runtime_error("no zlib");
  std::string out(deflateBound(&stream, static_cast<uLong>(text.size())) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string zstandard(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

/// Gives a checkpoint the sum of what it now holds, or nothing behind the sum would be tried.
void seal(const std::string& path) {
  try {
    const core::TensorFile file = core::load_tensors(path);
    engines::save_checkpoint(path, file.meta("fingerprint"), file);
  } catch (const InputError&) {  // stays as it is
  } catch (const RunError&) {
  }
}

class World {
 public:
  explicit World(std::string folder) : folder_(std::move(folder)) {
    fs::remove_all(folder_);  // of an earlier run
    fs::create_directories(folder_);
    survey_text_ = test::survey_csv(30);
    words_text_ = test::corpus_ldac(20);
    ReadOptions by_label;
    by_label.ignore = {"kind"};
    survey_ = read_text("survey.csv", survey_text_, by_label);
    words_ = read_text("words.ldac", words_text_, {});
    add_models();
    add_checkpoints();
    add_selection();
    add_streams();
    add_texts();
    add_formats();
    add_archives();
  }

  [[nodiscard]] const std::vector<Kind>& kinds() const { return kinds_; }

 private:
  Dataset read_text(const std::string& name, const std::string& content,
                    const ReadOptions& options) {
    put(place(name), content);
    return read({{"", place(name)}}, options);
  }
  [[nodiscard]] std::string place(const std::string& name) const { return folder_ + "/" + name; }

  std::string bytes_of(const Model& model) {
    model.save(place("saved"));
    return content_of(place("saved"));
  }

  /// All that is made of a model file.
  void use(const Model& model, const Dataset& data) const {
    (void)model.export_json();
    (void)inspect(model, {});
    if (chains_of(model) > 0) (void)diagnose(model);
    EvaluateOptions scoring;
    scoring.threads = 1;
    (void)evaluate(model, data, scoring);
  }

  void add_models() {
    struct Fitted {
      const char* kind;
      const char* model;
      bool words;
    };
    std::map<std::string, Kind> made;
    for (const Fitted& f : {Fitted{"model", "gom", false},
                            {"model", "mnb", false},
                            {"model", "lda", true},
                            {"model", "bayesian-nmf", true},
                            {"correlated", "correlated-nmf", true},
                            {"draws", "gom-bayes", false},
                            {"draws", "dp-mixture", false}}) {
      FitOptions o = quick_fit(f.model);
      Kind& kind = made[f.kind];
      kind.name = f.kind;
      kind.tensors = true;
      kind.seeds.push_back(bytes_of(fit(f.words ? words_ : survey_, o)));
      kind.attempt = [this](const std::string& path) {
        const Model model = Model::load(path);
        ReadOptions reading;
        reading.schema = model.schema();
        const bool words = model.schema().find("a") == nullptr;
        use(model, read({{"", place(words ? "words.ldac" : "survey.csv")}}, reading));
      };
    }
    for (auto& [name, kind] : made) kinds_.push_back(std::move(kind));
  }

  void add_checkpoints() {
    struct Fitted {
      const char* kind;
      FitOptions options;
      bool words;
    };
    FitOptions starts = quick_fit("mnb");
    starts.restarts = 2;
    starts.tries = 3;
    FitOptions batch = quick_fit("lda", "standard");
    batch.batch = 5;
    for (Fitted f : {Fitted{"checkpoint gom", quick_fit("gom", "standard"), false},
                     {"checkpoint starts", starts, false},
                     {"checkpoint monte-carlo", quick_fit("gom", "monte-carlo"), false},
                     {"checkpoint collapsed", quick_fit("", "collapsed"), true},
                     {"checkpoint correlated", quick_fit("correlated-nmf"), true},
                     {"checkpoint batch", batch, true},
                     {"checkpoint chains", quick_fit("gom-bayes"), false},
                     {"checkpoint clusters", quick_fit("dp-mixture"), false}}) {
      const Dataset& data = f.words ? words_ : survey_;
      f.options.checkpoint = place("checkpoint");
      f.options.checkpoint_seconds = 0;
      Kind kind{f.kind, {}, true, {}};
      for (const std::size_t after : {1U, 2U, 4U, 7U}) {
        fs::remove(f.options.checkpoint);
        std::atomic<bool> stop{false};
        std::size_t steps = 0;
        Hooks hooks;
        hooks.progress = [&](const Progress&) { stop = ++steps >= after; };
        hooks.stop = &stop;
        (void)fit(data, f.options, hooks);
        if (fs::exists(f.options.checkpoint))
          kind.seeds.push_back(content_of(f.options.checkpoint));
      }
      f.options.resume = true;
      f.options.checkpoint_seconds = 1e9;
      kind.attempt = [&data, options = f.options](const std::string& path) {
        FitOptions o = options;
        o.checkpoint = path;
        seal(path);
        (void)fit(data, o);
      };
      if (!kind.seeds.empty()) kinds_.push_back(std::move(kind));
    }
  }

  void add_selection() {
    SelectOptions o;
    o.components = {1, 2};
    o.fitting = quick_fit("mnb");
    o.folds = 2;
    o.folder = place("choice");
    o.by = {"bic", "cv"};
    (void)select(survey_, o);
    o.resume = true;
    for (const char* name : {"select.json", "k02_held_out.csv"}) {
      const std::string whole = content_of(place("choice") + "/" + name);
      kinds_.push_back({fmt::format("selection {}", name),
                        {whole},
                        false,
                        [this, o, name, whole](const std::string& path) {
                          const std::string file = place("choice") + "/" + name;
                          fs::copy_file(path, file, fs::copy_options::overwrite_existing);
                          std::string said;
                          try {
                            SelectOptions options = o;
                            options.by = {"bic"};  // not what is stored, so that it is scored again
                            if (std::string(name) != "select.json") options.by = {"cv", "aic"};
                            (void)select(survey_, options);
                          } catch (const InputError&) {
                          } catch (const RunError&) {
                          }
                          fs::copy_file(path, file, fs::copy_options::overwrite_existing);
                          (void)load_selected(place("choice"), 0);
                          put(file, whole);
                        }});
    }
  }

  void add_streams() {
    std::vector<std::string> seeds;
    for (const char* name : {"survey.csv", "words.ldac"}) {
      (void)convert_to_stream({{"", place(name)}}, {}, place("s.stream"));
      seeds.push_back(content_of(place("s.stream")));
    }
    kinds_.push_back({"stream", seeds, true, [](const std::string& path) {
                        const auto rows = open_stream(path, {});
                        (void)rows->fingerprint();
                        FitOptions o = quick_fit("", "standard");
                        o.batch = 8;
                        (void)fit(*rows, o);
                      }});
  }

  void add_texts() {
    ReadOptions reading;
    kinds_.push_back({"schema",
                      {to_toml(survey_.schema), to_toml(words_.schema)},
                      false,
                      [this](const std::string& path) {
                        ReadOptions by;
                        by.schema = schema_from_toml(content_of(path), path);
                        const bool words = by.schema->find("a") == nullptr;
                        const Dataset data =
                            read({{"", place(words ? "words.ldac" : "survey.csv")}}, by);
                        (void)fit(data, quick_fit("", ""));
                      }});
    const Model model = fit(survey_, quick_fit("gom"));
    kinds_.push_back({"names",
                      {"[names]\n1 = \"Frail\"\n2 = \"Robust\"\n", "[names]\n2 = 'a b'\n# more\n"},
                      false,
                      [model](const std::string& path) {
                        (void)inspect(named_by(model, content_of(path), path), {});
                      }});
  }

  void add_formats() {
    const std::map<std::string, std::pair<Format, std::vector<std::string>>> formats = {
        {"csv",
         {Format::csv,
          {survey_text_, "id,n,text\n1,2.5,\"a b, c\"\n2,3,\"x \"\"y\"\"\"\n3,-1e5,z\n"}}},
        {"tsv", {Format::tsv, {"a\tb\nyes\t1\nno\t2\nyes\t3\n"}}},
        {"jsonl",
         {Format::jsonl,
          {"{\"a\": \"x\", \"n\": 1.5, \"t\": [\"u\", \"v\"]}\n{\"a\": \"y\", \"n\": -2, \"t\": "
           "[]}\n"}}},
        {"ldac", {Format::ldac, {words_text_}}},
        {"docword", {Format::docword, {"3\n4\n5\n1 1 2\n1 3 1\n2 2 4\n3 1 1\n3 4 2\n"}}},
        {"mtx",
         {Format::mtx,
          {"%%MatrixMarket matrix coordinate integer general\n3 4 4\n1 1 2\n1 3 1\n2 2 4\n3 4 "
           "2\n"}}},
        {"svmlight", {Format::svmlight, {"1 1:2 3:1\n0 2:1 4:3\n1 1:1\n"}}},
        {"triplets",
         {Format::triplets, {"user,item,value\nu1,i1,5\nu1,i2,1\nu2,i1,4\nu2,i3,2\nu3,i2,1\n"}}},
        {"column", {Format::column, {"colour\nred\ngreen\nred\n\nblue\n"}}},
        {"text", {Format::text, {"the cat sat\nthe dog sat\na cat and a dog\n"}}}};
    for (const auto& [name, what] : formats) {
      kinds_.push_back({name, what.second, false, [format = what.first](const std::string& path) {
                          ReadOptions o;
                          o.format = format;
                          o.memory_limit = std::size_t{64} << 20U;
                          o.words.min_count = 1;
                          const Dataset data = read({{"", path}}, o);
                          if (data.rows > 1 && data.rows < 200) (void)fit(data, quick_fit("", ""));
                        }});
    }
  }

  /// Compressed: the format of what is inside is found out. Changes that are seen only once some of
  /// it was unpacked need the sums of archives to be wrong, as they then are.
  void add_archives() {
    const fs::path corpus = MEDLEY_FUZZ_CORPUS;
    Kind kind{"archive", {gzipped(survey_text_), zstandard(survey_text_)}, false, {}};
    for (const char* folder : {"gzip", "zstd", "zip"}) {
      for (const auto& file : fs::directory_iterator(corpus / folder))
        kind.seeds.push_back(content_of(file.path().string()));
    }
    std::ranges::sort(kind.seeds);  // whatever order the folder has them in
    kind.attempt = [](const std::string& path) {
      ReadOptions o;
      o.memory_limit = std::size_t{64} << 20U;
      (void)read({{"", path}}, o);
    };
    kinds_.push_back(std::move(kind));
  }

  std::string folder_, survey_text_, words_text_;
  Dataset survey_, words_;
  std::vector<Kind> kinds_;
};

/// Ends the program if one file takes too long.
class Watchdog {
 public:
  Watchdog() : thread_([this] { watch(); }) {}
  ~Watchdog() {
    over_ = true;
    thread_.join();
  }
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;
  std::atomic<std::uint64_t> number{0};

 private:
  void watch() {
    constexpr int kMostSeconds = 120;
    std::uint64_t last = 0;
    for (int same = 0; !over_; ++same) {
      if (number != last) same = 0;
      last = number;
      if (same >= kMostSeconds * 10) {
        std::fputs("one file takes more than two minutes\n", stderr);
        std::_Exit(3);
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  }
  std::atomic<bool> over_{false};
  std::thread thread_;
};

struct Wanted {
  std::string folder, only;
  std::uint64_t count = 100, seed = 1;
  double seconds = 0;
};

int run(const Wanted& wanted) {
  const World world(wanted.folder + "/world");
  Watchdog watchdog;
  std::uint64_t all = 0, wrong = 0;
  const auto begun = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  };
  std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> done;
  for (std::uint64_t round = 0; round == 0 || seconds() < wanted.seconds; ++round) {
    for (const Kind& kind : world.kinds()) {
      if (!wanted.only.empty() &&
          ("," + wanted.only + ",").find("," + kind.name + ",") == std::string::npos)
        continue;
      for (std::uint64_t i = 0; i < wanted.count; ++i) {
        core::Rng rng(wanted.seed, std::hash<std::string>()(kind.name), round * wanted.count + i);
        const std::string last = wanted.folder + "/last";
        put(last, kind.tensors ? mutated_tensors(kind.seeds, rng) : mutated_text(kind.seeds, rng));
        ++watchdog.number;
        ++done[kind.name].first;
        ++all;
        try {
          kind.attempt(last);
          ++done[kind.name].second;
        } catch (const InputError&) {
        } catch (const RunError&) {
        } catch (const std::exception& error) {
          const std::string kept = fmt::format("{}/{}-{}", wanted.folder, kind.name, ++wrong);
          fs::copy_file(last, kept, fs::copy_options::overwrite_existing);
          fmt::print("{}: {} ({})\n", kind.name, error.what(), kept);
        }
      }
    }
    if (wanted.seconds <= 0) break;
  }
  for (const auto& [name, numbers] : done)
    fmt::print("{}: {} files, {} taken\n", name, numbers.first, numbers.second);
  fmt::print(
      "{} mutated files in {:.0f} s, {} with another exception than InputError and RunError\n", all,
      seconds(), wrong);
  return wrong > 0 ? 1 : 0;
}

}  // namespace
}  // namespace medley::faults

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty()) {
    std::fputs("mutate FOLDER [--count N] [--seconds S] [--seed N] [--only KIND,KIND]\n", stderr);
    return 2;
  }
  medley::faults::Wanted wanted;
  wanted.folder = words[0];
  for (std::size_t i = 1; i + 1 < words.size(); i += 2) {
    if (words[i] == "--count") wanted.count = std::stoull(words[i + 1]);
    if (words[i] == "--seconds") wanted.seconds = std::stod(words[i + 1]);
    if (words[i] == "--seed") wanted.seed = std::stoull(words[i + 1]);
    if (words[i] == "--only") wanted.only = words[i + 1];
  }
  return medley::faults::run(wanted);
}
