// SPDX-License-Identifier: Apache-2.0
#include "data/formats/documents.hpp"

#include <glob.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string_view>
#include <system_error>
#include <unordered_set>
#include <utility>

#include "core/files.hpp"
#include "core/problems.hpp"
#include "core/task.hpp"
#include "core/text.hpp"
#include "core/zip.hpp"
#include "data/formats/dictionary.hpp"
#include "data/message_text.hpp"

namespace medley::data {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kWild = "*?[";
constexpr std::size_t kLargestText = std::size_t{1} << 30U;

struct Document {
  std::string path;  // below the folder, with '/'
  std::function<std::string()> read;
};

bool begins_like_zip(const std::string& path) {
  std::error_code unreadable;
  if (!fs::is_regular_file(path, unreadable)) return false;
  std::ifstream file(path, std::ios::binary);
  std::string head(4, '\0');
  file.read(head.data(), 4);
  return file && core::is_zip(head);
}

std::string whole_file(const std::string& path, std::size_t limit) {
  const std::unique_ptr<core::ByteSource> source = core::ByteSource::open(path);
  core::MemoryGuard memory(core::longest_text(limit), path);
  std::string text;
  for (std::string_view piece = source->next(); !piece.empty(); piece = source->next()) {
    memory.add(piece.size());
    if (text.size() + piece.size() > kLargestText)
      throw InputError(
          {path, "is larger than 1 GB, which is no document", "cut it into documents"});
    text += piece;
  }
  return text;
}

bool is_hidden(const std::string& path) {
  return path.starts_with('.') || path.find("/.") != std::string::npos ||
         path.starts_with("__MACOSX/");
}

std::vector<Document> in_folder(const std::string& folder, std::size_t limit) {
  std::vector<Document> found;
  std::error_code error;
  fs::recursive_directory_iterator each(folder, fs::directory_options::skip_permission_denied,
                                        error);
  for (; !error && each != fs::recursive_directory_iterator(); each.increment(error)) {
    const fs::path& path = each->path();
    std::error_code unreadable;
    if (path.filename().string().starts_with('.')) {
      each.disable_recursion_pending();
    } else if (each->is_regular_file(unreadable)) {
      found.push_back({path.lexically_relative(folder).generic_string(),
                       [name = path.string(), limit] { return whole_file(name, limit); }});
    }
  }
  if (error) throw InputError({folder, "cannot be read: " + error.message(), ""});
  return found;
}

std::vector<Document> by_pattern(const std::string& pattern, std::size_t limit) {
  const std::size_t wild = pattern.find_first_of(kWild);
  const std::size_t slash = pattern.rfind('/', wild);
  const std::string folder =
      slash == std::string::npos ? "." : pattern.substr(0, std::max<std::size_t>(slash, 1));
  std::vector<Document> found;
  glob_t matches{};
  const int outcome = ::glob(pattern.c_str(), GLOB_NOSORT, nullptr, &matches);
  for (std::size_t i = 0; outcome == 0 && i < matches.gl_pathc; ++i) {
    const std::string path = matches.gl_pathv[i];
    std::error_code unreadable;
    if (!fs::is_regular_file(path, unreadable)) continue;
    found.push_back({fs::path(path).lexically_relative(folder).generic_string(),
                     [path, limit] { return whole_file(path, limit); }});
  }
  ::globfree(&matches);
  return found;
}

std::vector<Document> in_zip(const std::string& path, const std::string& bytes, std::size_t limit) {
  std::vector<Document> found;
  for (core::ZipEntry& entry : core::zip_entries(bytes, path)) {
    if (entry.name == "[Content_Types].xml") {
      throw InputError({path, "is an Excel workbook or another office file, which is not read",
                        "export the sheet as CSV"});
    }
    if (is_hidden(entry.name)) continue;
    const std::string name = entry.name;
    found.push_back({name, [&bytes, path, limit, e = std::move(entry)] {
                       core::MemoryGuard(core::longest_text(limit), path).add(e.size);
                       return core::unzipped(bytes, e, path);
                     }});
  }
  return found;
}

// The ending of a file, without that of a compressed one: "a.TXT.gz" is ".txt".
std::string ending(const std::string& path) {
  fs::path name = fs::path(path).filename();
  const std::string last = core::lower(name.extension().string());
  if (last == ".gz" || last == ".zst") name = name.stem();
  return core::lower(name.extension().string());
}

std::string without_ending(const std::string& path) {
  fs::path name(path);
  const std::string last = core::lower(name.extension().string());
  if (last == ".gz" || last == ".zst") name.replace_extension();
  return name.replace_extension().generic_string();
}

bool is_text_name(const Document& document) {
  const std::string end = ending(document.path);
  return end == ".txt" || end == ".text" || end == ".md";
}

bool has_no_ending(const Document& document) {
  return ending(document.path).empty();
}

// Moves the documents of a folder to the front; what is left behind is named.
std::vector<std::string> leave_out_others(std::vector<Document>& found) {
  const bool named = std::ranges::any_of(found, is_text_name);
  std::vector<std::string> others;
  std::erase_if(found, [&](const Document& document) {
    const bool wanted = named ? is_text_name(document) : has_no_ending(document);
    if (!wanted) others.push_back(document.path);
    return !wanted;
  });
  return others;
}

// Text as UTF-8; none if the bytes are no text.
std::optional<std::string> as_text(std::string bytes, bool& converted) {
  const bool wide = bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF");
  if (!wide && bytes.find('\0') != std::string::npos) return std::nullopt;
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.erase(0, 3);
  if (wide || core::find_invalid_utf8(bytes) != std::string::npos) {
    converted = converted || !wide;
    const icu::UnicodeString text(bytes.data(), static_cast<std::int32_t>(bytes.size()),
                                  wide ? "UTF-16" : "windows-1252");
    bytes.clear();
    text.toUTF8String(bytes);
  }
  const auto control = std::ranges::count_if(
      bytes, [](char c) { return static_cast<unsigned char>(c) < 0x20 && (c < '\t' || c > '\r'); });
  if (20 * static_cast<std::size_t>(control) > bytes.size()) return std::nullopt;
  return bytes;
}

std::string_view stripped(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n\f\v";
  const std::size_t from = text.find_first_not_of(kBlank);
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(kBlank) + 1 - from);
}

