// Matrix Market: https://math.nist.gov/MatrixMarket/formats.html
#include <algorithm>
#include <string>

#include "io/matrix_formats.hpp"

namespace kith {
namespace {

struct Banner {
  bool coordinate = true;
  bool pattern = false;
  bool symmetric = false;
};

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

Banner read_banner(LineReader& in) {
  constexpr char expected[] = "\"%%MatrixMarket matrix coordinate integer general\" or the like";
  std::string_view line;
  if (!in.next(line)) throw bad_input_at(in.file(), 1, expected, "an empty file");
  Words words(line);
  if (lower(words.next()) != "%%matrixmarket") throw in.error(expected, in_quotes(line));
  const std::string object = lower(words.next());
  if (object != "matrix") throw in.error("the word matrix", in_quotes(object));
  const std::string layout = lower(words.next());
  if (layout != "coordinate" && layout != "array") {
    throw in.error("coordinate or array", in_quotes(layout));
  }
  const std::string field = lower(words.next());
  if (field != "integer" && field != "unsigned-integer" && field != "real" && field != "double" &&
      field != "pattern") {
    throw in.error("integer, unsigned-integer, real or pattern", in_quotes(field));
  }
  const std::string symmetry = lower(words.next());
  if (symmetry != "general" && symmetry != "symmetric") {
    throw in.error("general or symmetric", in_quotes(symmetry));
  }
  expect_line_end(in, words);
  if (layout == "array" && field == "pattern") {
    throw in.error("values, as array says", in_quotes(field));
  }
  return {layout == "coordinate", field == "pattern", symmetry == "symmetric"};
}

/// The next line that is neither blank nor a comment.
bool next_content(LineReader& in, std::string_view& line) {
  while (in.next(line)) {
    if (!line.empty() && line[0] != '%' && !is_blank(line)) return true;
  }
  return false;
}

std::uint32_t read_square_size(const LineReader& in, Words& words) {
  const std::uint32_t rows = read_rank_count(in, words.next(), "a number of rows");
  const std::uint32_t columns = read_rank_count(in, words.next(), "a number of columns");
  if (rows != columns) {
    throw in.error("a square matrix", std::to_string(rows) + " x " + std::to_string(columns));
  }
  return rows;
}

/// Adds an entry and, in a symmetric matrix, its mirror image. Such a matrix lists one triangle: a
/// file with entries on both sides would count pairs twice.
class EntrySink {
 public:
  EntrySink(const LineReader& in, bool symmetric, TrafficMatrixBuilder& builder)
      : in_(in), symmetric_(symmetric), builder_(builder) {}

  void add(std::uint32_t row, std::uint32_t column, Weight weight) {
    builder_.add(Rank{row}, Rank{column}, weight);
    if (!symmetric_ || row == column) return;
    (row > column ? below_ : above_) = true;
    if (below_ && above_) {
      throw in_.error("a symmetric matrix to list one triangle only", "entries on both sides");
    }
    builder_.add(Rank{column}, Rank{row}, weight);
  }

 private:
  const LineReader& in_;
  bool symmetric_;
  bool below_ = false;
  bool above_ = false;
  TrafficMatrixBuilder& builder_;
};

Error wrong_number_of_entries(const LineReader& in, std::uint64_t announced, std::size_t size_line,
                              const std::string& found) {
  return in.error(
      std::to_string(announced) + " entries as line " + std::to_string(size_line) + " says", found);
}

TrafficMatrix read_coordinate(LineReader& in, const Banner& banner, std::string_view line) {
  Words size(line);
  const std::uint32_t n = read_square_size(in, size);
  const std::uint64_t announced = read_count(in, size.next(), "a number of entries");
  expect_line_end(in, size);
  const std::size_t size_line = in.line();

  constexpr std::uint64_t shortest_entry = 4;  // "1 1\n"
  const std::uint64_t expected = in.at_most(announced, shortest_entry);
  TrafficMatrixBuilder builder(n, banner.symmetric ? 2 * expected : expected);
  EntrySink sink(in, banner.symmetric, builder);
  std::uint64_t entries = 0;
  while (next_content(in, line)) {
    if (entries == announced) {
      throw wrong_number_of_entries(in, announced, size_line, "one more: " + in_quotes(line));
    }
    Words words(line);
    const auto index = [&](std::string_view what) {
      const std::uint64_t value = read_count(in, words.next(), what, n);
      if (value == 0) throw in.error(std::string(what) + " counted from 1", "0");
      return static_cast<std::uint32_t>(value - 1);
    };
    const std::uint32_t row = index("a row number");
    const std::uint32_t column = index("a column number");
    sink.add(row, column, banner.pattern ? 1 : read_weight(in, words.next()));
    expect_line_end(in, words);
    ++entries;
  }
  if (entries != announced) {
    throw wrong_number_of_entries(in, announced, size_line,
                                  std::to_string(entries) + " at the end of the file");
  }
  return builder.build();
}

/// Values column by column; of a symmetric matrix the lower triangle.
TrafficMatrix read_array(LineReader& in, const Banner& banner, std::string_view line) {
  Words size(line);
  const std::uint32_t n = read_square_size(in, size);
  expect_line_end(in, size);
  const std::uint64_t announced =
      banner.symmetric ? std::uint64_t{n} * (std::uint64_t{n} + 1) / 2 : std::uint64_t{n} * n;
  const std::size_t size_line = in.line();

  TrafficMatrixBuilder builder(n);
  EntrySink sink(in, banner.symmetric, builder);
  std::uint64_t values = 0;
  std::uint32_t row = 0;
  std::uint32_t column = 0;
  while (next_content(in, line)) {
    Words words(line);
    for (auto word = words.next(); !word.empty(); word = words.next()) {
      if (values++ == announced) {
        throw wrong_number_of_entries(in, announced, size_line, "one more: " + in_quotes(word));
      }
      const Weight weight = read_weight(in, word);
      if (weight != 0) sink.add(row, column, weight);
      if (++row == n) row = banner.symmetric ? ++column : (++column, 0);
    }
  }
  if (values != announced) {
    throw wrong_number_of_entries(in, announced, size_line,
                                  std::to_string(values) + " at the end of the file");
  }
  return builder.build();
}

}  // namespace

TrafficMatrix read_mtx(LineReader& in) {
  const std::size_t longest = in.limit_lines(LineReader::short_line);
  const Banner banner = read_banner(in);
  std::string_view line;
  if (!next_content(in, line)) throw in.error("a size line", "the end of the file");
  if (!banner.coordinate) in.limit_lines(longest);  // values may follow each other
  return banner.coordinate ? read_coordinate(in, banner, line) : read_array(in, banner, line);
}

}  // namespace kith
