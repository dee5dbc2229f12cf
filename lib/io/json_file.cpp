#include "io/trace_files.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>

#include "core/line_reader.hpp"
#include "io/format/json_text.hpp"

namespace kith {
namespace {

/// The value for a message: short ones as they are.
std::string shown(const nlohmann::json& value) {
  if (value.is_object() || value.is_array()) {
    return std::string(value.is_object() ? "an object" : "an array");
  }
  return value.is_string() ? in_quotes(value.get_ref<const std::string&>()) : value.dump();
}

/// nlohmann's "[json.exception.parse_error.101] parse error at line 1, column 2: TEXT": the TEXT.
std::string reason_of(const nlohmann::json::parse_error& error) {
  const std::string_view text = error.what();
  const std::size_t colon = text.find(": ");
  return std::string(colon == std::string_view::npos ? text : text.substr(colon + 2));
}

}  // namespace

JsonNode JsonNode::at(const char* name) const {
  auto found = find(name);
  if (!found) {
    throw JsonNode(*value_, *file_, path_ + "/" + name).error("a value", "nothing");
  }
  return *std::move(found);
}

std::optional<JsonNode> JsonNode::find(const char* name) const {
  if (!value_->is_object()) throw error("an object");
  const auto found = value_->find(name);
  if (found == value_->end()) return std::nullopt;
  return JsonNode(*found, *file_, path_ + "/" + name);
}

std::size_t JsonNode::size() const {
  if (!value_->is_array()) throw error("an array");
  return value_->size();
}

JsonNode JsonNode::item(std::size_t i) const {
  return {(*value_)[i], *file_, path_ + "/" + std::to_string(i)};
}

const std::string& JsonNode::text() const {
  if (!value_->is_string()) throw error("a text");
  return value_->get_ref<const std::string&>();
}

bool JsonNode::truth() const {
  if (!value_->is_boolean()) throw error("true or false");
  return value_->get<bool>();
}

std::uint64_t JsonNode::number(std::uint64_t limit) const {
  if (value_->is_number_unsigned()) {
    const auto value = value_->get<std::uint64_t>();
    if (value <= limit) return value;
  }
  throw error(limit == UINT64_MAX ? "a whole number"
                                  : "a whole number of at most " + std::to_string(limit));
}

double JsonNode::real() const {
  if (value_->is_number() && value_->get<double>() >= 0) return value_->get<double>();
  throw error("a number of at least 0");
}

std::uint32_t JsonNode::index(std::size_t count, std::string_view what) const {
  if (value_->is_number_unsigned()) {
    const auto value = value_->get<std::uint64_t>();
    if (value < count && value <= UINT32_MAX) return static_cast<std::uint32_t>(value);
  }
  throw error("an index below " + std::to_string(count) + ", the number of " + std::string(what));
}

Error JsonNode::error(std::string_view expected, std::string_view found) const {
  return bad_input(*file_ + ": " + (path_.empty() ? "/" : path_), expected, found);
}

Error JsonNode::error(std::string_view expected) const {
  return error(expected, shown(*value_));
}

void check_regular(const std::filesystem::path& file) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return;
  if (!std::filesystem::is_regular_file(file, ignored)) {
    throw bad_input(file.string(), "a regular file", "something else");
  }
}

JsonFile::JsonFile(const std::filesystem::path& path) : file_(path.string()) {
  check_regular(path);
  // Names of hosts and programs are bytes: what is no text must not make a trace unreadable.
  const std::string text = with_valid_utf8(read_whole_file(path, max_json_bytes));
  try {
    document_ = nlohmann::json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(error.byte, text.size()));
    const auto newlines = std::count(text.begin(), end, '\n');
    throw bad_input_at(file_, static_cast<std::size_t>(newlines) + 1, "JSON", reason_of(error));
  } catch (const nlohmann::json::out_of_range&) {
    throw bad_input(file_, "JSON with numbers that a double can hold", "a larger one");
  }
}

std::string read_whole_file(const std::filesystem::path& path, std::uint64_t max_bytes) {
  // Of a directory the stream would only say so by an exception of its own.
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw bad_input(path.string(), "a readable file", "a directory");
  }
  std::ifstream in(path, std::ios::binary);
  if (!in.is_open()) {
    throw bad_input(path.string(), "a readable file", std::generic_category().message(errno));
  }
  std::string text;
  std::vector<char> block(std::size_t{1} << 16);
  while (in.read(block.data(), static_cast<std::streamsize>(block.size())) || in.gcount() > 0) {
    const std::string_view part(block.data(), static_cast<std::size_t>(in.gcount()));
    if (part.find('\0') != std::string_view::npos) {
      throw bad_input(path.string(), "text", "a NUL byte");
    }
    if (part.size() > max_bytes - text.size()) {
      throw bad_input(path.string(), "a file of at most " + std::to_string(max_bytes) + " bytes",
                      "a longer one");
    }
    text += part;
  }
  if (in.bad()) throw bad_input(path.string(), "a readable file", "a read error");
  return text;
}

}  // namespace kith
