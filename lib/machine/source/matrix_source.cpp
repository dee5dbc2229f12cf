// matrix:FILE: distances as rows of numbers or in a Matrix Market file
// (https://math.nist.gov/MatrixMarket/formats.html)
#include <algorithm>

#include "core/line_reader.hpp"
#include "kith/detail/network_machine.hpp"
#include "kith/error.hpp"
#include "machine/source/spec_numbers.hpp"
#include "machine/sources.hpp"

namespace kith {
namespace {

constexpr std::uint32_t most_nodes = 32768;

std::string cell(std::uint64_t row, std::uint64_t column) {
  return "row " + std::to_string(row + 1) + ", column " + std::to_string(column + 1);
}

/// The distances of a file as they come.
class Distances {
 public:
  Distances(const LineReader& in, std::uint32_t nodes) : in_(in), nodes_(nodes) {}

  /// The next one of a matrix given row by row, or of its upper triangle.
  void append(std::uint32_t row, std::uint32_t column, std::string_view word) {
    const Decimal value = checked(row, column, word);
    if (row == column) return;
    if (row > column) {
      compare(row, column, value, word);
    } else if (!units_.add(value)) {
      throw too_long(word);
    }
  }

  /// In any order: takes the memory for all.
  void reserve_all() {
    const std::uint64_t all = std::uint64_t{nodes_} * nodes_;
    units_ = CommonScale((all - nodes_) / 2);
    seen_.resize(all);
  }

  /// One of a matrix given in any order; where `symmetric`, of either triangle.
  void set(std::uint32_t row, std::uint32_t column, std::string_view word, bool symmetric) {
    const Decimal value = checked(row, column, word);
    const std::uint64_t here = std::uint64_t{row} * nodes_ + column;
    if (seen_[here]) throw in_.error("each entry once", cell(row, column) + " again");
    seen_[here] = true;
    if (row == column) return;
    if (seen_[std::uint64_t{column} * nodes_ + row]) {
      if (symmetric) {
        throw in_.error("one triangle of a symmetric matrix",
                        cell(row, column) + " beside " + cell(column, row));
      }
      compare(row, column, value, word);
    } else if (!units_.set(place(row, column), value)) {
      throw too_long(word);
    }
  }

  /// Throws unless all were set(): in both directions or, where `symmetric`, in one.
  void check_complete(bool symmetric) const {
    for (std::uint32_t row = 0; row < nodes_; ++row) {
      for (std::uint32_t column = row + 1; column < nodes_; ++column) {
        const bool above = seen_[std::uint64_t{row} * nodes_ + column];
        const bool below = seen_[std::uint64_t{column} * nodes_ + row];
        if (symmetric ? above || below : above && below) continue;
        throw in_.error("a distance between any two nodes",
                        "none at " + (above ? cell(column, row) : cell(row, column)));
      }
    }
  }

  std::shared_ptr<const Network> take() {
    const std::uint64_t scale = units_.scale();
    return std::make_shared<MatrixNetwork>(nodes_, units_.take(), scale);
  }

 private:
  std::uint64_t place(std::uint32_t a, std::uint32_t b) const {
    return MatrixNetwork::place(std::min(a, b), std::max(a, b), nodes_);
  }

  Decimal checked(std::uint32_t row, std::uint32_t column, std::string_view word) const {
    const ParsedDecimal parsed = parse_exact_decimal(word, DecimalSyntax::with_exponent);
    if (parsed.outcome == ParsedDecimal::Outcome::no_number) {
      throw in_.error("a distance", word.empty() ? "the end of the line" : in_quotes(word));
    }
    if (parsed.outcome == ParsedDecimal::Outcome::too_long) throw too_long(word);
    if (row == column && parsed.value.digits != 0) {
      throw in_.error("0 at " + cell(row, column) + ", from a node to itself", in_quotes(word));
    }
    if (row != column && parsed.value.digits == 0) {
      throw in_.error("a distance above 0 at " + cell(row, column), in_quotes(word));
    }
    return parsed.value;
  }

  void compare(std::uint32_t row, std::uint32_t column, Decimal value,
               std::string_view word) const {
    if (units_.units_of(value) == units_.units()[place(row, column)]) return;
    throw in_.error("at " + cell(row, column) + " the same distance as at " + cell(column, row),
                    in_quotes(word));
  }

  Error too_long(std::string_view word) const {
    return in_.error("distances that, all with as many decimals, have at most 18 digits",
                     in_quotes(word));
  }

