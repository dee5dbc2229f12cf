// Which format a matrix file has: by its name, else by its first bytes.
#include <algorithm>
#include <string>
#include <vector>

#include "io/matrix_formats.hpp"

namespace kith {
namespace {

std::string lower(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

/// The first content of a file: how many words each line has; blank lines count as lines of none.
struct Shape {
  std::vector<std::size_t> words;
  bool complete = false;  ///< all of the file has been seen
};

Shape shape_of(std::string_view text, bool is_all) {
  constexpr std::size_t enough = 100000;
  Shape shape;
  shape.complete = is_all;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos && !is_all) break;
    std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (line.starts_with('%') || line.starts_with('#')) continue;
    if (line.ends_with('\r')) line.remove_suffix(1);
    Words words(line);
    std::size_t count = 0;
    while (!words.next().empty()) ++count;
    shape.words.push_back(count);
    if (shape.words.size() == enough) {
      shape.complete = false;
      break;
    }
  }
  while (!shape.words.empty() && shape.words.back() == 0) shape.words.pop_back();
  return shape;
}

/// Only characters that a matrix of numbers has, comment lines aside.
bool only_numbers(std::string_view text) {
  constexpr std::string_view allowed = "0123456789+-.eEdD, \t\r\n";
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const bool comment = line.starts_with('%') || line.starts_with('#');
    if (!comment && line.find_first_not_of(allowed) != std::string_view::npos) return false;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return true;
}

/// The first line is the version, a lone 0.
bool looks_like_scotch(std::string_view text) {
  return text.starts_with("0\n") || text.starts_with("0\r\n");
}

bool looks_dense(const Shape& shape) {
  const std::size_t columns = shape.words.front();
  // A METIS header has two to four numbers: then only the whole file tells, a square of numbers.
  if (columns <= 4 && (!shape.complete || shape.words.size() != columns)) return false;
  return std::all_of(shape.words.begin(), shape.words.end(),
                     [&](std::size_t words) { return words == columns || words == 0; });
}

}  // namespace

std::optional<MatrixFormat> format_of_name(const std::filesystem::path& path) {
  const std::string ending = lower(path.extension().string());
  if (ending == ".mtx") return MatrixFormat::mtx;
  if (ending == ".csv") return MatrixFormat::eagermap;
  if (ending == ".txt") return MatrixFormat::dense;
  if (ending == ".graph") return MatrixFormat::metis;
  if (ending == ".grf") return MatrixFormat::scotch;
  if (ending == ".prof") return MatrixFormat::prof;
  return std::nullopt;
}

std::optional<MatrixFormat> format_of_content(std::string_view head, bool head_is_all) {
  constexpr std::string_view banner = "%%matrixmarket";
  if (lower(std::string(head.substr(0, banner.size()))) == banner) return MatrixFormat::mtx;
  if (head.starts_with("# POINT TO POINT")) return MatrixFormat::prof;
  if (!only_numbers(head)) return std::nullopt;
  if (head.find(',') != std::string_view::npos) return MatrixFormat::eagermap;
  const Shape shape = shape_of(head, head_is_all);
  // A first line longer than the head can only be a row of a large dense matrix.
  if (shape.words.empty()) {
    return head_is_all ? std::nullopt : std::optional(MatrixFormat::dense);
  }
  if (shape.words.size() > 2 && shape.words[0] == 1 && looks_like_scotch(head)) {
    return MatrixFormat::scotch;
  }
  if (looks_dense(shape)) return MatrixFormat::dense;
  if (shape.words.front() >= 2 && shape.words.front() <= 4) return MatrixFormat::metis;
  return std::nullopt;
}

}  // namespace kith