// The shortest names that tell the files apart: without ending and folder, without ending, whole.
std::vector<std::string> ids_of(const std::vector<std::string>& paths) {
  std::vector<std::string> ids;
  for (int length = 0; length < 2; ++length) {
    ids.clear();
    for (const std::string& path : paths) {
      const std::string name = without_ending(path);
      ids.push_back(length == 0 ? fs::path(name).filename().string() : name);
    }
    if (std::unordered_set<std::string>(ids.begin(), ids.end()).size() == ids.size()) return ids;
  }
  return paths;
}

class Documents {
 public:
  Documents(std::string path, const DocumentsOptions& options)
      : path_(std::move(path)), options_(options), memory_(options.memory_limit, path_) {}

  RawTable read() {
    std::vector<Document> found = documents();
    std::ranges::sort(found, {}, &Document::path);
    for (const Document& document : found) add(document);
    problems_.throw_if_any();
    if (paths_.empty()) {
      throw InputError({path_, "holds no text: " + listed(no_text_, 5) + " are not text",
                        "name a folder of .txt files"});
    }
    warn(no_text_, "not text and left out");
    warn(others_, "left out, being no .txt");
    warn(empty_, "empty, so nothing is known of the row");
    warn(converted_, "not UTF-8 and read as Windows-1252");
    return table();
  }

 private:
  std::vector<Document> documents() {
    std::error_code unreadable;
    const std::size_t limit = options_.memory_limit;
    const bool folder = fs::is_directory(path_, unreadable);
    const bool zip = !folder && begins_like_zip(path_);
    if (zip) {
      std::ifstream file(path_, std::ios::binary);
      const auto size = fs::file_size(path_, unreadable);
      if (unreadable) throw InputError({path_, "cannot be read: " + unreadable.message(), ""});
      memory_.add(static_cast<std::size_t>(size));
      archive_.resize(static_cast<std::size_t>(size));
      file.read(archive_.data(), static_cast<std::streamsize>(archive_.size()));
      if (!file) throw InputError({path_, "cannot be read", ""});
    }
    std::vector<Document> found = folder ? in_folder(path_, limit)
                                  : zip  ? in_zip(path_, archive_, limit)
                                         : by_pattern(path_, limit);
    if (folder || zip) others_ = leave_out_others(found);
    if (!found.empty()) return found;
    const std::string what = folder || zip ? "holds no file that ends in .txt" : "no file matches";
    throw InputError({path_, others_.empty() ? what : what + "; it holds " + listed(others_, 5),
                      folder ? "name one of its files, or give a pattern: '" + path_ + "/*.ext'"
                      : zip  ? "unpack it, and name one of its files"
                             : "check the path"});
  }

  void add(const Document& document) try {
    core::stop_if_asked();
    core::advance(1);
    memory_.add(2 * document.path.size() + 64);
    bool converted = false;
    const std::optional<std::string> text = as_text(document.read(), converted);
    if (!text) {
      no_text_.push_back(document.path);
      return;
    }
    if (converted) converted_.push_back(document.path);
    if (stripped(*text).empty()) empty_.push_back(document.path);
    paths_.push_back(document.path);
    text_.add(stripped(*text), nullptr, memory_);
  } catch (const InputError& error) {
    for (const Problem& problem : error.problems())
      problems_.add(problem.where, problem.what, problem.remedy);
  }

  void warn(const std::vector<std::string>& files, const std::string& what) const {
    if (files.empty() || options_.warnings == nullptr) return;
    options_.warnings->push_back(path_ + ": " + counted(files.size(), "file") +
                                 (files.size() == 1 ? " is " : " are ") + what + ": " +
                                 listed(files, 5));
  }

  RawTable table() {
    RawTable table;
    ColumnBuilder names, folders;
    bool nested = false;
    for (const std::string& id : ids_of(paths_)) names.add(id, nullptr, memory_);
    for (const std::string& path : paths_) {
      const std::string folder = fs::path(path).parent_path().generic_string();
      nested = nested || !folder.empty();
      folders.add(folder, nullptr, memory_);
      table.line.push_back(table.line.size() + 1);
    }
    table.columns.push_back({"file", names.take_distinct(), names.take_codes()});
    table.columns.back().role = Role::id;
    if (nested) {
      table.columns.push_back({"folder", folders.take_distinct(), folders.take_codes()});
      table.columns.back().role = Role::ignored;
    }
    table.columns.push_back({"text", text_.take_distinct(), text_.take_codes(), CellText::text});
    return table;
  }

  std::string path_;
  const DocumentsOptions& options_;
  core::MemoryGuard memory_;
  core::Problems problems_;
  std::string archive_;
  std::vector<std::string> paths_, others_, no_text_, empty_, converted_;
  ColumnBuilder text_;
};

}  // namespace

bool is_corpus(const std::string& path) {
  std::error_code unreadable;
  if (path == "-") return false;
  if (fs::is_directory(path, unreadable) || begins_like_zip(path)) return true;
  return path.find_first_of(kWild) != std::string::npos && !fs::exists(path, unreadable);
}

RawTable read_documents(const std::string& path, const DocumentsOptions& options) {
  return Documents(path, options).read();
}

}  // namespace medley::data
