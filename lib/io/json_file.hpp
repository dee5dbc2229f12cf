// A JSON file read with messages that name the place: "machine.json: /ranks/3/host: expected ...".
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "kith/error.hpp"

namespace kith {

/// Traces come from strangers: opening a pipe in one would wait for ever. What does not exist is
/// for the reader to say.
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

}  // namespace kith
