// The files of a trace: checks of their JSON, rows, partial traces.
#pragma once

#include <nlohmann/json.hpp>

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "io/format/trace_text.hpp"
#include "kith/error.hpp"
#include "kith/io.hpp"

namespace kith {

// A JSON file read with messages that name the place: "machine.json: /ranks/3/host: expected ...".

/// Traces come from strangers: opening a pipe in one would wait for ever. A file that does
/// not exist passes: its reader reports it.
void check_regular(const std::filesystem::path& file);

/// A value inside a JSON file. Cheap to copy except for its path; must not outlive the JsonFile.
class JsonNode {
 public:
  JsonNode(const nlohmann::json& value, const std::string& file, std::string path)
      : value_(&value), file_(&file), path_(std::move(path)) {}

  /// A member that must be there.
  JsonNode at(const char* name) const;
  std::optional<JsonNode> find(const char* name) const;
  bool is_null() const { return value_->is_null(); }

  /// Items of an array.
  std::size_t size() const;
  JsonNode item(std::size_t i) const;

  const std::string& text() const;
  bool truth() const;
  /// A whole number of at most `limit`.
  std::uint64_t number(std::uint64_t limit = UINT64_MAX) const;
  /// A number of at least 0, whole or not.
  double real() const;
  /// An index below `count`; `what` names what is counted ("hosts").
  std::uint32_t index(std::size_t count, std::string_view what) const;

  /// "FILE: PATH: expected ..., found ...".
  Error error(std::string_view expected, std::string_view found) const;
  /// error() with the value itself as what was found.
  Error error(std::string_view expected) const;

 private:
  const nlohmann::json* value_;
  const std::string* file_;
  std::string path_;
};

class JsonFile {
 public:
  /// Throws Error (input) with file:line where the text is no JSON.
  explicit JsonFile(const std::filesystem::path& path);
  JsonNode root() const { return {document_, file_, ""}; }

 private:
  std::string file_;
  nlohmann::json document_;
};

/// meta.json and machine.json of some five million ranks fit; larger files are refused.
inline constexpr std::uint64_t max_json_bytes = std::uint64_t{1} << 29;
/// hwloc's XML of one host: what the machine readers accept.
inline constexpr std::uint64_t max_xml_file_bytes = std::uint64_t{1} << 28;

/// All of a text file of at most `max_bytes`. Throws Error (input), for a NUL byte, too.
std::string read_whole_file(const std::filesystem::path& path, std::uint64_t max_bytes);

/// A later format is an error; one that is not given is the present one.
inline void check_trace_format(const JsonNode& root) {
  const auto format = root.find("format");
  if (format && format->number() != trace_format_version) {
    throw format->error(std::to_string(trace_format_version) +
                        ", the format that this version of kith reads");
  }
}

/// True for a relative name that stays inside the directory.
inline bool is_inside(const std::filesystem::path& file) {
  if (file.empty() || file.is_absolute()) return false;
  for (const auto& part : file) {
    if (part == "..") return false;
  }
  return true;
}

/// Traces come from strangers: a file name in one must not lead out of it.
inline void check_inside_trace(const JsonNode& file) {
  if (!is_inside(file.text())) throw file.error("the name of a file inside the trace");
}

// NAME.kith.partial: the rows that each rank left behind, merged.

/// True for a trace folder with one file of rows per rank, which are not merged yet.
bool is_partial(const std::filesystem::path& trace, const TraceMeta& meta);

struct PartialMatrix {
  TrafficMatrix matrix;
  PartialRows rows;
};

/// The matrix that a whole trace would have in `file` (bytes.mtx, messages.mtx, classes/...). Ranks
/// without a file sent nothing, or from a host that does not share the file system. Nothing for a
/// file that partial traces do not have. Throws Error (input) for broken row files.
std::optional<PartialMatrix> read_partial(const std::filesystem::path& trace, const TraceMeta& meta,
                                          std::string_view file);

// The row files of a partial trace: one rank's counters, as core/row_block.hpp lays them out.

/// One counter: `source` sent to `destination`, or had it fetched.
struct RowFileEntry {
  std::uint32_t source = 0;
  std::uint32_t destination = 0;
  std::uint64_t messages = 0;
  std::array<std::uint64_t, 3> bytes{};  ///< point-to-point, collective, one-sided
};

/// What the files beside it promise of a row file.
struct RowFileExpectation {
  std::uint32_t rank = 0;
  std::uint32_t ranks = 0;
  std::uint64_t run = 0;
};

enum class RowFileState {
  whole,
  incomplete,  ///< the rank had more counters than found place in its file
  empty,       ///< made, but never begun: its process or host ended too early
};

/// Visits the counters that are not all 0; a pair may come more than once (a rank has threads).
/// Memory: a buffer; the file may belong to a job that still runs. Throws Error (input) with what
/// was expected and found where.
RowFileState read_row_file(const std::filesystem::path& path, const RowFileExpectation& expected,
                           const std::function<void(const RowFileEntry&)>& visit);

}  // namespace kith