  const LineReader& in_;
  std::uint32_t nodes_;
  CommonScale units_;
  std::vector<bool> seen_;
};

/// The next line that is neither blank nor a comment.
bool next_content(LineReader& in, std::string_view& line) {
  while (in.next(line)) {
    if (!is_blank(line) && line[0] != '%' && line[0] != '#') return true;
  }
  return false;
}

Error wrong_number(const LineReader& in, std::uint64_t expected, std::string_view what,
                   const std::string& found) {
  return in.error(std::to_string(expected) + " " + std::string(what), found);
}

std::uint32_t count_values(const LineReader& in, std::string_view line) {
  Words words(line);
  std::uint64_t n = 0;
  while (!words.next().empty()) ++n;
  if (n > most_nodes) {
    throw in.error("at most " + std::to_string(most_nodes) + " nodes", std::to_string(n));
  }
  return static_cast<std::uint32_t>(n);
}

std::shared_ptr<const Network> read_rows(LineReader& in) {
  std::string_view line;
  if (!next_content(in, line)) throw bad_input(in.file(), "rows of distances", "an empty file");
  const std::uint32_t n = count_values(in, line);
  Distances distances(in, n);
  std::uint32_t row = 0;
  do {
    if (row == n) throw wrong_number(in, n, "rows, as many as columns", "one more");
    Words words(line);
    std::uint32_t column = 0;
    for (auto word = words.next(); !word.empty(); word = words.next(), ++column) {
      if (column == n) throw wrong_number(in, n, "distances in a row", "one more");
      distances.append(row, column, word);
    }
    if (column != n) throw wrong_number(in, n, "distances in a row", std::to_string(column));
    ++row;
  } while (next_content(in, line));
  if (row != n) {
    throw wrong_number(in, n, "rows, as many as columns", std::to_string(row) + " at the end");
  }
  return distances.take();
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

constexpr std::string_view mtx_mark = "%%matrixmarket";

struct Banner {
  bool coordinate = false;
  bool symmetric = false;
};

Banner read_banner(LineReader& in) {
  std::string_view line;
  in.next(line);
  Words words(line);
  words.next();
  const std::string object = lower(words.next());
  const std::string layout = lower(words.next());
  const std::string field = lower(words.next());
  const std::string symmetry = lower(words.next());
  const bool known =
      object == "matrix" && (layout == "coordinate" || layout == "array") &&
      (field == "integer" || field == "unsigned-integer" || field == "real" || field == "double") &&
      (symmetry == "general" || symmetry == "symmetric");
  if (!known) {
    throw in.error(
        "%%MatrixMarket matrix coordinate|array integer|real general|symmetric, for distances",
        in_quotes(line));
  }
  return {layout == "coordinate", symmetry == "symmetric"};
}

std::uint32_t read_size(const LineReader& in, Words& words) {
  const auto rows =
      static_cast<std::uint32_t>(read_count(in, words.next(), "a number of rows", most_nodes));
  const auto columns =
      static_cast<std::uint32_t>(read_count(in, words.next(), "a number of columns", most_nodes));
  if (rows != columns || rows == 0) {
    throw in.error("a square matrix", std::to_string(rows) + " x " + std::to_string(columns));
  }
  return rows;
}

std::shared_ptr<const Network> read_coordinates(LineReader& in, bool symmetric,
                                                std::string_view line) {
  Words size(line);
  const std::uint32_t n = read_size(in, size);
  const std::uint64_t announced = read_count(in, size.next(), "a number of entries");
  expect_line_end(in, size);
  const std::uint64_t needed = std::uint64_t{n} * (n - 1) / (symmetric ? 2 : 1);
  constexpr std::uint64_t shortest_entry = 6;  // "1 2 3\n"
  if (announced < needed || in.at_most(needed, shortest_entry) < needed) {
    throw wrong_number(in, needed, "entries, a distance between any two nodes",
                       announced < needed ? std::to_string(announced) : "a shorter file");
  }
  Distances distances(in, n);
  distances.reserve_all();
  std::uint64_t entries = 0;
  for (; next_content(in, line); ++entries) {
    if (entries == announced) throw wrong_number(in, announced, "entries", "one more");
    Words words(line);
    const auto index = [&](std::string_view what) {
      const std::uint64_t value = read_count(in, words.next(), what, n);
      if (value == 0) throw in.error(std::string(what) + " counted from 1", "0");
      return static_cast<std::uint32_t>(value - 1);
    };
    const std::uint32_t row = index("a row number");
    const std::uint32_t column = index("a column number");
    distances.set(row, column, words.next(), symmetric);
    expect_line_end(in, words);
  }
  if (entries != announced) {
    throw wrong_number(in, announced, "entries", std::to_string(entries) + " at the end");
  }
  distances.check_complete(symmetric);
  return distances.take();
}

/// Column by column, of a symmetric matrix from the diagonal down: as symmetric as it has to be,
/// the same as row by row.
std::shared_ptr<const Network> read_array(LineReader& in, bool symmetric, std::string_view line) {
  Words size(line);
  const std::uint32_t n = read_size(in, size);
  expect_line_end(in, size);
  Distances distances(in, n);
  std::uint32_t row = 0;
  std::uint32_t column = 0;
  while (next_content(in, line)) {
    Words words(line);
    for (auto word = words.next(); !word.empty(); word = words.next()) {
      if (row == n) throw in.error("the end of the file", "one more distance");
      distances.append(row, column, word);
      if (++column < n) continue;
      ++row;
      column = symmetric ? row : 0;
    }
  }
  if (row != n) throw in.error("a distance at " + cell(row, column), "the end of the file");
  return distances.take();
}

std::shared_ptr<const Network> read_distances(LineReader& in) {
  if (!lower(in.head().substr(0, mtx_mark.size())).starts_with(mtx_mark)) return read_rows(in);
  const Banner banner = read_banner(in);
  std::string_view line;
  if (!next_content(in, line)) throw in.error("a size line", "the end of the file");
  return banner.coordinate ? read_coordinates(in, banner.symmetric, line)
                           : read_array(in, banner.symmetric, line);
}

}  // namespace

std::unique_ptr<Machine> read_matrix(const SpecRequest& request) {
  LineReader in(request.body);
  return std::make_unique<NetworkMachine>(read_distances(in), std::vector<std::uint32_t>{},
                                          request.spec);
}

}  // namespace kith
